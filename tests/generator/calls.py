"""What can be called, and the text of a call with its arguments."""

from dataclasses import dataclass, field

import kinds
from scope import FREE, PENDING, SHARED


@dataclass
class Param:
    """mode: value, const (reference), move (rvalue reference), in (pointer to const), out
    (pointer), array (pointer to the first)."""

    kind: kinds.Kind
    mode: str
    length: int = 0

    def declare(self, name):
        kind = self.kind.name
        return {"value": f"{kind} {name}", "const": f"const {kind} &{name}",
                "move": f"{kind} &&{name}",
                "in": f"const {kind} *{name}", "out": f"{kind} *{name}",
                "array": f"{kind} *{name}"}[self.mode]


@dataclass
class Callee:
    name: str
    ret: kinds.Kind | None
    params: list[Param]
    throws: bool
    cost: int
    host: kinds.Kind | None = None  # the class of a member function
    method_pointer: bool = True  # its address may be taken
    captures: list = field(default_factory=list)  # (variable, state) of a lambda's references
    recursive: bool = False
    depth: int = 3
    base: str = ""  # the class through which it may be called, too
    # text of the call, with {} for the arguments, if it is no name with arguments after it
    form: str = ""

    def writes(self):
        return any(p.mode in ("out", "array", "move") for p in self.params)


def random_params(rng, in_c, count):
    """Parameters for a new function."""
    modes = ["value", "value", "in", "out",
             "array"] if in_c else ["value", "value", "const", "const", "move", "in", "out",
                                    "array"]
    result = []
    for _ in range(count):
        mode = rng.choice(modes)
        kind = kinds.choose(rng, in_c)
        if mode == "value" and kind.name in ("Line", "Aligned"):
            # clang does not align more than the ABI's 16 bytes for an argument on the stack, in
            # serial programs either
            mode = "in"
        if mode == "array":
            result.append(Param(kinds.choose(rng, True), mode, rng.randrange(2, 5)))
        else:
            result.append(Param(kind, mode))
    return result


def library(name, ret, arguments, host=None, form="", cost=1, references=()):
    """`references`: the numbers of the parameters that are references, which children read."""
    params = [Param(kind, "const" if i in references else "value")
              for i, kind in enumerate(arguments)]
    return Callee(name, ret, params, False, cost, host=host, form=form, method_pointer=False)


# Callees that stand in support/, in C++.
LIBRARY = [
    library("spin", kinds.U64, [kinds.U64], kinds.OBJ),
    library("plus", kinds.OBJ, [kinds.U64], kinds.OBJ),
    library("area", kinds.U64, [kinds.U64], kinds.SHAPE),
    library("operator()", kinds.U64, [kinds.U64], kinds.FUNCTOR, "{target}({0})"),
    library("operator()", kinds.U64, [kinds.U64], kinds.SWARM, "{target}({0} % 1000)", 10),
    library("pack", kinds.U64, [kinds.U64, kinds.U64, kinds.Kind("short", "int")],
            references=(1, 2)),
    library("pack", kinds.U64, [kinds.U64]),
    library("variadic", kinds.U64, [kinds.U64, kinds.U64], form="variadic(2, {0}, {1})"),
    library("with_default", kinds.U64, [kinds.U64]),
    library("with_default", kinds.U64, [kinds.U64, kinds.OBJ], references=(1,)),
    library("total", kinds.U64, [kinds.U64, kinds.U64], form="total({{{0}, {1}, 3}})"),
    library("call", kinds.U64, [kinds.U64, kinds.OBJ], form="Statics::call({0}, {1})"),
    library("make", kinds.OBJ, [kinds.U64], form="Statics::make<3>({0})"),
    library("apply", kinds.U64, [kinds.FUNCTOR, kinds.U64], form="apply({0}, {1})",
            references=(0,)),
    library("apply", kinds.OBJ, [kinds.U64], form="apply([](u64 n) {{ return Obj(n); }}, {0})"),
]


