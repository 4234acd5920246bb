// cilk::reducer of op_string, op_basic_string and op_wstring: append, push_back, +=, move_in.
#include <cilk/cilk.h>
#include <cilk/reducer_string.h>

#include <cstdio>
#include <string>

void hanoi(int n, char from, char to, char by, cilk::reducer<cilk::op_string> &moves) {
  if (n == 0) return;
  cilk_spawn hanoi(n - 1, from, by, to, moves);
  moves->push_back(from);
  moves->push_back(to);
  *moves += " ";
  hanoi(n - 1, by, to, from, moves);
  cilk_sync;
}

int main() {
  cilk::reducer<cilk::op_string> moves("hanoi: ");
  hanoi(4, 'a', 'b', 'c', moves);
  std::printf("%s\n", moves.get_value().c_str());

  std::string start = "begin ";
  cilk::reducer<cilk::op_basic_string<char>> text(cilk::move_in(start));
  cilk::reducer<cilk::op_wstring> wide;
  cilk_for (int i = 0; i < 16; ++i) {
    text->append(static_cast<std::size_t>(i % 3), '.');
    text->append(std::to_string(i)).append("!?", 1);
    *text += ',';
    *wide += static_cast<wchar_t>(L'a' + i);
  }
  std::string out;
  text.move_out(out);
  std::printf("%s\n", out.c_str());
  for (wchar_t letter : wide.get_value()) std::putchar(static_cast<char>(letter));
  wide.set_value(L"done");
  std::printf(" %zu\n", wide.get_value().size());
}
