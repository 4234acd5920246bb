"""Ordinary statements, and the mixture."""

import kinds
import spawns
from calls import Call
from scope import FREE, PENDING, SHARED, Var


def assign(body):
    rng = body.rng
    found = body.writable()
    if not found or rng.random() < 0.3:
        body.declare(kinds.choose(rng, body.in_c), rng.choice([0, 0, 0, 3]) if rng.random() < 0.5 else 0)
        return
    var = rng.choice(found)
    if var.kind.group == "int" and rng.random() < 0.5:
        body.emit(f"{var.name} {rng.choice(['^=', '+=', '='])} ({var.kind.name})({body.expression()});")
    else:
        body.emit(f"{var.name} = {body.value(var.kind)};")
    body.note_write(var)


def call(body):
    """A call that is not spawned."""
    callee = spawns.choose_callee(body, False)
    if callee is None or callee.recursive and body.rng.random() < 0.7:
        return
    made = Call(body, callee, False)
    if callee.ret is None or body.rng.random() < 0.2:
        body.emit(f"{made.text};")
        made.done()
        return
    var = Var(body.program.name("v"), callee.ret)
    body.emit(f"{callee.ret.name} {var.name} = {made.text};")
    made.done()
    body.add(var)


def throw(body):
    if body.throw_ok and not body.in_c:
        body.emit(f"throw_if({body.expression()} % {body.rng.choice([3, 7, 12])} == 0, {body.expression()});")
        body.threw = True


def leave(body):
    """Returns, perhaps."""
    if not body.may_return or body.overlapping and body.rng.random() < 0.5:
        return
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        give_back(body)
    body.dead = False
    body.restore(before)


def give_back(body):
    """A return statement."""
    rng = body.rng
    # Variables of inner blocks die before the implicit sync.
    inner = [v for scope in body.scopes[body.region_depth:] for v in scope]
    if any(v.state != FREE for v in inner):
        if not body.spawning:
            return
        body.sync()
    kind = body.ret
    if kind is None:
        body.emit("return;")
    else:
        own = [v for v in body.all_vars() if v.kind == kind and v.state == FREE and not v.hidden and v.base is None
               and not v.readonly and not v.length and not v.pointer]
        if own and rng.random() < 0.5:
            body.emit(f"return {rng.choice(own).name};")
        else:
            body.emit(f"return {body.value(kind)};")
    body.dead = True


def finish(body):
    """What a function returns depends on all that it knows."""
    rng = body.rng
    if body.dead:
        return
    if rng.random() < 0.7 and body.spawning:
        body.sync()
    for v in body.writable():
        if v.pointer and not v.hidden:
            body.emit(f"{v.name} = {body.value(v.kind)};")
            body.note_write(v)
    if body.ret is None:
        return
    if rng.random() < 0.15 or body.ret.group != "int" and rng.random() < 0.3:
        give_back(body)
        if body.dead:
            return
    hash_name = body.program.name("h")
    terms = [v.kind.use(v.name) for v in body.readable() if v.kind.group != "lambda"]
    terms += [v.kind.use(f"{v.name}[{i}]") for v in body.readable(arrays=True) for i in range(v.length)]
    body.emit(f"u64 {hash_name} = {body.number()}u;")
    for term in terms:
        body.emit(f"{hash_name} = mix({hash_name}, {term});")
    body.emit(f"return {body.ret.make(hash_name)};")
    body.dead = True


def branch(body):
    rng = body.rng
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        mixture(body, rng.randrange(1, 4))
    after = body.states() if not body.dead else dict.fromkeys(before, 0)
    first_dead, body.dead = body.dead, False
    if rng.random() < 0.5:
        body.restore(before)
        with body.block("else"):
            mixture(body, rng.randrange(1, 4))
        if body.dead:
            body.restore(after)
        else:
            body.join(after)
        body.dead = body.dead and first_dead
    else:
        body.restore({v: max(after[v], state) for v, state in before.items()} if not first_dead else before)


def switch(body):
    rng = body.rng
    before = body.states()
    after = dict(before)
    count = rng.randrange(2, 5)
    loops, body.loops = body.loops, []
    with body.block(f"switch ({body.expression(1)} % {count + 1})"):
        for case in range(count):
            body.restore(before)
            with body.block(f"case {case}:" if case or rng.random() < 0.5 else "default:"):
                mixture(body, rng.randrange(1, 3))
            if not body.dead:
                body.emit("break;")
                states = body.states()
                after = {v: max(state, states[v]) for v, state in after.items()}
            body.dead = False
    body.loops = loops
    body.restore(after)


def nested(body):
    with body.block(""):
        mixture(body, body.rng.randrange(1, 5))


def jump(body):
    """Leaves an iteration, or the loop."""
    if not body.loops:
        return
    overlapping, breaks, depth = body.loops[-1]
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        inner = body.scopes[depth:]
        word = body.rng.choice(["continue", "break"])
        if body.spawning and (not overlapping or word == "break" and body.rng.random() < 0.3):
            body.sync()
        else:
            body.sync_for(inner)
        if word == "break":
            breaks.append(body.states())
        body.emit(f"{word};")
    body.restore(before)


