"""cilk_for: its headers, its body, what an iteration may touch."""

import kinds
import statements
from scope import FREE, PENDING, SHARED, Target, Var

SIGNED = ["int", "long", "short", "int8_t", "int64_t"]
UNSIGNED = ["unsigned", "u64", "uint8_t", "uint16_t"]
# Where a control variable may begin so that it ends near the end of its type.
LATE = {"int8_t": "115", "uint8_t": "245", "short": "32750", "uint16_t": "65520",
        "int": "2147483600", "unsigned": "4294967200u",
        "u64": "18446744073709551000u", "int64_t": "-9223372036854775807ll"}


class Header:
    """One header: what stands before the loop, its text, which number of iteration the body is in,
    what it knows."""

    def __init__(self, body, count, limit):
        self.body, self.rng, self.count, self.limit = body, body.rng, count, limit
        self.control, self.index, self.own, self.known = body.program.name("i"), None, None, None
        forms = [self.up, self.up, self.down, self.stride, self.back, self.late, self.pointer]
        if not body.in_c:
            forms += [self.iterator, self.range]
        self.text = self.rng.choice(forms)()

    def type(self, names=tuple(SIGNED + UNSIGNED)):
        name = self.rng.choice(names)
        self.known = kinds.Kind(name, "int")
        return name

    def up(self):
        t, i, n = self.type(), self.control, self.limit
        self.index = i
        test = self.rng.choice([f"{i} < {n}", f"{i} != {n}", f"{n} > {i}", f"{n} != {i}",
                                f"{i} <= {n} - 1", f"{n} - 1 >= {i}"])
        if "1" in test.replace(i, "") and t in UNSIGNED:  # converted to unsigned, -1 is no limit
            test = f"{i} < ({t}){n}"
        return (f"{t} {i} = 0{self.beside()}; {test}; "
                f"{self.rng.choice([f'++{i}', f'{i}++', f'{i} += 1'])}")

    def beside(self):
        """Another variable in the same declaration."""
        return f", beside_{self.control} = 3" if self.rng.random() < 0.15 else ""

    def down(self):
        i, n = self.control, self.limit
        if self.rng.random() < 0.5:
            self.index = i
            return (f"{self.type(SIGNED)} {i} = {n} - 1; "
                    f"{self.rng.choice([f'{i} >= 0', f'0 <= {i}', f'{i} > -1'])}; "
                    f"{self.rng.choice([f'--{i}', f'{i}--'])}")
        self.index = f"{i} - 1"
        return (f"{self.type()} {i} = {n}; "
                f"{self.rng.choice([f'{i} > 0', f'{i} != 0', f'0 < {i}'])}; "
                f"{self.rng.choice([f'--{i}', f'{i} -= 1'])}")

    def step(self):
        """A stride, perhaps in a variable."""
        step = str(self.rng.randrange(2, 6))
        if self.rng.random() < 0.5:
            return step
        name = self.body.program.name("s")
        with self.body.node("d"):
            self.body.emit(f"const int {name} = {step};")
        return name

    def stride(self):
        i, n, step = self.control, self.limit, self.step()
        self.index = f"{i} / {step}"
        less = self.rng.choice([f"{n} * {step}", f"{n} * {step} - 1" if n.isdigit()
                                else f"{n} * {step}"])
        t = self.type(["int", "long", "short", "int64_t"])
        return f"{t} {i} = 0; {i} < {less}; {i} += {step}"

    def back(self):
        i, n, step = self.control, self.limit, self.step()
        self.index = f"{i} / {step} - 1"
        t = self.type(["int", "long", "short", "int64_t"])
        return f"{t} {i} = {n} * {step}; {i} > 0; {i} -= {step}"

    def late(self):
        i, n, t = self.control, self.limit, self.type(list(LATE))
        self.index = f"(int)({i} - {LATE[t]})"
        test = self.rng.choice(["<", "!="])
        return f"{t} {i} = {LATE[t]}; {i} {test} ({t})({LATE[t]} + {n}); ++{i}"

    def pointer(self):
        body, i, n = self.body, self.control, self.limit
        found = [v for v in body.readable(arrays=True) if v.length >= self.count
                 and v.kind.group in ("int", "float") and not v.hidden]
        var = self.rng.choice(found) if found else body.declare(kinds.U64, self.count)
        body.note_read(var)
        self.index = f"(int)({i} - {var.name})"
        self.known = None
        self.read = var.kind.use(f"*{i}")
        test = self.rng.choice(["!=", "<"])
        return f"const {var.kind.name} *{i} = {var.name}; {i} {test} {var.name} + {n}; ++{i}"

    def words(self):
        """A vector as long as the loop."""
        name = self.body.program.name("v")
        with self.body.node("d"):
            self.body.emit(f"Words {name}({self.count}, {self.body.expression(1)});")
        return name

    def vector(self, name):
        var = Var(f"{name}.data()", kinds.U64, self.count, capture=name)
        var.by_index = True
        return self.body.add(var)

    def iterator(self):
        i, name = self.control, self.words()
        self.index, self.own = f"(int)({i} - {name}.begin())", f"*{i}"
        self.array = self.vector(name)
        return (f"{self.rng.choice(['auto', 'Words::iterator'])} {i} = {name}.begin(); "
                f"{i} {self.rng.choice(['!=', '<'])} {name}.end(); {i}++")

    def range(self):
        i = self.control
        if self.rng.random() < 0.5:
            name = self.words()
            self.array = self.vector(name)
        else:
            name = self.body.program.name("v")
            values = ", ".join(self.body.value(kinds.U64) for _ in range(self.count))
            with self.body.node("d"):
                self.body.emit(f"u64 {name}[{self.count}] = {{{values}}};")
            self.array = self.body.add(Var(name, kinds.U64, self.count))
        if self.rng.random() < 0.4:
            self.known = kinds.U64
            return f"{self.rng.choice(['u64', 'const u64 &', 'auto'])} {i} : {name}"
        self.own = i
        return f"{self.rng.choice(['u64 &', 'auto &', 'auto &&'])}{i} : {name}"


