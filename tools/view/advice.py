"""Names what is wrong, from the figures of a recording: pathology, site, numbers, remedy. One rule
a function; README.md, "The pathologies", says what each one needs. Deterministic."""
from collections import Counter

from .figures import Figures

# Percent of the processors' time that a pathology must cost to be named: kLeastPercent of the
# runtime (runtime/src/stats/verdict.cpp).
LEAST_LOST = 15
LEAST_INFLATION = 1.25  # work with P workers / work with one, beyond what independent copies show
LEAST_MEMORY = 1.3      # processor time of one of P independent copies / of one alone
FEW_CHILDREN = 4        # a worker: fewer children of the heaviest site than that are too few
ONE_VICTIM_SHARE = 0.8
ONE_VICTIM_STEALS = 100  # a round
ASSUMED_STEAL_NS = 2500  # what a steal costs where the exact record has not measured it
SHORTEST_RUN_NS = 10_000_000
LONG_ITEM = 8            # times the mean leaf
LAST_VICTIM = 63         # of steals_from, which stands for all from there on
STEADY = 1.3             # the slowest round / the fastest, below which nothing is said of it

# Causes of the runtime's own verdict (docs/statistics.md) -> names here.
FROM_RUNTIME = {"serial_start": "serial part", "serial_part": "serial part",
                "serial_end": "serial part", "long_strand": "one long item",
                "too_fine": "grain too fine", "blocked": "blocked workers",
                "too_little_parallelism": "too little parallelism"}

REMEDY = {
    "grain too fine": "Spawn larger pieces: stop spawning where a piece takes less than some tens "
                      "of nanoseconds, or let cilk_for choose the grain.",
    "grain too coarse": "Divide the work into more pieces: about ten for each worker let the "
                        "scheduler even them out.",
    "serial part": "Spawn what runs there too, or overlap it with the parallel work.",
    "one long item": "Divide the long item into spawns of its own, or start it first.",
    "blocked workers": "Hold the lock for less time, give each strand data of its own and join it "
                       "with a reducer, or move waiting out of the parallel part.",
    "contention": "Do not write to one cache line from many workers: keep a value for each strand, "
                  "such as a reducer, and pad neighbours to 128 bytes.",
    "memory bandwidth": "Touch less memory: work on blocks that fit the cache, fuse passes, use "
                        "smaller types. More processors do not help.",
    "one victim": "Divide in halves instead of one piece after the other, with cilk_for or a "
                  "recursion, so that a stolen piece can be stolen from again.",
    "oversubscription": "Use at most as many workers as processors: leave CILK_NWORKERS unset.",
    "too little parallelism": "Find more that can run at once: look at the site with the largest "
                              "share of the span.",
}


def percent(part):
    """Of a share. What was measured may lie a little outside of 0 to 1; what is said does not."""
    return max(0, min(100, round(100 * part)))


def finding(name, lost, evidence, site=None):
    return {"name": name, "lost_percent": lost, "site": site, "evidence": evidence,
            "remedy": REMEDY[name]}


def victim(number, head="worker "):
    return f"{head}{number}{' and up' if number == LAST_VICTIM else ''}"


def ms(ns):
    return f"{ns / 1e6:,.1f} ms"


def runtime_cause(figures):
    """The cause that most rounds' statistics name, and the verdict of the first of them."""
    verdicts = [run["statistics"].get("verdict") for run in figures.runs[figures.full]]
    verdicts = [verdict for verdict in verdicts if verdict]
    if not verdicts:
        return None, None
    cause, votes = Counter(verdict["cause"] for verdict in verdicts).most_common(1)[0]
    if 2 * votes <= len(verdicts) and len(verdicts) > 1:
        return None, None
    return cause, next(verdict for verdict in verdicts if verdict["cause"] == cause)


def span_loss(figures):
    """Percent of the processors' time that the span alone costs a greedy scheduler."""
    fraction = figures.span["program"]["span_ns"] / max(1, figures.span["program"]["work_ns"])
    count = max(figures.full, 2)
    return percent((count - 1) / count * fraction * figures.predict(fraction, count)), count


