"""Statements that spawn."""

import kinds
from calls import Call, callable_here
from scope import FREE, PENDING, SHARED, Var


def choose_callee(body, spawned, ret=None):
    found = [c for c in callable_here(body, spawned) if ret is None or c.ret == ret]
    # The later ones spawn themselves.
    return body.rng.choice(found[-8:] if body.rng.random() < 0.6 else found) if found else None


def spawn_call(body, callee=None, depth_argument=None):
    """A spawned call in one of its forms."""
    rng = body.rng
    callee = callee or choose_callee(body, True)
    if callee is None:
        return
    if callee.ret is not None and rng.random() < 0.85:
        result(body, callee, depth_argument)
        return
    call = Call(body, callee, True, depth_argument)
    body.emit(f"cilk_spawn {call.text};")
    call.done()


def result(body, callee, depth_argument):
    """The result goes into a variable."""
    rng, kind = body.rng, callee.ret
    forms = [new_variable, new_variable, assignment, element]
    if body.overlapping and body.loop_arrays:
        forms = [loop_element]
    rng.choice(forms)(body, callee, kind, depth_argument)


def new_variable(body, callee, kind, depth_argument):
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    name = body.program.name("v")
    declared, target = kind.name, kind
    if kind.group == "int" and rng.random() < 0.4:
        picky = not body.in_c and body.throw_ok and rng.random() < 0.5
        target = kinds.Kind("Picky", "class") if picky else rng.choice(kinds.INTS + kinds.FLOATS)
        declared = target.name
        if picky:
            body.threw = body.children_may_throw = True
    elif rng.random() < 0.3 and not body.in_c:
        declared = "auto"
    form = "{d} {n} = cilk_spawn {c};"
    if not body.in_c:
        form = rng.choice([form, form, "{d} {n}(cilk_spawn {c});", "{d} {n}{{cilk_spawn {c}}};" if target == kind else form])
    text = form.format(d=declared, n=name, c=call.text)
    call.done()
    var = Var(name, target)
    var.readonly = target.name == "Picky"
    second = None
    if declared == kind.name and rng.random() < 0.15 and form.startswith("{d} {n} = "):
        other = choose_callee(body, True, kind)
        if other is not None and not body.overlapping:
            lines = len(body.lines)
            second = Call(body, other, True)
            if len(body.lines) == lines:  # no declaration in between
                name2 = body.program.name("v")
                text = f"{text[:-1]}, {name2} = cilk_spawn {second.text};"
                second.done()
            else:
                second = None
    body.emit(text)
    body.add(var)
    body.give(var, PENDING)
    if second is not None:
        body.give(body.add(Var(name2, kind)), PENDING)


def assignment(body, callee, kind, depth_argument):
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    scalar = kind.group in ("int", "float")
    found = [v for v in body.writable() if not v.hidden and not call.taken(v)
             and (v.kind == kind or scalar and v.kind.group == kind.group)]
    var = rng.choice(found) if found else body.declare(kind)
    target = rng.choice([var.name] * 3 + [f"*&{var.name}"])
    body.emit(f"{target} = cilk_spawn {call.text};")
    call.done()
    body.give(var, PENDING)


FIELDS = {"Small": "a", "Large": "w[{}]", "Aligned": "w[{}]", "Pair": "n"}


def element(body, callee, kind, depth_argument):
    """Into an element or a field, whose address may have effects."""
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    arrays = [v for v in body.writable(arrays=True) if not v.hidden and v.kind == kind and not call.taken(v)]
    structs = [v for v in body.writable() if not v.hidden and v.kind.name in FIELDS and not call.taken(v)]
    if arrays or kind.group == "int" and rng.random() < 0.5 or not structs or kind.group != "int":
        if kind.group == "class":
            assignment_after(body, call, kind)
            return
        var = rng.choice(arrays) if arrays else body.declare(kind, rng.randrange(2, 5))
        index = str(rng.randrange(var.length))
        if rng.random() < 0.4:
            counter = body.program.name("k")
            body.emit(f"int {counter} = {rng.randrange(var.length)};")
            index = f"{counter}{rng.choice(['++', '--'])}"
            body.add(Var(counter, kinds.Kind("int", "int"))).hidden = 0
        target = f"{var.name}[{index}]"
    else:
        var = rng.choice(structs)
        target = f"{var.name}.{FIELDS[var.kind.name].format(rng.randrange(4))}"
    body.emit(f"{target} = cilk_spawn {call.text};")
    call.done()
    body.give(var, PENDING)


