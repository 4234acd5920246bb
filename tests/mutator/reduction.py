"""Makes a failing mutant small: leaves out mutations as long as it fails in the same way (delta debugging)."""

import time

import mutate


def kind(failure):
    """How it fails: not in which words, which change with the program."""
    what, setting = failure
    if setting is not None:
        return "run"
    return what.split("error:")[-1][:40] if "error:" in what else what[:30]


def reduce(mutant, minutes):
    """The reduced source, or None if the failure does not come again."""
    end, wanted = time.monotonic() + minutes * 60, kind(mutant.failure)
    setting, source = mutant.failure[1], mutant.source
    failure, again = mutant.failure, mutant.again
    deterministic = setting and setting[0] == 1
    mutant.source = source.with_name(f"{source.stem}.reduced{source.suffix}")

    def fails(mutations):
        passed = mutant.check(mutations, [setting] if setting else [], 1 if deterministic else 8)
        return passed is False and kind(mutant.failure) == wanted

    left = mutant.mutations
    result = None
    if fails(left):
        size = max(len(left) // 2, 1)
        while time.monotonic() < end:
            at, before = 0, len(left)
            while at < len(left) and time.monotonic() < end:
                trial = left[:at] + left[at + size:]
                if trial and fails(trial):
                    left = trial
                else:
                    at += size
            if size == 1 and len(left) == before:
                break
            size = max(size // 2, 1)
        mutant.source.write_bytes(mutate.render(mutant.original.text, left))
        result = mutant.source
    mutant.source, mutant.mutations, mutant.failure, mutant.again = source, left, failure, again
    return result


def shown(mutant):
    """The lines of the original that a reduced mutant changes."""
    old = mutant.original.text.decode(errors="replace").splitlines()
    new = mutate.render(mutant.original.text, mutant.mutations).decode(errors="replace").splitlines()
    return [f"    {number}: {b.strip()}" for number, (a, b) in enumerate(zip(old, new), 1) if a != b]