def idleness_from_span(figures):
    """Exact: what on the span keeps workers idle."""
    lost, count = span_loss(figures)
    if lost < LEAST_LOST:
        return
    program = figures.span["program"]
    span = max(1, program["span_ns"])
    outside = figures.outside()
    sites = [row for row in figures.sites() if row.get("spawns")]
    heaviest = max(sites, key=lambda row: row["on_span_ns"], default=None)
    head = (f"The span is {ms(span)} of {ms(program['work_ns'])} work: parallelism "
            f"{program['parallelism']:.1f}, so {count} workers idle {lost} % of the time.")
    if outside and (heaviest is None or outside["on_span_ns"] > heaviest["on_span_ns"]):
        yield finding("serial part", lost, head + f" {ms(outside['on_span_ns'])} of the span "
                      "are outside of all spawns" + where_outside(figures) + ".")
        return
    if heaviest is None:
        return
    mean = heaviest["own_ns"] / max(1, heaviest["spawns"])
    place = f"{heaviest['place']} in {heaviest['function']}"
    if heaviest["spawns"] < FEW_CHILDREN * count:
        yield finding("grain too coarse", lost, head + f" {place} has only {heaviest['spawns']} "
                      f"children of {ms(mean)} each for {count} workers.", heaviest["place"])
        return
    cause, _ = runtime_cause(figures)
    is_long = heaviest["on_span_ns"] >= LONG_ITEM * mean and (
        heaviest["kind"] == "loop" or cause == "long_strand")
    if is_long and cause != "too_little_parallelism":
        yield finding("one long item", lost, head + f" The longest way through {place} takes "
                      f"{ms(heaviest['on_span_ns'])}; its mean item takes {ms(mean)}.",
                      heaviest["place"])
        return
    yield finding("too little parallelism", lost, head + f" {percent(heaviest['span_share'])} % of "
                  f"the span is work of {place}, which was spawned {heaviest['spawns']:,} times.",
                  heaviest["place"])


def where_outside(figures):
    parts = {"before the first spawn": figures.summary(figures.full, "before_start_ns"),
             "after all that others ran": figures.summary(figures.full, "after_last_join_ns")}
    name, most = max(parts.items(), key=lambda item: item[1])
    return f", most of them {name}" if most > figures.outside()["on_span_ns"] / 2 else ""


def from_runtime(figures, is_span_known):
    """What the statistics of single runs say; of idle workers only if the span is not known."""
    cause, verdict = runtime_cause(figures)
    name = FROM_RUNTIME.get(cause)
    if name is None or (is_span_known and cause not in ("too_fine", "blocked")):
        return
    if cause == "blocked" and not is_blocked(figures):
        return
    site = verdict.get("site")
    yield finding(name, verdict["lost_percent"],
                  f"{verdict['sentence'].split(': ', 1)[0]}: {verdict['advice']}.", site)


def is_blocked(figures):
    """Waiting shows as work that took no processor, more than with one worker."""
    def waited(count):
        working = figures.total(count, "working_ns") - figures.summary(count, "working_wait_ns")
        return 1 - figures.total(count, "working_cpu_ns") / max(1, working)
    return waited(figures.full) >= LEAST_LOST / 100


def contention(figures):
    inflation = figures.work_inflation() / figures.machine_inflation()
    lost = figures.inflation_loss(inflation)
    if figures.full < 2 or inflation < LEAST_INFLATION or lost < LEAST_LOST:
        return
    sites = figures.sites()
    grown = max((row for row in sites if row["inflation"]), key=growth, default=None)
    site, where = None, ""
    if grown and growth(grown) > 0:
        site = grown["place"]
        where = (f", {ms(growth(grown))} more of {ms(grown['sampled_ns'])} at {site} in "
                 f"{grown['function']}")
    elif sites:
        site = sites[0]["place"]
        where = f", most of it below {site} in {sites[0]['function']}"
    yield finding("contention", round(lost),
                  f"The same work takes {figures.work_inflation():.2f} times the processor time on "
                  f"{figures.full} workers{where}; independent copies of the program take "
                  f"{figures.machine_inflation():.2f} times. So workers slow each other down by "
                  "data that they share: an atomic, a spin lock, or neighbours in a cache line.",
                  site)


def growth(site):
    """By how much the work of a site grows with the workers, in nanoseconds."""
    return site["sampled_ns"] * (1 - 1 / site["inflation"])


def memory_bandwidth(figures):
    inflation = figures.machine_inflation()
    lost = figures.inflation_loss(inflation)
    if inflation >= LEAST_MEMORY and lost >= LEAST_LOST:
        yield finding("memory bandwidth", round(lost),
                      f"{figures.full} independent copies of the program, one worker each, take "
                      f"{inflation:.2f} times the processor time of one alone: they share caches "
                      "and memory.")


