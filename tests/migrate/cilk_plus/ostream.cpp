// cilk::reducer<cilk::op_ostream> on std::cout and on a string stream, in a loop and in spawns.
#include <cilk/cilk.h>
#include <cilk/reducer_ostream.h>

#include <iomanip>
#include <iostream>
#include <sstream>

void print(int low, int high, cilk::reducer<cilk::op_ostream> &out) {
  if (high - low == 1) {
    *out << '[' << std::setw(2) << low << ']';
    return;
  }
  int middle = low + (high - low) / 2;
  cilk_spawn print(low, middle, out);
  print(middle, high, out);
  cilk_sync;
}

int main() {
  cilk::reducer<cilk::op_ostream> out(std::cout);
  *out << "numbers: ";
  print(0, 20, out);
  *out << std::endl;

  std::ostringstream kept;
  {
    cilk::reducer<cilk::op_ostream> table(kept);
    cilk_for (int i = 1; i <= 10; ++i) {
      std::ostream &row = *table;
      row << std::hex << i * 31 << ' ' << std::dec;
      if (i % 5 == 0) row << '\n';
    }
  }
  std::cout << kept.str() << kept.str().size() << '\n';
  return 0;
}
