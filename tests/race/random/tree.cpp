// See tree.h: makes the program of a seed.
#include "tree.h"

#include <algorithm>

static Operation make_access(Shape &shape) {
  Operation own{};
  own.kind = Kind::access;
  own.space = shape.chance(7) ? Space::pool : static_cast<Space>(shape.pick(1, 4));
  own.form = shape.chance(shape.writes) ? Form::write : Form::read;
  if (shape.chance(3)) own.form = static_cast<Form>(shape.pick(0, 6));
  own.size = 1 << shape.pick(0, 4);
  if (own.form == Form::fill || own.form == Form::compare || own.form == Form::copy)
    own.size = shape.pick(1, 20);
  if (own.form == Form::structure) own.size = 12;
  const int bytes = own.space == Space::pool ? shape.pool_bytes : kBytes;
  own.size = std::min(own.size, bytes / 2);
  own.offset = shape.pick(0, bytes / 2 - own.size);
  if (shape.chance(7)) own.offset = own.offset / own.size * own.size;
  // The second half is for what moves with the iteration.
  if (shape.chance(3)) own.stride = shape.pick(0, 8);
  if (shape.protects && shape.chance(7)) own.protection = static_cast<Protection>(shape.pick(1, 6));
  if (own.protection == Protection::atomic) {
    own.form = shape.chance(5) ? Form::update : Form::read;
    own.size = shape.chance(5) ? 4 : 8;
    own.offset = shape.pick(0, bytes / 16 - 1) * 8;
    own.stride = 0;
  }
  return own;
}

static Operation make_operation(Shape &shape, int depth, bool may_fail, bool is_function) {
  const int choice = shape.pick(1, 100);
  Operation own{};
  if (depth == 0 || choice <= 10 + shape.density * 5) return make_access(shape);
  if (choice > 95 && may_fail) {
    own.kind = Kind::fail;
  } else if (choice > 92) {
    own.kind = Kind::renew;
  } else if (choice > 90 && shape.protects) {
    own.kind = Kind::hold;
    own.count = shape.pick(0, 1);
    own.body = make_body(shape, depth - 1, false, true);
  } else if (choice > 82) {
    own.kind = Kind::sync;
  } else if (choice > 76 && is_function) {
    own.kind = Kind::scope;
    own.body = make_body(shape, depth - 1, may_fail, false);
  } else if (choice > 70 && is_function) {
    own.kind = Kind::attempt;
    own.body = make_body(shape, depth - 1, true, false);
  } else if (choice > 63) {
    own.kind = Kind::loop;
    own.count = shape.pick(0, 4);
    own.body = make_body(shape, depth - 1, false, true);
  } else {
    own.kind = choice > 55 ? Kind::call : Kind::spawn;
    own.body = make_body(shape, depth - 1, may_fail, true);
  }
  return own;
}

std::vector<Operation> make_body(Shape &shape, int depth, bool may_fail, bool is_function) {
  std::vector<Operation> body;
  for (int left = shape.pick(1, 6); left != 0 && shape.left != 0; --left) {
    --shape.left;
    body.push_back(make_operation(shape, depth, may_fail, is_function));
  }
  return body;
}
