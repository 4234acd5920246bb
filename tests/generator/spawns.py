"""Statements that spawn."""

import kinds
import tree
from calls import Call, callable_here
from scope import FREE, PENDING, SHARED, Var


def choose_callee(body, spawned, ret=None):
    found = [c for c in callable_here(body, spawned) if ret is None or c.ret == ret]
    # The later ones spawn themselves.
    return body.rng.choice(found[-8:] if body.rng.random() < 0.6 else found) if found else None


def spawn_call(body, callee=None, depth_argument=None):
    """A spawned call in one of its forms."""
    rng = body.rng
    if callee is None and not body.in_c and rng.random() < 0.08:
        binding(body)
        return
    callee = callee or choose_callee(body, True)
    if callee is None:
        return
    if rng.random() < 0.02:
        body.emit("cilk_spawn;")
    if rng.random() < 0.06:
        operation(body)
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
    if kind.group in ("int", "float") and not body.overlapping:
        forms.append(listed)
    if body.loop_arrays and (body.overlapping or rng.random() < 0.6):
        forms = [loop_element]
    rng.choice(forms)(body, callee, kind, depth_argument)


def new_variable(body, callee, kind, depth_argument):
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    name = body.program.name("v")
    declared, target = kind.name, kind
    if kind.group == "int" and rng.random() < 0.4:
        picky = not body.in_c and body.throw_ok and rng.random() < 0.5
        numbers = kinds.INTS + kinds.FLOATS + kinds.LOCAL_INTS
        target = kinds.Kind("Picky", "class") if picky else rng.choice(numbers)
        declared = target.name
        if picky:
            body.threw = body.children_may_throw = True
    elif rng.random() < 0.3 and not body.in_c:
        declared = rng.choice(["auto", "auto", "const auto", f"const {kind.name}"])
    form = "{d} {n} = cilk_spawn {c};"
    if not body.in_c:
        form = rng.choice([form, form, "{d} {n}(cilk_spawn {c});", "{d} {n}{{cilk_spawn {c}}};"
                           if target == kind else form])
    reference = not body.in_c and "volatile" not in target.name and rng.random() < 0.25
    if reference:
        kept = [f"{target.name} &&", f"const {target.name} &"]
        declared = rng.choice(kept + (["auto &&", "const auto &"] if target == kind else []))
        if target != kind:  # in a template Clang 22 refuses `const To &to(from)` of a class
            form = "{d} {n} = cilk_spawn {c};"
    text = form.format(d=declared, n=name, c=call.text)
    call.done()
    variables = [Var(name, target)]
    variables[0].readonly = target.name == "Picky" or declared.startswith("const")
    variables[0].reference = reference
    if declared == kind.name and form.startswith("{d} {n} = ") and not body.overlapping:
        while rng.random() < 0.2:
            more = declarator(body, kind)
            if more is None:
                break
            variables.append(more[0])
            text = f"{text[:-1]}, {more[1]};"
    with body.node():
        body.emit(text)
        if target.name != "Picky" and not variables[0].readonly:
            body.lines.append(tree.OTHERWISE)
            for var in variables:
                with body.node("d"):
                    body.emit(f"{var.kind.name} {var.name} = {var.kind.make(tree.NUMBER)};")
    for var in variables:
        body.add(var)
        if var.state == FREE and not var.hidden:
            body.give(var, PENDING)


# What support/prelude.hpp has for structured bindings, and the kinds of the parts.
BOUND = {"pair_of": [kinds.DOUBLE, kinds.U64], "twin": [kinds.U64, kinds.U64],
         "mixed": [kinds.DOUBLE, kinds.OBJ, kinds.U64], "row": [kinds.U64] * 3,
         "parts": [kinds.U64, kinds.OBJ]}
BINDINGS = ["auto {n} = cilk_spawn {c};", "auto &&{n} = cilk_spawn {c};",
            "const auto &{n} = cilk_spawn {c};", "const auto {n} = cilk_spawn {c};",
            "auto {n}(cilk_spawn {c});", "auto &&{n}{{cilk_spawn {c}}};"]


def binding(body):
    """A structured binding of a result, or a member that is a reference to one."""
    rng, budget = body.rng, body.cost + 2 * body.factor
    if budget > body.budget:
        return
    argument = body.expression(1)
    if rng.random() < 0.2:
        name = body.program.name("v")
        body.emit(f"Held {name}{{cilk_spawn twice({argument})}};")
        variables = [Var(f"{name}.held", kinds.U64, readonly=True, capture=name)]
    else:
        callee, form = rng.choice(list(BOUND)), rng.choice(BINDINGS)
        variables = [Var(body.program.name("v"), kind, readonly="const" in form)
                     for kind in BOUND[callee]]
        names = ", ".join(var.name for var in variables)
        with body.node():
            body.emit(form.format(n=f"[{names}]", c=f"{callee}({argument})"))
            if "const" not in form:
                body.lines.append(tree.OTHERWISE)
                for var in variables:
                    with body.node("d"):
                        value = var.kind.make(tree.NUMBER)
                        body.emit(f"{var.kind.name} {var.name} = {value};")
    body.cost = budget
    for var in variables:
        var.reference = True
        body.add(var)
        if var.state == FREE and not var.hidden:
            body.give(var, PENDING)


