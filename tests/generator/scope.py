"""One function body while it is written: its variables, what children do with them, expressions.

The rules that keep a program free of races stand here. A variable is
  FREE      no child knows it: the parent may read and write it, and hand it to a child
  SHARED    a child may be reading it: anyone may read
  PENDING   a child may be writing it: nobody else may touch it
until a sync makes it FREE again. A locked variable keeps its state over a sync: in a loop whose
iterations overlap, in the body of a child, where the parent's other children go on, and in an inner
sync region, which does not wait for the children of the outer one. A hidden variable is the
parent's alone (a loop's index or accumulator); a child may have a copy.
"""

from contextlib import contextmanager

import kinds
import tree

FREE, SHARED, PENDING = range(3)


class Var:
    def __init__(self, name, kind, length=0, readonly=False, capture=None, pointer=False):
        self.name, self.kind, self.length, self.readonly = name, kind, length, readonly
        self.capture = capture or name  # what a lambda has to capture for it
        self.pointer = pointer  # the captured thing is a pointer
        self.state, self.hidden, self.locked = FREE, 0, 0
        self.base = None  # the parent's variable, in the body of a child
        self.unwritable_copy = False  # a lambda must capture it by value
        self.by_index = pointer  # a range-for does not know its end
        self.reference = False  # to a temporary: a return may not move it in each standard

    def view(self):
        """The variable as the body of a child sees it."""
        result = Var(self.name, self.kind, self.length, self.readonly, self.capture, self.pointer)
        result.by_index = self.by_index
        result.base, result.state, result.locked = self, self.state, int(self.state != FREE)
        return result