def cilk_for(body):
    """A loop whose iterations may run at once, with children of their own."""
    rng = body.rng
    if body.factor > 30 or body.overlapping and rng.random() < 0.7:
        return
    count = rng.choice([1, 2, 3, 4, 5, 6, 9])
    limit = str(count)
    if rng.random() < 0.5:
        limit = body.program.name("n")
        with body.node("d"):
            body.emit(f"const int {limit} = (int)({body.expression(1)} % {count + 1});")
    header = Header(body, count, limit)
    child = body.child((body.budget - body.cost) / body.factor / count / 2, by_copy=True)
    child.may_return, child.region_tops = False, {1}
    child.spawning = rng.random() < 0.7
    array = getattr(header, "array", None)
    if header.own:
        child.loop_arrays.append((next(v for v in child.scopes[0] if v.base is array), header.own))
    for view in child.scopes[0]:
        if view.base is array and header.own:
            view.state = PENDING
        elif view.state == FREE:
            if (header.index and view.length >= count and not view.readonly
                    and view.kind.group in ("int", "float") and rng.random() < 0.5
                    and not view.base.hidden):
                view.state = PENDING
                child.loop_arrays.append((view, f"{view.name}[{header.index}]"))
            else:
                view.state = SHARED
        view.locked = 1
    if header.known:
        child.add(Var(header.control, header.known, readonly=True))
    child.loops.append(Target(1, overlapping=True, words=["continue"]))
    if hasattr(header, "read"):
        child.emit(f"u64 {header.control}_ = {header.read};")
        child.add(Var(f"{header.control}_", kinds.U64))
    statements.mixture(child, rng.randrange(1, 5))
    for view, element in child.loop_arrays:
        if not child.dead and rng.random() < 0.8:
            with child.node():
                child.emit(f"{element} = {child.value(view.kind)};")
            child.note_write(view)
    outer = None
    declares = header.known and header.text.startswith(f"{header.known.name} {header.control} = ")
    if body.in_c and declares and "beside" not in header.text and rng.random() < 0.4:
        # Each iteration has a copy of a variable that is declared before the loop.
        outer = Var(header.control, header.known)
        body.emit(f"{header.known.name} {header.control};")
        header.text = header.text[len(header.known.name) + 1:]
    if rng.random() < 0.3:
        # The serial elision does not evaluate a grain, so it must not throw.
        grain = rng.choice(["1", "2", "3", "100", "0", f"1 + {body.expression(0)} % 3"])
        form = rng.choice(["grainsize {}", "grainsize = {}", "grainsize({})",
                           "cilk_grainsize = {}"])
        body.emit("#pragma cilk " + form.format(grain))
    body.emit(f"cilk_for ({header.text}) {{")
    body.absorb(child)
    body.emit("}")
    if outer:
        body.add(outer)
    for v in child.reads:
        body.note_read(v)
    for v in child.writes:
        body.note_write(v)
    body.cost += child.cost * body.factor * count
    body.threw |= child.threw