def listed(body, callee, kind, depth_argument):
    """Into a part of an array or of a struct with an array, beside parts that are not spawned."""
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    name, length = body.program.name("v"), rng.randrange(2, 5)
    parts = [body.value(kind) for _ in range(rng.randrange(1, length))]
    if rng.random() < 0.5:
        builtin = f"cilk_spawn ({kind.name})__builtin_popcountll({body.expression(1)})"
        parts.insert(rng.randrange(len(parts) + 1), builtin)
    # After the call stand numbers: it may write what other parts read.
    parts.append(f"cilk_spawn {call.text}")
    parts += [kind.make(f"(u64){body.number()}u") for _ in range(rng.randrange(2))]
    length = max(length, len(parts))
    text = ", ".join(parts)
    call.done()
    with body.node():
        body.emit(f"{kind.name} {name}[{length}] = {{{text}}};")
        body.lines.append(tree.OTHERWISE)
        with body.node("d"):
            body.emit(f"{kind.name} {name}[{length}] = {{0}};")
    body.give(body.add(Var(name, kind, length)), PENDING)


def operation(body):
    """A builtin or a new, whose result is read after a sync of its own."""
    rng, name, result = body.rng, body.program.name("p"), body.program.name("v")
    if body.in_c or rng.random() < 0.5:
        builtin = rng.choice(["__builtin_popcountll", "__builtin_bswap64", "__builtin_ctzll"])
        body.emit(f"u64 {name} = cilk_spawn {builtin}({body.expression(1)} | 1u);")
        read = name
    elif rng.random() < 0.5:
        body.emit(f"std::unique_ptr<u64> {name}(cilk_spawn new u64({body.expression()}));")
        read = f"*{name}"
    else:
        number = body.expression()
        made = f"new std::string({number} % 30, (char)('a' + {body.expression(1)} % 26))"
        body.emit(f"std::unique_ptr<std::string> {name}(cilk_spawn {made});")
        read = f"use_Text({name}->c_str())"
    body.sync()
    with body.node("d"):
        body.emit(f"u64 {result} = {read};")
    body.add(Var(result, kinds.U64))


def declarator(body, kind):
    """One more declarator, spawned: (variable, text)."""
    other = choose_callee(body, True, kind)
    if other is None:
        return None
    lines = len(body.lines)
    call = Call(body, other, True)
    if len(body.lines) != lines:  # a declaration in between
        return None
    name = body.program.name("v")
    call.done()
    return Var(name, kind), f"{name} = cilk_spawn {call.text}"


def assignment(body, callee, kind, depth_argument):
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    scalar = kind.group in ("int", "float")
    found = [v for v in body.writable() if not v.hidden and not call.taken(v)
             and (v.kind == kind or scalar and v.kind.group == kind.group)]
    takers = kind in (kinds.U64, kinds.OBJ) and not body.in_c  # an operator= of another type
    if takers and rng.random() < 0.25:
        found = [v for v in body.writable() if v.kind == kinds.TAKER and not v.hidden
                 and not call.taken(v)]
        var = rng.choice(found) if found else body.declare(kinds.TAKER)
    else:
        var = rng.choice(found) if found else body.declare(kind)
    body.emit(f"{left_side(body, var)} = cilk_spawn {call.text};")
    call.done()
    body.give(var, PENDING)


def left_side(body, var):
    """The variable, written in one way or another, with effects that nothing else depends on."""
    rng, name = body.rng, var.name
    forms = [name] * 4 + [f"*&{name}"]
    if "volatile" not in var.kind.name:
        forms.append(f"*({var.kind.name} *)same(&{name})")
    if not body.in_c:
        forms += [f"(seed % 2 ? {name} : {name})", f"(void(), {name})"]
    return rng.choice(forms)


FIELDS = {"Small": "a", "Large": "w[{}]", "Aligned": "w[{}]", "Pair": "n"}


def element(body, callee, kind, depth_argument):
    """Into an element or a field, whose address may have effects."""
    rng = body.rng
    call = Call(body, callee, True, depth_argument)
    arrays = [v for v in body.writable(arrays=True) if not v.hidden and v.kind == kind
              and not call.taken(v)]
    structs = [v for v in body.writable() if not v.hidden and v.kind.name in FIELDS
               and not call.taken(v)]
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
    array, element = body.loop_arrays.pop()
    call = Call(body, callee, True, depth_argument)
    # its range is another
    if kind.group not in ("int", "float") or kind.group == "float" and array.kind.group == "int":
        body.emit(f"cilk_spawn {call.text};")
        body.loop_arrays.append((array, element))
    else:
        body.emit(f"{element} = cilk_spawn {call.text};")
        body.note_write(array)
    call.done()


def recurse(body):
    """Calls of the function itself, one level less deep."""
    callee, left, argument = body.recursion
    if left <= 0 or body.factor != 1:
        return
    body.recursion = (callee, left - 1, argument)
    spawn_call(body, callee, f"{argument} - 1")