def loop(body):
    rng = body.rng
    if body.factor > 30:
        return
    overlapping = body.spawning and rng.random() < 0.5
    count = rng.randrange(1, 6)
    limit = str(count)
    if rng.random() < 0.5:
        limit = body.program.name("n")
        body.emit(f"const int {limit} = (int)({body.expression(1)} % {count + 1});")
    index = body.program.name("i")
    arrays, locks, hides = [], [], []
    before = body.states()
    if overlapping:
        if rng.random() < 0.8:
            body.declare(rng.choice(kinds.INTS + kinds.FLOATS), count)
            before = body.states()
        for v in body.all_vars():
            if v.hidden:
                continue
            if v.state != FREE:
                locks.append(v)
            elif v.length and v.length >= count and not v.readonly and v.kind.group in ("int", "float") and rng.random() < 0.7:
                v.state = PENDING
                arrays.append((v, index))
                locks.append(v)
            elif rng.random() < 0.5 or v.readonly:
                v.state = SHARED
                locks.append(v)
            else:
                v.hidden += 1
                hides.append(v)
        for v in locks:
            v.locked += 1
    may_throw_before = body.children_may_throw
    body.children_may_throw |= overlapping and body.throw_ok
    saved_arrays, body.loop_arrays = body.loop_arrays, arrays
    body.overlapping += overlapping
    body.factor *= count
    breaks = []
    header = rng.choice([f"for (int {index} = 0; {index} < {limit}; ++{index})", f"int {index} = {limit}; while ({index}-- > 0)"])
    if header.startswith("int"):
        declaration, header = header.split("; ")
        body.emit(declaration + ";")
    elif rng.random() < 0.2:
        header = f"for (int {index} = {limit} - 1; {index} >= 0; --{index})"
    nosync = overlapping
    with body.block(header):
        index_var = body.add(Var(index, kinds.Kind("int", "int"), readonly=True))
        index_var.hidden = 1
        body.loops.append((nosync, breaks, len(body.scopes) - 1))
        mixture(body, rng.randrange(1, 5))
        if not body.dead and not nosync and body.spawning and (body.children_may_throw or any(v.state != FREE for v in body.all_vars())):
            body.sync()
        body.loops.pop()
        dead, body.dead = body.dead, False
    body.factor //= count
    body.overlapping -= overlapping
    body.loop_arrays = saved_arrays
    for v in locks:
        v.locked -= 1
    for v in hides:
        v.hidden -= 1
    if dead:
        body.restore(before)
    for states in [before, *breaks]:
        body.join(states)
    body.children_may_throw |= may_throw_before


def guarded(body):
    """A try block that does not spawn, in a function that may."""
    if body.in_c or not body.program.exceptions or body.children_may_throw or body.overlapping:
        return
    saved = body.spawning, body.throw_ok, body.threw, body.may_return
    body.spawning, body.throw_ok, body.threw, body.may_return = False, True, False, False
    tracker = set()
    body.trackers.append(tracker)
    loops, body.loops = body.loops, []
    with body.block("try"):
        mixture(body, body.rng.randrange(1, 4))
    body.loops = loops
    body.trackers.pop()
    body.spawning, body.throw_ok, body.threw, body.may_return = saved
    body.emit("catch (...) {")
    body.indent += 1
    reset(body, tracker, "caught()")
    body.indent -= 1
    body.emit("}")


def reset(body, tracker, number):
    """What a try block may have written gets a known value."""
    visible = body.all_vars()
    for v in sorted(tracker, key=lambda v: v.name):
        if v not in visible or v.kind.group == "lambda":
            continue
        if v.length:
            body.emit(f"for ({v.kind.name} &element : {v.name}) element = {v.kind.make(number)};" if not v.pointer else
                      f"for (int i = 0; i < {v.length}; ++i) {v.name}[i] = {v.kind.make(number)};")
        else:
            body.emit(f"{v.name} = {v.kind.make(number)};")
        body.note_write(v)


def mixture(body, count):
    """Some statements."""
    rng = body.rng
    deep = body.nesting >= 4
    for _ in range(count):
        if body.dead:
            return
        choices = [(assign, 4), (call, 2), (throw, 0.7), (leave, 0.5)]
        if not deep:
            choices += [(branch, 2), (switch, 0.4), (loop, 1.6), (nested, 0.5), (guarded, 0.5)]
        if body.loops:
            choices += [(jump, 0.8)]
        if body.spawning:
            choices += [(spawns.spawn_call, 9), (body_sync, 1.5)]
            if body.recursion:
                choices += [(spawns.recurse, 3)]
            if not deep:
                choices += [(lambda b: spawns.spawn_block(b, mixture), 1.2), (spawns.spawn_statement, 0.6)]
                if not body.in_c:
                    choices += [(lambda b: spawns.spawn_lambda(b, mixture), 1.2), (lambda b: spawns.named_lambda(b, mixture), 0.8)]
        if body.in_c:
            choices = [(f, w) for f, w in choices if f not in (throw, guarded)]
        rng.choices([f for f, _ in choices], [w for _, w in choices])[0](body)


def body_sync(body):
    body.sync()