def assignment_after(body, call, kind):
    var = body.declare(kind)
    body.emit(f"{var.name} = cilk_spawn {call.text};")
    call.done()
    body.give(var, PENDING)


def loop_element(body, callee, kind, depth_argument):
    """Into this iteration's element."""
    array, index = body.loop_arrays.pop()
    call = Call(body, callee, True, depth_argument)
    if kind.group not in ("int", "float"):
        body.emit(f"cilk_spawn {call.text};")
        body.loop_arrays.append((array, index))
    else:
        body.emit(f"{array.name}[{index}] = cilk_spawn {call.text};")
        body.note_write(array)
    call.done()


def spawn_block(body, statements):
    """A block as the child."""
    child = body.child(min(body.budget - body.cost, 60) / body.factor, False)
    child.may_return = False
    child.spawning = body.rng.random() < 0.6
    statements(child, body.rng.randrange(1, 5))
    body.emit("cilk_spawn {")
    body.absorb(child)
    body.emit("}")
    body.accept(child)


def spawn_statement(body):
    """An assignment as the child: it evaluates everything."""
    child = body.child(body.budget - body.cost)
    child.spawning = False
    found = [v for v in child.writable() if v.base is not None]
    if not found:
        return
    var = body.rng.choice(found)
    child.note_write(var)
    body.emit(f"cilk_spawn {var.name} = {child.value(var.kind)};")
    body.accept(child)


def lambda_text(body, statements, parameter):
    """Text of a lambda, and what its references do: (text, child)."""
    rng = body.rng
    child = body.child(min(body.budget - body.cost, 60) / body.factor, by_copy=True)
    child.spawning = rng.random() < 0.6
    child.ret = kinds.U64
    if parameter:
        child.add(Var(parameter, kinds.U64))
    statements(child, rng.randrange(1, 4))
    if not child.dead:
        child.emit(f"return {child.expression()};")
    captures = {}
    for v in sorted(child.reads | child.writes, key=lambda v: v.name):
        by_copy = v.hidden or v.pointer or v.kind.copyable and v not in child.writes and rng.random() < 0.4
        captures[v.capture] = v.capture if by_copy else "&" + v.capture
        (body.note_write if v in child.writes else body.note_read)(v)
        if by_copy and not v.pointer:
            child.reads.discard(v)
    parameters = f"u64 {parameter}" if parameter else ""
    lines = [f"[{', '.join(sorted(captures.values()))}]({parameters}) -> u64 {{"]
    lines += ["  " * body.indent + line for line in child.lines]
    lines.append("  " * body.indent + "}")
    return "\n".join(lines), child


def spawn_lambda(body, statements):
    text, child = lambda_text(body, statements, None)
    if body.rng.random() < 0.5 or body.overlapping:
        body.emit(f"cilk_spawn {text}();")
        body.accept(child)
    else:
        var = Var(body.program.name("v"), kinds.U64)
        body.emit(f"u64 {var.name} = cilk_spawn {text}();")
        body.accept(child)
        body.add(var)
        body.give(var, PENDING)


def named_lambda(body, statements):
    """A lambda in a variable, to be called and spawned later in this block."""
    from calls import Callee, Param

    text, child = lambda_text(body, statements, body.program.name("a"))
    name = body.program.name("l")
    body.emit(f"auto {name} = {text};")
    itself = Var(name, kinds.Kind("lambda", "lambda", copyable=False), readonly=True)
    itself.state = FREE
    body.scopes[-1].append(itself)
    captures = [(v, PENDING if v in child.writes else SHARED) for v in sorted(child.reads | child.writes, key=lambda v: v.name)]
    body.callees.append(Callee(name, kinds.U64, [Param(kinds.U64, "value")], child.threw, child.cost,
                               captures=[*captures, (itself, SHARED)]))


def recurse(body):
    """Calls of the function itself, one level less deep."""
    callee, left, argument = body.recursion
    if left <= 0 or body.factor != 1:
        return
    body.recursion = (callee, left - 1, argument)
    spawn_call(body, callee, f"{argument} - 1")