def one_victim(figures):
    count = figures.most
    matrix = figures.steals(count)
    if matrix is None or count < 3:
        return
    rounds = len(figures.runs[count])
    received = [sum(row[victim] for row in matrix) for victim in range(len(matrix))]
    steals = sum(received)
    if steals < ONE_VICTIM_STEALS * rounds:
        return
    most = max(range(len(received)), key=received.__getitem__)
    share = received[most] / steals
    if share < ONE_VICTIM_SHARE or most == LAST_VICTIM:
        return
    work = figures.total(count, "working_cpu_ns") or figures.total(count, "working_ns")
    each = work / (steals / rounds)
    cost = (figures.span or {}).get("burden_ns") or ASSUMED_STEAL_NS
    site = max(figures.sites(), key=lambda row: row["steals"], default=None)
    yield finding("one victim", None,
                  f"{percent(share)} % of {steals // rounds:,} steals took from worker {most}, "
                  f"{each / 1e3:,.1f} us of work each. One steal after the other at "
                  f"{cost / 1e3:.1f} us feeds {each / cost:,.0f} workers at most.",
                  site["place"] if site else None)


def oversubscription(figures):
    count = figures.most
    if count <= figures.processors:
        return
    waited = (figures.summary(count, "working_wait_ns") + figures.summary(count, "idle_wait_ns"))
    time = figures.total(count, "working_ns") + figures.total(count, "stealing_ns")
    lost = percent(waited / max(1, time))
    if lost < LEAST_LOST:
        return
    slower = ""
    if figures.full < count:
        ratio = figures.wall(count) / figures.wall(figures.full)
        slower = f" The program takes {ratio:.2f} times as long as with {figures.full} workers."
    yield finding("oversubscription", lost,
                  f"{count} workers share {figures.processors} processors: {lost} % of their time "
                  f"they wait for one.{slower}")


def is_too_short(figures):
    return figures.elapsed_ns() < SHORTEST_RUN_NS


def findings(figures):
    """Most expensive first; what only limits larger machines is last."""
    if is_too_short(figures) and not figures.span:
        return []
    found = []
    is_span_known = bool(figures.measured_span())
    if is_span_known:
        found += idleness_from_span(figures)
    found += from_runtime(figures, is_span_known)
    found += contention(figures)
    found += memory_bandwidth(figures)
    found += one_victim(figures)
    found += oversubscription(figures)
    by_name = {}
    for one in found:
        by_name.setdefault(one["name"], one)
    return sorted(by_name.values(), key=lambda one: -(one["lost_percent"] or 0))


def caveats(figures):
    """What makes the numbers of this recording doubtful."""
    said = []
    cause, verdict = runtime_cause(figures)
    if cause == "busy_machine":
        said.append("Other programs had the processors: the threads waited for one "
                    f"{verdict['lost_percent']} % of the time. Repeat on a quiet machine.")
    if is_too_short(figures):
        said.append(f"A run of {ms(figures.elapsed_ns())} is too short to judge: give the program "
                    "more to do.")
    walls = [run["wall_ns"] for run in figures.runs[figures.full]]
    if len(walls) > 2 and max(walls) > STEADY * min(walls):
        said.append(f"The slowest round took {max(walls) / min(walls):.1f} times as long as the "
                    "fastest.")
    given = {run["statistics"].get("nworkers", count): count
             for count, runs in figures.runs.items() for run in runs}
    for has, asked in given.items():
        if has != asked:
            said.append(f"Where {asked} workers were asked for the program had {has}: it sets "
                        "their number itself, or CILK_ADAPT=turns does, so the counts here mean "
                        "little.")
            break
    if figures.is_span_partial():
        said.append(f"{ms(figures.threads_work_ns())} of work are of other threads than the first: "
                    "what --span says of the whole program leaves them out, and is not used.")
    if figures.is_span_rough():
        said.append("Most strands are too short to be measured one by one: the span may be much "
                    "shorter, and the parallelism higher.")
    if figures.span and figures.span.get("unseen_spawn"):
        said.append(f"The spawn at {figures.span['unseen_spawn']} was compiled without "
                    "-fnopal-span: what it runs is not in the work and span.")
    if len(figures.counts) == 1:
        said.append("One worker count alone shows no speed-up: nopal-view run compares several.")
    if not figures.span:
        said.append("Without --span there is no work law of sites and no exact prediction.")
    return said


def summary(made):
    """For the terminal: the answers' sentences."""
    lines = [f"{answer['question']} {answer['sentence']}" for answer in made["answers"]]
    return "\n".join(lines)


def judge(recording):
    figures = Figures(recording)
    return figures, findings(figures), caveats(figures)
