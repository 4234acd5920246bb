"""Control flow: branches, switches, loops, jumps."""

import kinds
import spawns
import statements
from scope import FREE, PENDING, SHARED, Target, Var


def branch(body):
    rng = body.rng
    if body.spawning and rng.random() < 0.15:
        unbraced(body)
        return
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        statements.mixture(body, rng.randrange(1, 4))
    after = body.states() if not body.dead else dict.fromkeys(before, 0)
    first_dead, body.dead = body.dead, False
    if rng.random() < 0.5:
        body.restore(before)
        with body.block("else"):
            statements.mixture(body, rng.randrange(1, 4))
        if body.dead:
            body.restore(after)
        else:
            body.join(after)
        body.dead = body.dead and first_dead
    else:
        body.restore({v: max(after[v], state) for v, state in before.items()} if not first_dead
                     else before)


def unbraced(body):
    """A spawn that is a branch by itself."""
    callee = spawns.choose_callee(body, True)
    if callee is None:
        return
    made = spawns.Call(body, callee, True)
    header = body.rng.choice(["if ({c})", "if (!({c}))",
                              "if (({c}) && ({c}))"]).format(c=body.condition())
    body.emit(f"{header} cilk_spawn {made.text};")
    made.done()
    if body.rng.random() < 0.4:
        lines = len(body.lines)
        other = spawns.Call(body, callee, True)
        if len(body.lines) == lines:
            body.emit(f"else cilk_spawn {other.text};")
            other.done()


def switch(body):
    """Cases that end or go on with the next one. Some functions have computed jumps instead."""
    rng = body.rng
    before = body.states()
    after = dict(before)
    count = rng.randrange(2, 5)
    computed = (body.in_c
                or body.program.extensions) and not body.program.computed and rng.random() < 0.4
    saved = body.loops, body.exits
    if computed:
        body.program.computed = True
        labels = [body.program.name("case") for _ in range(count)]
        end = body.program.name("end")
        table = body.program.name("table")
        addresses = ", ".join(f"&&{label}" for label in [*labels, end])
        with body.block(""):
            body.emit(f"static void *const {table}[] = {{{addresses}}};")
            body.emit(f"goto *{table}[{body.expression(1)} % {count + 1}];")
            cases(body, before, after, [f"{label}:" for label in labels], f"goto {end};")
            body.emit(f"{end}:;")
    else:
        if body.loops:  # a break would be the switch's
            body.loops = [*body.loops[:-1], body.loops[-1].restricted(["continue"])]
        headers = [f"case {case}:" for case in range(count)]
        if rng.random() < 0.5:
            headers[rng.randrange(count)] = "default:"
        with body.block(f"switch ({body.expression(1)} % {count + 1})"):
            cases(body, before, after, headers, "break;")
    body.loops, body.exits = saved
    body.restore(after)


def cases(body, before, after, headers, leaves):
    rng, falls = body.rng, False
    for header in headers:
        states = body.states()
        body.restore(before)
        if falls:
            body.join(states)
        with body.block(header):
            statements.mixture(body, rng.randrange(1, 3))
        falls = False
        if not body.dead:
            states = body.states()
            falls = rng.random() < 0.25
            if not falls:
                body.emit(leaves)
            for v in after:
                after[v] = max(after[v], states[v])
        body.dead = False


def nested(body):
    with body.block(""):
        statements.mixture(body, body.rng.randrange(1, 5))


def labelled(body):
    """A block that jumps inside may leave."""
    label = body.program.name("out")
    target = Target(len(body.scopes))
    saved, body.exits = body.exits, [*body.exits, (label, target)]
    with body.block(""):
        statements.mixture(body, body.rng.randrange(2, 5))
    body.exits = saved
    dead, body.dead = body.dead, False
    if dead and target.states:
        body.restore(target.states[0])
    elif dead:
        body.dead = True
    for states in target.states:
        body.join(states)
    body.emit(f"{label}:;")


def jump(body):
    """Leaves an iteration, the loop, or a labelled block."""
    rng = body.rng
    if body.exits and (not body.loops or rng.random() < 0.4):
        label, target = rng.choice(body.exits)
        word = f"goto {label}"
    elif body.loops and body.loops[-1].words:
        target = body.loops[-1]
        word = rng.choice(target.words)
    else:
        return
    if any(v.locked for v in body.dying(target.depth)):
        return
    # Of the sync regions that the jump leaves.
    left = [held for depth, held in body.held if depth >= target.depth]
    if word == "continue" and not target.overlapping and any(left):
        return  # the next iteration knows nothing of these children
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        if left and rng.random() < 0.6 and not body.dying(target.depth):
            pass  # the children of the regions are waited for on the way
        elif body.spawning and not target.overlapping:
            body.sync()
        elif body.spawning and not word.startswith("continue") and rng.random() < 0.3:
            body.sync()
        elif body.dying(target.depth):
            body.sync()
        if word != "continue":
            target.states.append(body.states())
        body.emit(f"{target.jumps.get(word, word)};")
    body.restore(before)


