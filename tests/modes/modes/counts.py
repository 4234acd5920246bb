"""Coverage and profiles: building instrumented programs, running them, and reading what they
counted."""

import re


def instrumented(job, compiler, options, folder, environment):
    """Builds in `folder` and runs there; returns the folder."""
    from . import builds
    where = job.folder / folder
    where.mkdir(parents=True, exist_ok=True)
    # Each file by itself, so that notes and data have the names that the tools look for.
    objects = []
    for source in builds.sources(job.language):
        objects.append(f"{source.stem}.o")
        job.run([compiler, *job.base(), *options, "-c", *job.files([source]), "-o", objects[-1]],
                cwd=where)
    link = [option for option in options if not option.startswith("-I")]
    job.run([compiler, *job.base(), *link, *objects, "-o", "program"], cwd=where)
    job.check_output(job.run([where / "program"], cwd=where,
                             environment={**environment,
                                          "LLVM_PROFILE_FILE": str(where / "raw.profraw")}))
    return where


def only_syncs(file, line):
    """Whether the line has a sync, or the end of a block with an implicit sync. The serial elision
    has no code there."""
    from . import builds
    text = (builds.PROGRAMS / file).read_text().splitlines()[line - 1]
    return "cilk_sync" in text or text.strip() == "}"


# Not loops.h: the head of a cilk_for runs once a leaf.
COUNTED = ("mixed.cpp", "mixed.c", "part.c", "keywords.h")


def gcov(job, compiler, options, folder, environment):
    """How often each line ran: {(file, line): count}, summed over the instances of templates."""
    where = instrumented(job, compiler, options, folder, environment)
    found = {}
    for notes in sorted(where.glob("*.gcno")):
        outcome = job.run([job.tool("llvm-cov"), "gcov", "-t", notes.name], cwd=where)
        file = None
        for line in outcome.stdout.decode().splitlines():
            match = re.match(r"\s*([^:]+):\s*(\d+):(.*)", line)
            if not match:
                continue
            count, number, text = match[1].strip(" *"), int(match[2]), match[3]
            if number == 0:
                if text.startswith("Source:"):
                    file = text[7:].rsplit("/", 1)[-1]
                continue
            if count == "-":
                continue
            value = 0 if set(count) & set("#=") else int(count)
            key = (notes.stem, file, number)
            found[key] = found.get(key, 0) + value
    return {key: value for key, value in found.items() if key[1] in COUNTED}


def source_lines(job, compiler, options, folder, environment):
    """How often each line ran, by the source's own regions: {(file, line): count}."""
    where = instrumented(job, compiler, options, folder, environment)
    job.run([job.tool("llvm-profdata"), "merge", "raw.profraw", "-o", "merged"], cwd=where)
    outcome = job.run([job.tool("llvm-cov"), "export", "--format=lcov", "--instr-profile=merged",
                       "program"], cwd=where)
    found, file = {}, None
    for line in outcome.stdout.decode().splitlines():
        if line.startswith("SF:"):
            file = line.rsplit("/", 1)[-1]
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")
            found[file, int(number)] = int(count)
    return {key: value for key, value in found.items() if key[0] in COUNTED}


def compare(job, serial, ours, environment):
    keys = sorted(serial.keys() | ours.keys(), key=str)
    different = [f"{key}: {ours.get(key)} instead of {serial.get(key)}" for key in keys
                 if ours.get(key) != serial.get(key)
                 and not (key not in serial or key not in ours) & only_syncs(*key[-2:])]
    if not serial:
        different.append("nothing was counted")
    if different:
        job.fail(f"{len(different)} counts differ with {environment}: " + "; ".join(different[:5]))


def merged_profile(job, options, folder, with_profiles=()):
    where = instrumented(job, job.compiler, options, folder, job.environments()[1])
    raw = sorted([*where.glob("*.profraw"), *with_profiles])
    merged = where / "merged.profdata"
    job.run([job.tool("llvm-profdata"), "merge", *raw, "-o", merged], cwd=where)
    return merged
