"""Ordinary statements, and the mixture."""

import blocks
import control
import kinds
import loops
import regions
import spawns
import storage
from calls import Call
from scope import FREE, Var


def assign(body):
    rng = body.rng
    found = body.writable()
    if not found or rng.random() < 0.3:
        body.declare(kinds.choose_local(rng, body.in_c), rng.choice([0, 0, 0, 3])
                     if rng.random() < 0.5 else 0, readonly=True)
        return
    var = rng.choice(found)
    if var.kind.group == "int" and rng.random() < 0.5:
        body.emit(f"{var.name} "
                  f"{rng.choice(['^=', '+=' if var.kind in kinds.WRAPPING else '^=', '='])} "
                  f"({var.kind.name})({body.expression()});")
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
    if body.throw_ok and body.program.exceptions:
        body.emit(f"throw_if({body.expression()} % {body.rng.choice([3, 7, 12])} == 0, "
                  f"{body.expression()});")
        body.threw = True


def leave(body):
    """Returns, perhaps."""
    if not body.may_return or body.overlapping and body.rng.random() < 0.5:
        return
    if any(v.locked for v in body.dying(2)):
        return
    before = body.states()
    with body.block(f"if ({body.condition()})"):
        restore(body)
    body.dead = False
    body.restore(before)


def restore(body):
    """A return statement."""
    rng = body.rng
    # Variables of inner blocks die before the implicit sync.
    inner = body.dying(2)
    if any(v.locked for v in inner) or inner and not body.spawning:
        return
    if inner:
        body.sync()
    kind = body.ret
    if kind is None:
        body.emit("return;")
    else:
        own = [v for v in body.all_vars() if v.kind == kind and v.state == FREE and not v.hidden
               and v.base is None
               and not v.readonly and not v.reference and not v.length and not v.pointer]
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
        restore(body)
        if body.dead:
            return
    hash_name = body.program.name("h")
    terms = [v.kind.use(v.name) for v in body.readable() if v.kind.group != "lambda"]
    terms += [v.kind.use(f"{v.name}[{i}]") for v in body.readable(arrays=True)
              for i in range(v.length)]
    body.emit(f"u64 {hash_name} = {body.number()}u;")
    for term in terms:
        body.emit(f"{hash_name} = mix({hash_name}, {term});")
    body.emit(f"return {body.ret.make(hash_name)};")
    body.dead = True


def mixture(body, count):
    """Some statements."""
    rng = body.rng
    deep = body.nesting >= 4
    for _ in range(count):
        if body.dead:
            return
        choices = [(assign, 4), (call, 2), (throw, 0.7), (leave, 0.5), (storage.thread, 0.4),
                   (storage.calm, 0.3), (storage.special, 0.6), (storage.hyper, 1.5)]
        if not deep:
            choices += [(control.branch, 2), (control.switch, 0.6), (control.loop, 1.6),
                        (control.nested, 0.4), (control.labelled, 0.5),
                        (regions.guarded, 0.8), (loops.cilk_for, 0.9 if body.spawning else 0.2)]
        if body.loops or body.exits:
            choices += [(control.jump, 0.9)]
        if body.spawning:
            choices += [(spawns.spawn_call, 9), (body_sync, 1.5), (storage.rounds, 0.35)]
            if body.recursion:
                choices += [(spawns.recurse, 3)]
            if not deep:
                choices += [(blocks.spawn_block, 1.2), (blocks.spawn_statement, 0.8),
                            (regions.spawning_region, 1)]
                if not body.in_c:
                    choices += [(blocks.spawn_lambda, 1.2), (blocks.named_lambda, 0.8)]
        with body.node():
            rng.choices([f for f, _ in choices], [w for _, w in choices])[0](body)


def body_sync(body):
    body.sync()