class Call:
    """A call of `callee` from `body`; the text may need declarations before it, which are emitted
    at once."""

    def __init__(self, body, callee, spawned, depth_argument=None):
        self.body, self.callee, self.spawned, self.rng = body, callee, spawned, body.rng
        self.effects = []  # (variable, state)
        self.moved = []
        texts = [None] * len(callee.params)
        order = sorted(range(len(texts)),
                       key=lambda i: callee.params[i].mode not in ("out", "array"))
        for i in order:
            texts[i] = self.argument(callee.params[i])
        # By value: evaluated by the parent, from what no child will write.
        for i in order:
            if texts[i] is None:
                texts[i] = self.by_value(callee.params[i])
        if callee.recursive:
            texts.insert(0, depth_argument or str(self.rng.randrange(1, callee.depth + 1)))
        if callee.form:
            self.text = callee.form.format(*texts, target=self.target() if callee.host else "")
        else:
            self.text = self.called() + "(" + ", ".join(texts) + ")"

    def taken(self, var):
        return any(v is var for v, _ in self.effects) or var in self.moved

    def candidates(self, kind, length, writes):
        body = self.body
        found = body.writable(bool(length)) if writes else body.readable(bool(length))
        return [v for v in found if v.kind == kind and v.length >= length and not self.taken(v)
                and not (self.spawned and v.hidden)]

    def variable(self, kind, length, state):
        found = self.candidates(kind, length, state == PENDING)
        is_old = found and self.rng.random() < 0.8
        var = self.rng.choice(found) if is_old else self.body.declare(kind, length)
        self.effects.append((var, state))
        return var

    def argument(self, param):
        if param.mode == "array":
            return self.variable(param.kind, param.length, PENDING).name
        if param.mode in ("out", "in"):
            var = self.variable(param.kind, 0, PENDING if param.mode == "out" else SHARED)
            return f"&{var.name}"
        if param.mode == "const" and self.rng.random() < 0.5:
            found = self.candidates(param.kind, 0, False)
            if found:
                var = self.rng.choice(found)
                self.effects.append((var, SHARED))
                return var.name
        if param.mode == "move" and param.kind.movable and self.rng.random() < 0.4:
            found = self.candidates(param.kind, 0, True)
            if found:
                var = self.rng.choice(found)
                self.effects.append((var, PENDING))
                return f"std::move({var.name})"
        return None

    def by_value(self, param):
        body, rng = self.body, self.rng
        if param.mode == "value" and rng.random() < 0.4:
            if param.kind.copyable:
                found = [v for v in body.readable() if v.kind == param.kind and not self.taken(v)]
                if found:
                    var = rng.choice(found)
                    body.note_read(var)
                    self.moved.append(var)
                    return var.name
            if param.kind.movable:
                found = [v for v in body.writable() if v.kind == param.kind and not self.taken(v)]
                if found:
                    var = rng.choice(found)
                    body.note_write(var)
                    self.moved.append(var)
                    return f"std::move({var.name})"
        return body.value(param.kind)

    def called(self):
        callee, body, rng = self.callee, self.body, self.rng
        if callee.captures:
            self.effects += callee.captures
        if callee.host is None:
            if callee.name in body.program.pointers and rng.random() < 0.3:
                return rng.choice(["{}", "(*{})"]).format(body.program.pointers[callee.name])
            return callee.name
        target = self.target()
        if callee.method_pointer and rng.random() < 0.2:
            return f"({target}.*&{callee.host.name}::{callee.name})"
        if target.isidentifier() and rng.random() < 0.5:
            if callee.base and rng.random() < 0.7:
                pointer = f"same<const {callee.base}>(&{target})"
                return rng.choice([f"{pointer}->{callee.name}",
                                   f"({pointer}->*&{callee.base}::{callee.name})"])
            return f"same(&{target})->{callee.name}"
        return f"{target}.{callee.name}"

    def target(self):
        """The object of a member function."""
        host, body, rng = self.callee.host, self.body, self.rng
        found = self.candidates(host, 0, False)
        if found and rng.random() < 0.7:
            var = rng.choice(found)
            self.effects.append((var, SHARED))
            return var.name
        if rng.random() < 0.6 and host.name.startswith("Host"):
            var = body.declare(host)
            self.effects.append((var, SHARED))
            return var.name
        return host.make(body.expression(1))

    def done(self):
        """The statement has been emitted."""
        body = self.body
        for var, state in self.effects:
            if self.spawned:
                body.give(var, state)
            elif state == SHARED:
                body.note_read(var)
            else:
                body.note_write(var)
        body.cost += (self.callee.cost + 1) * body.factor
        if self.callee.throws:
            body.threw = True
            if self.spawned:
                body.children_may_throw = True


def callable_here(body, spawned):
    """The callees that may be called at this place."""
    result = []
    for callee in body.program.callees + body.callees:
        if callee.throws and not body.throw_ok:
            continue
        if body.cost + (callee.cost + 1) * body.factor > body.budget:
            continue
        if any(v.state > (FREE if state == PENDING else SHARED) or (spawned and v.hidden) for v,
               state in callee.captures):
            continue
        if spawned and body.overlapping and callee.writes() and body.rng.random() < 0.85:
            continue
        result.append(callee)
    return result
