// Iostreams, string streams, regular expressions, locale-free formatting, own stream buffer and
// manipulators.
#include <iomanip>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>
#include "common.h"

class Upper : public std::streambuf {
 public:
  explicit Upper(std::string &out) : out_(out) {}

 protected:
  int overflow(int c) override {
    if (c == traits_type::eof()) return 0;
    char upper = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    out_.push_back(upper);
    return c;
  }

 private:
  std::string &out_;
};
struct Point {
  int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &p) {
  out << '(' << p.x;
  out << ',' << p.y << ')';
  return out;
}
static std::istream &operator>>(std::istream &in, Point &p) {
  char open, comma, close;
  in >> open >> p.x >> comma >> p.y >> close;
  if (open != '(' || comma != ',' || close != ')') in.setstate(std::ios::failbit);
  return in;
}
static std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> result;
  std::istringstream in(line);
  std::string field;
  while (std::getline(in, field, ';')) {
    if (field.empty()) continue;
    result.push_back(field);
  }
  return result;
}

int main() {
  std::ostringstream out;
  for (int i = 0; i < 4; ++i) {
    Point p{i, -i * i};
    out << p << ' ' << std::setw(6) << std::setfill('*') << std::hex << i * 77 << std::dec << ' '
        << std::fixed << std::setprecision(2) << i * 0.3 << '\n';
  }
  std::cout << out.str();
  std::istringstream in("(1,2) (3,-4) (5;6)");
  Point p{};
  int count = 0;
  while (in >> p) {
    ++count;
    std::cout << count << p << std::endl;
  }
  std::string upper;
  Upper buffer(upper);
  std::ostream loud(&buffer);
  loud << "shout " << 12 << p;
  std::cout << upper << '\n';
  for (const std::string &f : fields("one;two;;three")) std::cout << f << '|';
  std::cout << '\n';
  const std::regex word("([a-z]+)([0-9]*)");
  std::string text = "ab12 cd x9";
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
    std::smatch m = *it;
    std::cout << m[1] << '-' << m[2] << ';';
  }
  std::string replaced = std::regex_replace(text, word, "$2$1");
  std::cout << replaced << '\n';
  show("streams");
}
