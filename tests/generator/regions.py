"""Sync regions, try blocks and their handlers."""

import statements

TYPED = ["const Fail &fail", "const Counted &fail", "Fail fail", "int number",
         "const std::exception &error"]
NUMBERS = {"fail": "fail.number", "number": "(u64)number", "error": "use_Text(error.what())"}


def spawning_region(body, size=None):
    """A try block or a cilk_scope with spawns."""
    size = size or body.rng.randrange(1, 5)
    if body.in_c or not body.program.exceptions or body.rng.random() < 0.3:
        scope(body, size)
    else:
        try_block(body, size)


def scope(body, size):
    """A cilk_scope, which a jump may leave."""
    with body.sync_region("cilk_scope"):
        statements.mixture(body, size)


def guarded(body):
    """A try block that does not spawn, in a function that may, perhaps with children
    outstanding."""
    if body.in_c or not body.program.exceptions:
        return
    spawning, body.spawning = body.spawning, False
    watched(body, body.rng.randrange(1, 4), body.block)
    body.spawning = spawning


def try_block(body, size):
    watched(body, size, body.sync_region)


def watched(body, size, block):
    """A try block and its handlers."""
    rng = body.rng
    outer, threw, before = body.throw_ok, body.threw, body.states()
    tracker, children = set(), body.children_may_throw
    body.trackers.append(tracker)
    body.throw_ok, body.threw = True, False
    with block("try"):
        statements.mixture(body, size)
    body.trackers.pop()
    body.throw_ok = outer
    thrown, body.threw = body.threw, threw
    after, dead = body.states(), body.dead
    body.dead = False
    headers = rng.sample(TYPED, rng.choice([0, 0, 1, 2]))
    # The more general type after the other.
    headers.sort(key=lambda text: "Counted" not in text)
    escapes = outer and thrown and rng.random() < 0.4
    if not escapes or rng.random() < 0.4 or not headers:
        headers.append("...")
    else:
        body.threw = True
    for header in headers:
        dead &= handler(body, header, tracker, outer)
    body.restore(after)
    body.join(before)
    body.children_may_throw |= children
    body.dead = dead


def handler(body, header, tracker, outer):
    """Gives a known value to what the try block may have written; true if control does not get past
    it."""
    rng = body.rng
    body.emit(f"catch ({header}) {{")
    body.indent += 1
    name = header.split()[-1].strip("&")
    number = NUMBERS.get(name, "caught()")
    if body.calm:
        body.emit(f"{body.calm}.check(true);")
    reset(body, tracker, number)
    form = rng.random()
    ended = False
    if outer and form < 0.15:
        body.emit("throw;")
        body.threw = ended = True
    elif outer and form < 0.3:
        body.emit(f"throw Fail{{mix({number}, {body.number()}u)}};")
        body.threw = ended = True
    elif form < 0.45 and body.may_return and not any(True for v in body.dying(2)):
        body.emit("return;" if body.ret is None else f"return {body.ret.make(number)};")
        ended = True
    body.indent -= 1
    body.emit("}")
    return ended


def reset(body, tracker, number):
    """What a try block may have written gets a known value."""
    visible = body.all_vars()
    for v in sorted(tracker, key=lambda v: v.name):
        if v not in visible or v.kind.group == "lambda":
            continue
        if v.length:
            body.emit(f"for (int i = 0; i < {v.length}; ++i) {v.name}[i] = {v.kind.make(number)};"
                      if v.by_index else
                      f"for ({v.kind.name} &element : {v.name}) element = {v.kind.make(number)};")
        else:
            body.emit(f"{v.name} = {v.kind.make(number)};")
        body.note_write(v)
