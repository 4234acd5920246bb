// The older cilk::reducer_list_append, reducer_list_prepend, reducer_string and reducer_ostream.
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>

#include <cstdio>
#include <iostream>
#include <list>
#include <string>

void split(const std::string &text, std::size_t from, cilk::reducer_list_append<std::string> &to) {
  std::size_t end = text.find(' ', from);
  cilk_spawn to.push_back(text.substr(from, end - from));
  if (end != std::string::npos) split(text, end + 1, to);
  cilk_sync;
}

int main() {
  cilk::reducer_list_append<std::string> words;
  split("a spawn a sync and a loop", 0, words);

  cilk::reducer_list_prepend<int> reversed;
  cilk::reducer_string letters("abc");
  cilk::reducer_ostream out(std::cout);
  cilk_for (int i = 0; i < 26; ++i) {
    if (i % 2 == 0) reversed.push_front(i);
    // stays: reducers of this kind stay Cilk Plus': an older class of strings
    letters += static_cast<char>('z' - i);
    letters.append(i % 5 == 0 ? ";" : "");
    out << i << ' ';
  }
  out << letters.get_value() << '\n';
  out.get_reference() << std::flush;

  const std::list<std::string> &list = words.get_reference();
  for (std::list<std::string>::const_iterator it = list.begin(); it != list.end(); ++it)
    std::cout << *it << '.';
  for (int i : reversed.get_value()) std::cout << ' ' << i;
  std::cout << ' ' << letters.get_reference().size() << std::endl;
  return 0;
}
