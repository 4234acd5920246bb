"""Spawned statements, spawned blocks and lambdas: children whose bodies stand in their parent."""

import control
import kinds
import statements
from calls import Callee, Param
from scope import FREE, PENDING, SHARED, Var


def spawn_block(body):
    """A block as the child."""
    rng = body.rng
    child = body.child(min(body.budget - body.cost, 60) / body.factor, False)
    child.may_return = False
    child.spawning = rng.random() < 0.6
    statements.mixture(child, rng.randrange(1, 5))
    body.emit("cilk_spawn {")
    body.absorb(child)
    body.emit("}")
    body.accept(child)


def spawn_statement(body):
    """Another statement as the child: it evaluates everything."""
    rng = body.rng
    child = body.child(body.budget - body.cost)
    child.spawning = child.may_return = False
    form = rng.random()
    if form < 0.35:
        child.spawning = rng.random() < 0.5
        header = rng.choice(["if ({})", "for (int {i} = 0; {i} < 2; ++{i})", "for (; {};)",
                             "switch ({})", "while ({})", "do"])
        name = body.program.name("i")
        text = header.replace("{i}", name).format(child.condition())
        if "{i}" in header:
            child.factor = 2
        with_break = header != "if ({})" and "{i}" not in header
        statements.mixture(child, rng.randrange(1, 4))
        if not child.dead and any(v.state != FREE and not v.locked for v in child.all_vars()):
            child.sync()
        body.emit(f"cilk_spawn {text} {{")
        if header == "switch ({})":
            body.emit("default:;")
            body.emit("{")
        body.absorb(child)
        if header == "switch ({})":
            body.emit("}")
        if with_break and not header.startswith("do") and not child.dead:
            body.emit("break;")
        body.emit("}" if header != "do" else "} while (0);")
        body.accept(child)
        return
    found = [v for v in child.writable() if v.base is not None]
    if not found:
        return
    var = rng.choice(found)
    child.note_write(var)
    if var.kind.group == "int" and form < 0.65 and var.kind in kinds.WRAPPING:
        body.emit("cilk_spawn "
                  + rng.choice(["++{n};", "{n}++;", "{n} ^= {v};",
                                "{n} += {v};"]).format(n=var.name, v=child.value(var.kind)))
    else:
        body.emit(f"cilk_spawn {var.name} = {child.value(var.kind)};")
    body.accept(child)


def lambda_text(body, parameter):
    """Text of a lambda, and what its references do: (text, child)."""
    rng = body.rng
    child = body.child(min(body.budget - body.cost, 60) / body.factor, by_copy=True)
    child.spawning = rng.random() < 0.6
    child.ret = kinds.U64
    if parameter:
        child.add(Var(parameter, kinds.U64))
    statements.mixture(child, rng.randrange(1, 4))
    if not child.dead:
        child.emit(f"return {child.expression()};")
    captures = {}
    for v in sorted(child.reads | child.writes, key=lambda v: v.name):
        by_copy = (v.hidden or v.pointer
                   or v.kind.copyable and v not in child.writes and rng.random() < 0.4)
        captures[v.capture] = v.capture if by_copy else "&" + v.capture
        (body.note_write if v in child.writes else body.note_read)(v)
        if by_copy and not v.pointer:
            child.reads.discard(v)
    parameters = f"u64 {parameter}" if parameter else ""
    lines = [f"[{', '.join(sorted(captures.values()))}]({parameters}) -> u64 {{"]
    lines += ["  " * body.indent + line for line in child.lines]
    lines.append("  " * body.indent + "}")
    return "\n".join(lines), child


def spawn_lambda(body):
    text, child = lambda_text(body, None)
    if body.rng.random() < 0.5 or body.overlapping:
        body.emit(f"cilk_spawn {text}();")
        body.accept(child)
    else:
        var = Var(body.program.name("v"), kinds.U64)
        body.emit(f"u64 {var.name} = cilk_spawn {text}();")
        body.accept(child)
        body.add(var)
        body.give(var, PENDING)


def named_lambda(body):
    """A lambda in a variable, to be called and spawned later in this block."""
    text, child = lambda_text(body, body.program.name("a"))
    name = body.program.name("l")
    body.emit(f"auto {name} = {text};")
    itself = Var(name, kinds.Kind("lambda", "lambda", copyable=False), readonly=True)
    itself.state = FREE
    body.scopes[-1].append(itself)
    captures = [(v, PENDING if v in child.writes else SHARED)
                for v in sorted(child.reads | child.writes, key=lambda v: v.name)]
    body.callees.append(Callee(name, kinds.U64, [Param(kinds.U64, "value")], child.threw,
                               child.cost,
                               captures=[*captures, (itself, SHARED)]))