class Loop:
    """One loop: its header, its index, what its children may do."""

    def __init__(self, body):
        self.body, self.rng = body, body.rng
        self.count = self.rng.randrange(1, 6)
        self.overlapping = body.spawning and self.rng.random() < 0.5
        self.index = body.program.name("i")
        self.form = self.rng.choice(["for", "for", "while", "down", "do", "goto", "range", "two"])
        if self.form == "range" and body.in_c:
            self.form = "for"
        self.arrays, self.locks, self.hides = [], [], []

    def limit(self):
        """Text of the number of iterations: at least one where the test is at the end."""
        body = self.body
        if self.rng.random() < 0.5:
            return str(self.count)
        name = body.program.name("n")
        with body.node("d"):
            least = int(self.form in ("do", "goto"))
            body.emit(f"const int {name} = {least} + (int)({body.expression(1)} % "
                      f"{self.count + 1 - least});")
        return name

    def share(self):
        """Divides the variables: what children of overlapping iterations may read, write an element
        of, or not know at all."""
        body, rng = self.body, self.rng
        for v in body.all_vars():
            if v.hidden:
                continue
            if v.state != FREE:
                self.locks.append(v)
            elif (v.length and v.length >= self.count and not v.readonly
                  and v.kind.group in ("int", "float") and self.form != "range"
                  and rng.random() < 0.7):
                v.state = PENDING
                self.arrays.append((v, f"{v.name}[{self.index}]"))
                self.locks.append(v)
            elif rng.random() < 0.5 or v.readonly:
                v.state = SHARED
                self.locks.append(v)
            else:
                v.hidden += 1
                self.hides.append(v)
        for v in self.locks:
            v.locked += 1

    def unshare(self):
        for v in self.locks:
            v.locked -= 1
        for v in self.hides:
            v.hidden -= 1

    def header(self, limit):
        """The header, after what stands before it; and what the body begins with."""
        body, i = self.body, self.index
        if self.form == "while":
            body.emit(f"int {i} = {limit};")
            return f"while ({i}-- > 0)", None
        if self.form in ("do", "goto"):
            body.emit(f"int {i} = {limit};")
            if self.form == "do":
                return "do", f"--{i};"
            body.emit(f"again_{i}:")
            return "", f"--{i};"
        if self.form == "down":
            return f"for (int {i} = {limit} - 1; {i} >= 0; --{i})", None
        if self.form == "two":
            return f"for (int {i} = 0, end_{i} = {limit}; {i} != end_{i}; {i}++)", None
        if self.form == "range":
            values = ", ".join(body.expression(1) for _ in range(self.count))
            words = self.rng.choice([f"{{{values}}}", f"Words({{{values}}})"])
            return f"for (u64 {i} : {words})", None
        return f"for (int {i} = 0; {i} < {limit}; ++{i})", None


def loop(body):
    rng = body.rng
    if body.factor > 30:
        return
    this = Loop(body)
    limit = this.limit() if this.form != "range" else None
    before = body.states()
    if this.overlapping:
        if rng.random() < 0.8:
            body.declare(rng.choice(kinds.INTS + kinds.FLOATS), this.count)
            before = body.states()
        this.share()
    may_throw_before = body.children_may_throw
    body.children_may_throw |= this.overlapping and body.throw_ok
    saved_arrays, body.loop_arrays = body.loop_arrays, this.arrays
    body.overlapping += this.overlapping
    body.factor *= this.count
    header, first = this.header(limit)
    target = Target(len(body.scopes), this.overlapping)
    if this.form == "goto":
        target.jumps = {"continue": f"goto next_{this.index}", "break": f"goto done_{this.index}"}
    with body.block(header):
        if first:
            body.emit(first)
        kind = kinds.U64 if this.form == "range" else kinds.INT
        body.add(Var(this.index, kind, readonly=True)).hidden = 1
        body.loops.append(target)
        statements.mixture(body, rng.randrange(1, 5))
        if not body.dead and not this.overlapping and body.spawning and (
                body.children_may_throw or any(v.state != FREE for v in body.all_vars())):
            body.sync()
        body.loops.pop()
        dead, body.dead = body.dead, False
    if this.form == "do":
        body.emit(f"while ({this.index} > 0);")
    elif this.form == "goto":
        body.emit(f"next_{this.index}:")
        body.emit(f"if ({this.index} > 0) goto again_{this.index};")
        body.emit(f"done_{this.index}:;")
    body.factor //= this.count
    body.overlapping -= this.overlapping
    body.loop_arrays = saved_arrays
    this.unshare()
    if dead:
        body.restore(before)
    for states in [before, *target.states]:
        body.join(states)
    body.children_may_throw |= may_throw_before
