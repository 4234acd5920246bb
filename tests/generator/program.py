"""A whole program: functions from the leaves up, then main."""

import random
from pathlib import Path

import kinds
import regions
import statements
import tree
from calls import LIBRARY, Call, Callee, random_params
from scope import Body, Var

SUPPORT = Path(__file__).resolve().parent / "support"


class Program:
    def __init__(self, seed, in_c=False, exceptions=True):
        self.rng = random.Random(f"nopal {seed}")
        self.in_c, self.exceptions = in_c, exceptions and not in_c
        self.names = self.numbers = self.regions = 0
        self.callees = [] if in_c else list(LIBRARY)
        self.pointers = {}
        self.text = ["static u64 seed;\n"]
        # of C++ by Clang: arrays whose length is not known, labels as values
        self.extensions = self.rng.random() < 0.5

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self):
        """The number of a new node of the tree."""
        self.numbers += 1
        return self.numbers

    def new_region(self):
        self.regions += 1
        return self.regions

    # ---- functions ----

    def new_body(self, budget, throw_ok, ret, params):
        """A body with the parameters as variables, and the texts of their declarations."""
        body = Body(self, budget, throw_ok, ret)
        texts = []
        for param in params:
            name = self.name("p")
            texts.append(param.declare(name))
            if param.mode in ("in", "out"):
                body.add(Var(f"(*{name})", param.kind, readonly=param.mode == "in", capture=name,
                             pointer=True))
            elif param.mode == "array":
                body.add(Var(name, param.kind, param.length, pointer=True))
            else:
                var = Var(name, param.kind, readonly=param.mode == "const")
                body.add(var)
        body.scopes.append([])
        # one place that jumps to labels as values in each function: all labels have to be in its
        # scope
        self.computed = False
        return body, texts

    def fill(self, body, size):
        """The statements of a function that spawns."""
        rng = self.rng
        if self.exceptions and rng.random() < 0.5:
            body.calm = self.name("calm")
            body.emit(f"const Calm {body.calm};")
        if rng.random() < 0.5:
            statements.mixture(body, size)
        else:  # a quiet beginning, then a region, as people write
            body.spawning = False
            statements.mixture(body, rng.randrange(0, 3))
            body.spawning = True
            if not body.dead:
                regions.spawning_region(body, size)
            if not body.dead:
                statements.mixture(body, rng.randrange(0, 4))
        statements.finish(body)

    def tests(self, body):
        """What a function that may end at once begins with: a few operations, which are done in
        place of a call."""
        rng = self.rng

        def operand():
            known = [var for var in body.readable() if var.kind.group == "int"]
            if known and rng.random() < 0.85:
                return body.read(rng.choice(known))
            return f"(u64){self.number()}u"

        for _ in range(rng.choice([1, 1, 2, 3])):
            name = self.name("t")
            body.emit(f"const u64 {name} = ({operand()} * {rng.randrange(3, 99, 2)}u ^ {operand()} "
                      f">> {rng.randrange(1, 9)}) + {operand()};")
            body.add(Var(name, kinds.U64, readonly=True))
            if rng.random() < 0.3:
                body.emit(f"if ({operand()} % {rng.randrange(2, 5)} == 1) {{")
                body.emit(f"  if ({name} % 5 == 2) "
                          f"return{' ' + body.ret.make(name) if body.ret else ''};")
                body.emit("}")
            else:
                body.emit(f"if ({name} % {rng.choice([2, 3, 5, 9])} == 0) "
                          f"return{' ' + body.ret.make(operand()) if body.ret else ''};")

    def leaf(self):
        """A function that spawns nothing, and takes its time."""
        rng = self.rng
        ret, params = kinds.choose(rng,
                                   self.in_c), random_params(rng, self.in_c, rng.randrange(1, 3))
        throws = self.exceptions and rng.random() < 0.4
        name = self.name("leaf")
        body, texts = self.new_body(20, throws, ret, params)
        body.spawning = False
        body.emit(f"linger({body.expression()});")
        if throws:
            statements.throw(body)
        statements.mixture(body, rng.randrange(1, 3))
        statements.finish(body)
        inline = "" if rng.random() < 0.4 else "NOINLINE "
        self.add_function(f"{inline}static {ret.name} "
                          f"{name}({', '.join(texts) or 'void' * self.in_c})", body)
        self.callees.append(Callee(name, ret, params, throws, 1))

    def function(self):
        """A function that spawns."""
        rng = self.rng
        tested = rng.random() < 0.35
        ret = None if rng.random() < 0.15 else kinds.choose(rng, self.in_c or tested)
        params = random_params(rng, self.in_c or tested, rng.randrange(tested, 5))
        throws = self.exceptions and rng.random() < 0.6
        recursive = rng.random() < (0.6 if tested else 0.25)
        name = self.name("f")
        form = rng.choices(["plain", "method", "template"],
                           [7, 0 if self.in_c else 3 - tested, 0 if self.in_c else 1.5])[0]
        body, texts = self.new_body(60 if recursive else 400, throws, ret, params)
        if form == "method":
            body.scopes[0] += [Var("seed_", kinds.U64, readonly=True, capture="this", pointer=True),
                               Var("object_", kinds.OBJ, readonly=True, capture="this",
                                   pointer=True)]
        if recursive:
            depth = self.name("d")
            texts.insert(0, f"int {depth}")
            body.scopes[0].append(Var(depth, kinds.Kind("int", "int"), readonly=True))
            own_name = f"{name}<T, kNumber>" if form == "template" else name
            body.recursion = (Callee(own_name, ret, params, throws, 0, recursive=True), 2, depth)
            with body.block(f"if ({depth} <= 0)"):
                statements.restore(body)
            body.dead = False
        if tested:
            self.tests(body)
        self.fill(body, rng.randrange(3, 11))
        callee = Callee(name, ret, params, throws, body.cost, recursive=recursive)
        if recursive:
            callee.cost = (body.cost + 1) * 16
        kind = "void" if ret is None else ret.name
        head = f"{kind} {name}({', '.join(texts) or 'void' * self.in_c})"
        if form == "method":
            head += " const"
        if not throws and not self.in_c and rng.random() < 0.3:
            head += " noexcept"
        if form == "method":
            callee.host = kinds.Kind(self.name("Host"), "class")
            base, virtual = "", rng.choice(["", "virtual "])
            if virtual and rng.random() < 0.6:  # called through a base, which may be virtual itself
                base = f" : {rng.choice(['', 'virtual '])}public {callee.host.name}Base"
                callee.base = f"{callee.host.name}Base"
                pure = (f"class {callee.base} {{\n public:\n  virtual ~{callee.base}() = default;\n"
                        f"  virtual {head} = 0;\n}};\n")
                self.add_text(pure)
            self.add_text(HOST.format(name=callee.host.name, virtual=virtual, base=base, head=head,
                                      body="\n".join(body.lines)))
        elif form == "template":
            self.add_function(f"template <class T, int kNumber> static {head}", body)
            callee.name += f"<{rng.choice(['int', 'Obj'])}, {rng.randrange(9)}>"
        else:
            prefixes = ["static "] + ["NOINLINE static "] * (not tested)
            prefixes += [] if self.in_c else ["", "static inline "]
            self.add_function(rng.choice(prefixes) + head, body)
        if callee.host is None and rng.random() < 0.3:
            self.pointers[callee.name] = self.name("fp")
            types = ["int"] * recursive + [param.declare("").strip() for param in params]
            self.add_text(f"static {kind} (*volatile "
                          f"{self.pointers[callee.name]})({', '.join(types) or 'void'}) = "
                          f"{callee.name};\n")
        self.callees.append(callee)

    def add_function(self, head, body):
        self.add_text(head + " {\n" + "\n".join(body.lines) + "\n}\n")

    def add_text(self, text):
        self.text.append(f"{tree.start(self.number(), 0, 0, 'f')}\n{text}\n{tree.END}")

    # ---- the whole ----

    def main(self):
        rng = self.rng
        lines = []
        own = [callee for callee in self.callees if callee not in LIBRARY]
        for callee in own[-5:] + rng.sample(own, 2):
            name = self.name("run")
            body, _ = self.new_body(100000, True if self.exceptions else False, kinds.U64, [])
            body.scopes[0].append(Var("seed", kinds.U64, readonly=True))
            body.spawning = False
            made = Call(body, callee, False)
            if callee.ret is None:
                body.emit(f"{made.text};")
            else:
                body.add(Var("result", callee.ret))
                body.emit(f"{callee.ret.name} result = {made.text};")
            body.may_return = False
            statements.finish(body)
            self.add_function(f"NOINLINE static u64 {name}(void)", body)
            lines.append(name)
        head = [self.describe(), (SUPPORT / "prelude.h").read_text()]
        if not self.in_c:
            head.append((SUPPORT / "prelude.hpp").read_text())
        head.append((SUPPORT / "hyper.h").read_text())
        if self.exceptions:
            head.append((SUPPORT / "exceptions.hpp").read_text())
        elif not self.in_c:
            head.append(PLAIN)
        if not self.in_c:
            head.append((SUPPORT / "spawning.hpp").read_text())
        call = "printf(\"{0} %lu\\n\", {0}());"
        if self.exceptions:
            call = (f"try {{{{ {call} }}}} "
                    "catch (...) {{ printf(\"{0} threw %lu\\n\", caught()); }}")
        self.text.append("int main(void) {\n  for (seed = 1; seed <= 3; ++seed) {")
        for name in lines:
            self.add_text("    " + call.format(name))
            self.add_text(f'    printf("{name} recorded %lu\\n", recorded());')
        self.text.append("  }" if self.in_c else "  }\n  printf(\"alive %ld\\n\", alive.load());")
        self.text.append("  return 0;\n}")
        return "\n".join(head + self.text) + "\n"

    def describe(self):
        return "// Made by tests/generator/generate.py."


PLAIN = """#define throw_if(condition, n) ((void)(condition), (void)(n))
"""

HOST = """class {name}{base} {{
 public:
  explicit {name}(u64 n) : seed_(n), object_(n) {{}}
  {virtual}~{name}() = default;
  {virtual}{head} {{
{body}
  }}
  u64 seed_;
  Obj object_;
}};
static inline {name} make_{name}(u64 n) {{ return {name}(n); }}
static inline u64 use_{name}(const {name} &h) {{ return mix(h.seed_, h.object_.get()); }}
"""


def generate(seed, in_c=False, exceptions=True):
    """The program of this seed, with its nodes: tree.render makes text of it."""
    program = Program(seed, in_c, exceptions)
    for _ in range(program.rng.randrange(2, 4)):
        program.leaf()
    for _ in range(program.rng.randrange(3, 8)):
        program.function()
    return program.main()