class Body:
    """Writes statements; `child_of` is the body around it, whose variables it sees."""

    def __init__(self, program, budget, throw_ok, ret=None, child_of=None):
        self.program, self.rng, self.in_c = program, program.rng, program.in_c
        self.budget, self.throw_ok, self.ret, self.outer = budget, throw_ok, ret, child_of
        self.lines, self.indent = [], 1
        self.scopes = [[]]
        self.cost, self.factor, self.nesting = 0, 1, 0
        self.spawning = True
        self.children_may_throw = False
        self.threw = False
        self.dead = False  # what follows in this block is not reached
        self.overlapping = 0  # loops around whose iterations overlap
        self.loop_arrays = []  # (array, element) that one spawn of each iteration may fill
        self.may_return = True
        self.loops = []  # a Target for each loop around
        self.exits = []  # a Target for each label that may be jumped to
        self.reads, self.writes = set(), set()
        self.trackers = []
        self.callees = []  # lambdas that are known here
        # (callee, sites left, text of the depth) in a function that calls itself
        self.recursion = None
        self.region = program.new_region()
        # Of each sync region around: the depth of its block, whether children are in flight around
        # it.
        self.held = []
        # indices of the scopes that live until an implicit sync of their own
        self.region_tops = set()
        self.calm = None  # the variable that knows what is being handled

    # ---- text ----

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def absorb(self, body):
        """Takes the lines of a child's body over."""
        self.lines += ["  " * self.indent + line if line[0] not in "\x01\x02\x03\x06" else line
                       for line in body.lines]

    @contextmanager
    def node(self, kind="s"):
        """A statement that a reduction may leave out."""
        self.lines.append(tree.start(self.program.number(), self.region, self.nesting, kind))
        yield
        self.lines.append(tree.END)

    def otherwise(self, var):
        """What a reduction has instead of the statement that declares the variable."""
        self.lines.append(tree.OTHERWISE)
        with self.node("d"):
            self.emit(f"{var.kind.name} {var.name} = {var.kind.make(tree.NUMBER)};")

    # ---- variables ----

    def all_vars(self):
        return [v for scope in self.scopes for v in scope]

    def add(self, var):
        self.scopes[-1].append(var)
        return var

    def states(self):
        return {v: v.state for v in self.all_vars()} | {None: self.children_may_throw}

    def restore(self, states):
        for v, state in states.items():
            if v is None:
                self.children_may_throw = state
            else:
                v.state = state

    def join(self, states):
        """Control may also come from where the states were these."""
        for v in self.all_vars():
            v.state = max(v.state, states.get(v, FREE))
        self.children_may_throw |= states[None]

    def note_read(self, var):
        if var.base is not None:
            self.reads.add(var.base)

    def note_write(self, var):
        if var.base is not None:
            self.writes.add(var.base)
        for tracker in self.trackers:
            tracker.add(var)

    def readable(self, arrays=False):
        return [v for v in self.all_vars() if v.state != PENDING and bool(v.length) == arrays
                and v.kind.group != "lambda"]

    def writable(self, arrays=False):
        return [v for v in self.all_vars() if v.state == FREE and not v.readonly
                and bool(v.length) == arrays]

    def give(self, var, state):
        """A child reads (SHARED) or writes (PENDING) the variable."""
        if state == SHARED:
            self.note_read(var)
        else:
            self.note_write(var)
        if not var.locked:
            var.state = max(var.state, state)

    def sync(self):
        self.lines.append(tree.sync(self.region, "  " * self.indent + "cilk_sync;"))
        for v in self.all_vars():
            if not v.locked:
                v.state = FREE
        if not self.overlapping:
            self.children_may_throw = False

    def sync_for(self, scopes):
        """A sync if a child may use a variable of these scopes, which die here."""
        if any(v.state != FREE and not v.locked for scope in scopes for v in scope):
            self.sync()

    def dying(self, depth):
        """The variables of the scopes from this one on that a child may use when control leaves
        them, and that no sync waits for."""
        return [v for i, scope in enumerate(self.scopes) if i >= depth
                and i not in self.region_tops for v in scope if v.state != FREE]

    @contextmanager
    def sync_region(self, header):
        """A block that is a sync region: its syncs wait for its own children."""
        held = [v for v in self.all_vars() if v.state != FREE]
        self.held.append((len(self.scopes), any(not v.locked for v in held)))
        for v in held:
            v.locked += 1
        outer = self.region, self.children_may_throw, set(self.region_tops)
        self.region, self.children_may_throw = self.program.new_region(), False
        self.region_tops = self.region_tops | {len(self.scopes)}
        known = self.all_vars()
        with self.block(header, region=True):
            yield
        for v in known:
            if not v.locked:
                v.state = FREE
        for v in held:
            v.locked -= 1
        self.region, self.children_may_throw, self.region_tops = outer
        self.held.pop()

    @contextmanager
    def block(self, header, region=False):
        """A block of the text. A region ends with an implicit sync."""
        self.emit(header + " {" if header else "{")
        self.indent += 1
        self.nesting += 1
        self.scopes.append([])
        callees = len(self.callees)
        yield
        if not self.dead and not region:
            self.sync_for(self.scopes[-1:])
        self.scopes.pop()
        del self.callees[callees:]
        self.nesting -= 1
        self.indent -= 1
        self.emit("}")

    # ---- children's bodies ----

    def child(self, budget, by_copy=False):
        """A body that runs as a child of this one. With `by_copy` it may have copies of hidden
        variables."""
        body = Body(self.program, budget, self.throw_ok, child_of=self)
        body.nesting = self.nesting + 1
        body.calm = None
        body.callees = [c for c in self.callees if not c.captures]
        for v in self.all_vars():
            if v.state == PENDING:
                continue
            if v.hidden:
                if not by_copy or not v.kind.copyable:
                    continue
                view = v.view()
                view.readonly = view.unwritable_copy = True
            else:
                view = v.view()
            body.scopes[0].append(view)
        body.scopes.append([])
        return body

    def accept(self, body):
        """The child's body has been spawned."""
        for v in body.reads:
            if not v.hidden:
                self.give(v, SHARED)
            else:
                self.note_read(v)
        for v in body.writes:
            self.give(v, PENDING)
        self.cost += body.cost * self.factor
        self.threw |= body.threw
        self.children_may_throw |= body.threw

    # ---- expressions ----

    def number(self):
        return self.rng.choice([0, 1, 2, 3, 7, 10, 255, 1 << 31, self.rng.getrandbits(16),
                                self.rng.getrandbits(63)])

    def read(self, var):
        self.note_read(var)
        name = f"{var.name}[{self.rng.randrange(var.length)}]" if var.length else var.name
        return var.kind.use(name)

    def expression(self, depth=2):
        """Text of a 64-bit number."""
        text = self.operands(depth)
        return tree.expression(self.program.number(), text) if len(text) > 12 else text

    def operands(self, depth):
        rng = self.rng
        choice = rng.random()
        if depth == 0 or choice < 0.35:
            candidates = self.readable() + self.readable(arrays=True)
            if candidates and rng.random() < 0.85:
                return self.read(rng.choice(candidates[-6:] if rng.random() < 0.6 else candidates))
            return f"(u64){self.number()}u"
        if choice < 0.40 and self.throw_ok and not self.in_c:
            self.threw = True
            return f"checked({self.expression(depth - 1)}, {rng.choice([5, 11, 17, 40, 100])})"
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if choice < 0.7:
            return f"mix({left}, {right})"
        if choice < 0.8:
            return f"({left} % 3 ? {right} : {self.expression(depth - 1)})"
        return f"({left} {rng.choice(['+', '-', '*', '^', '|', '&'])} {right})"

    def condition(self):
        return (f"{self.expression(1)} % {self.rng.choice([2, 3, 4])} "
                f"{self.rng.choice(['==', '!='])} {self.rng.randrange(2)}")

    def value(self, kind):
        """Text of a value of this kind, made by the parent."""
        return kind.make(self.expression())

    def declare(self, kind, length=0, readonly=False):
        """Declares an initialized variable in this block and returns it. It may only be read if
        that is allowed."""
        rng, name = self.rng, self.program.name("v")
        with self.node("d"):
            if length:
                var = self.declare_array(name, kind, length)
            else:
                var = Var(name, kind)
                form = "{k} {n} = {v};"
                if not self.in_c and "volatile" not in kind.name:
                    form = rng.choice([form] * 4
                                      + ["{k} {n}({v});", "{k} &&{n} = {v};", "auto {n} = {v};"
                                         if kind.group != "int" else form,
                                                    "const {k} &{n} = {v};" if readonly else form])
                    var.readonly, var.reference = form.startswith("const"), "&" in form
                self.emit(form.format(k=kind.name, n=name, v=self.value(kind)))
        return self.add(var)

    def declare_array(self, name, kind, length):
        rng, form = self.rng, self.rng.random()
        plain = kind.group != "class" and kind.name != "Huge"
        if plain and form < 0.25 and (self.in_c or self.program.extensions):
            # An array whose length is not known, or storage from alloca: known by a pointer.
            values = [self.value(kind) for _ in range(length)]
            if form < 0.15 or kind.name in ("Aligned", "Line", "Vector8"):
                self.emit(f"{kind.name} {name}_[{length} + {self.expression(0)} % 4];")
                self.emit(f"{kind.name} *{name} = {name}_;")
            else:
                self.emit(f"{kind.name} *{name} = ({kind.name} *)__builtin_alloca({length} * "
                          f"sizeof({kind.name}));")
            for i, value in enumerate(values):
                self.emit(f"{name}[{i}] = {value};")
            return Var(name, kind, length, pointer=True)
        values = ", ".join(self.value(kind) for _ in range(length))
        if not self.in_c and kind == kinds.U64 and form > 0.9:
            self.emit(f"Words {name} = {{{values}}};")
            var = Var(f"{name}.data()", kind, length, capture=name)
            var.by_index = True
            return var
        self.emit(f"{kind.name} {name}[{length}] = {{{values}}};")
        return Var(name, kind, length)


class Target:
    """Where a jump goes: the states at all the jumps, and the scope up to which they leave."""

    def __init__(self, depth, overlapping=False, words=("continue", "break")):
        self.depth, self.overlapping, self.words, self.states = depth, overlapping, words, []
        self.jumps = {}  # what a jump is written as, if not as its word

    def restricted(self, words):
        """The same place for fewer kinds of jumps."""
        result = Target(self.depth, self.overlapping, words)
        result.states, result.jumps = self.states, self.jumps
        return result
