"""Locals of unusual kinds, and what belongs to the thread."""

import kinds
import statements
from scope import Var


def thread(body):
    """Whether the thread's variables are this thread's."""
    body.emit("check_thread();")


def calm(body):
    """Whether the stack still handles the exceptions that it handled at the beginning."""
    if body.calm:
        body.emit(f"{body.calm}.check(false);")


def special(body):
    body.rng.choice([compound] if body.in_c else [binding, binding, ordered])(body)


def hyper(body):
    """A number goes into hyperobjects of the whole program, which is no race anywhere, or into one
    that is made here, and read after a sync."""
    if body.in_c or not body.spawning or body.overlapping or body.rng.random() < 0.75:
        body.emit(f"record({body.expression()});")
        return
    name, result = body.program.name("r"), body.program.name("v")
    first, second = body.expression(1), body.expression(1)
    with body.node("d"):
        body.emit(f"Trail {name};")
    body.emit(f"cilk_spawn record_in({name}, {first});")
    body.emit(f"record_in({name}, {second});")
    body.sync()
    with body.node("d"):
        body.emit(f"u64 {result} = {name}->term;")
    body.add(Var(result, kinds.U64))


def rounds(body):
    """A long loop whose scopes have arrays of unknown length, and spawn: a program that does not
    give their memory back where they end needs 24 MiB, and more than the matrix of case.py
    allows."""
    rng = body.rng
    has_arrays = body.in_c or body.program.extensions
    if not has_arrays or body.factor > 1 or body.overlapping or body.cost + 20 > body.budget:
        return
    body.cost += 20
    total, i, array = (body.program.name(name) for name in "vin")
    last = f"{array}[3071]"
    body.emit(f"u64 {total} = {body.expression(1)};")
    body.add(Var(total, kinds.U64))
    with body.block(f"for (u64 {i} = 0; {i} < 1000; ++{i})"):
        if rng.random() < 0.3:
            body.emit(f"cilk_spawn idle({i});")
        with body.block(""):
            array_of_rounds(body, array, i)
            form = rng.randrange(4)
            if form == 0:  # a child that uses it
                body.emit(f"cilk_spawn set(&{last}, {i});")
                body.emit(f"{total} = mix({total}, {array}[0]);")
                body.sync()
            else:
                body.emit(f"cilk_spawn idle({i});")
            if form == 1:
                inner = body.program.name("n")
                with body.block(""):
                    array_of_rounds(body, inner, i)
                    body.emit(f"cilk_spawn idle({i});")
                    body.emit(f"{last} += {inner}[{i} % 6 * 512];")
            if form == 2:
                body.sync()
            body.emit(f"{total} = mix({total}, {last});")
        if rng.random() < 0.4:
            body.sync()


def array_of_rounds(body, name, i):
    """24 KiB, each page of which is touched."""
    body.emit(f"u64 {name}[3072 + {i} % 5];")
    body.emit(f"for (u64 page = 0; page < 3072; page += 512) {name}[page] = {i} + page;")
    body.emit(f"{name}[3071] = {i};")


def compound(body):
    """What only C has: compound literals and designated initializers, known by a pointer."""
    rng, name = body.rng, body.program.name("v")
    first, last = body.expression(1), body.expression(1)
    if rng.random() < 0.5:
        body.emit(f"u64 *{name} = (u64[3]){{[2] = {first}, [0] = {last}}};")
        body.add(Var(name, kinds.U64, 3, pointer=True))
    else:
        body.emit(f"Pair {name} = {{.n = {first}, .d = make_double({last})}};")
        body.add(Var(name, kinds.Kind("Pair", "struct")))


def binding(body):
    """A structured binding, of a struct or of an array."""
    first, second = body.program.name("v"), body.program.name("v")
    with body.node("d"):
        if body.rng.random() < 0.5:
            body.emit(f"auto [{first}, {second}] = make_Pair({body.expression(1)});")
            names = [(first, kinds.DOUBLE), (second, kinds.U64)]
        else:
            body.emit(f"std::pair<const u64, Obj> {first}_({body.expression(1)}, Obj(3));")
            body.emit(f"auto &[{first}, {second}] = {first}_;")
            names = [(first, None), (second, kinds.OBJ)]
    for name, kind in names:
        if kind:
            body.add(Var(name, kind))


def ordered(body):
    """Objects whose destructors write down their order: children between them do not change it."""
    rng = body.rng
    if body.nesting >= 4:
        return
    trail = body.program.name("v")
    body.emit(f"u64 {trail} = 0;")
    var = body.add(Var(trail, kinds.U64))
    var.hidden = 1
    with body.block(""):
        for _ in range(rng.randrange(1, 3)):
            body.emit(f"Ordered {body.program.name('o')}(&{trail}, {body.expression(1)});")
            statements.mixture(body, rng.randrange(1, 3))
            if body.dead:
                break
    var.hidden = 0
    for tracker in body.trackers:
        tracker.add(var)
