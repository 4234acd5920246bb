"""What a recording's numbers are, before anybody judges them: medians over the rounds, work, span,
laws and predictions. Deterministic; the standard library alone."""
import math
from collections import Counter
from statistics import median, median_high, median_low

# Cilkview's and Cilkscale's estimate: T_P <= T1/P + (1 - 1/P) * 1.7 * burdened span.
BURDEN_FACTOR = 1.7
MOST_PREDICTED = 64
LEAST_SITE_WORK_NS = 40_000_000  # sampled every 2 to 8 ms
LEAST_THREADS = 0.1  # of all work, that makes the span of the first thread say little


class Figures:
    def __init__(self, recording):
        self.recording = recording
        self.processors = recording.get("processors") or 1
        self.span = recording.get("span")
        self.runs = {}
        for run in recording["runs"]:
            self.runs.setdefault(run["workers"], []).append(run)
        self.counts = sorted(self.runs)
        within = [count for count in self.counts if count <= self.processors]
        self.full = within[-1] if within else self.counts[0]  # the count that is judged
        self.most = self.counts[-1]

    def of(self, workers, *keys):
        """The median over the rounds of a number in a run; None if no run has it."""
        values = []
        for run in self.runs.get(workers, ()):
            value = run
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                values.append(value)
        return median(values) if values else None

    def total(self, workers, name):
        return self.of(workers, "statistics", "total", name) or 0

    def summary(self, workers, name):
        return self.of(workers, "statistics", "summary", name) or 0

    def wall(self, workers):
        return self.of(workers, "wall_ns")

    # Speed-up.

    def t1(self):
        """Of one worker: measured, or the work of the exact record."""
        if 1 in self.runs:
            return self.wall(1)
        return self.span["program"]["work_ns"] if self.measured_span() else None

    def speedups(self):
        one = self.t1()
        return {count: one / self.wall(count) for count in self.counts} if one else {}

    def machine_factor(self):
        """How much longer an independent copy takes when one runs on each processor; 1 if unknown.
        Wall-clock time, so that other programs count, which slow the workers as well."""
        copies = self.recording.get("copies") or []
        if not copies or 1 not in self.runs:
            return 1.0
        return max(1.0, median(run["wall_ns"] for run in copies) / self.wall(1))

    def machine_inflation(self):
        """The same of processor time: shared caches and memory, and no other programs."""
        copies = self.recording.get("copies") or []
        one = self.of(1, "cpu_ns")
        if not copies or not one:
            return 1.0
        return max(1.0, median(run["cpu_ns"] for run in copies) / one)

    def serial_fraction(self):
        """Span over work: exact; or fitted to the measured times; or None. And which."""
        if self.measured_span():
            program = self.span["program"]
            return min(1.0, program["span_ns"] / max(1, program["work_ns"])), "measured"
        one = self.t1()
        rows = [(count, one / self.wall(count)) for count in self.counts
                if 1 < count <= self.processors] if one else []
        if not rows:
            return None, None
        # T_P/T1 = 1/P + (1 - 1/P) x: least squares for x.
        above = sum((1 / speedup - 1 / count) * (1 - 1 / count) for count, speedup in rows)
        below = sum((1 - 1 / count) ** 2 for count, _ in rows)
        return min(1.0, max(0.0, above / below)), "fitted"

    def estimate(self):
        """Work, span in ns and parallelism as the runtime's statistics bound them, of the runs with
        most workers, which see most (docs/statistics.md): {"work": (least, most), ...}; None is
        no bound. None if no run has it."""
        runs = self.recording.get("wide") or self.runs[self.most]
        verdicts = [run["statistics"].get("verdict", {}) for run in runs]
        found = {}
        for name, suffix in (("work", "_ns"), ("span", "_ns"), ("parallelism", "")):
            least = [verdict.get(f"{name}_least{suffix}") for verdict in verdicts]
            most = [verdict.get(f"{name}_most{suffix}", math.inf) for verdict in verdicts]
            if None in least:
                return None
            most = median_high(most)
            found[name] = (median_low(least), None if most == math.inf else most)
        return found

    def burdened_fraction(self):
        if not self.measured_span():
            return None
        program = self.span["program"]
        return min(1.0, program["burdened_span_ns"] / max(1, program["work_ns"]))

    @staticmethod
    def predict(fraction, count):
        """The speed-up of a greedy scheduler: T_P = T1/P + (1 - 1/P) * Tinf."""
        return 1 / (1 / count + (1 - 1 / count) * fraction)

    def predictions(self):
        fraction, how = self.serial_fraction()
        bounds = None if self.measured_span() else self.estimate()
        if fraction is None and bounds is None:
            return None
        burdened = self.burdened_fraction()
        rows = []
        counts = sorted({1, 2, 4, 8, 16, 32, MOST_PREDICTED, *self.counts})
        for count in counts:
            row = {"workers": count, "work_law": count}
            if fraction is not None:
                row["span_law"] = min(count, 1 / fraction) if fraction > 0 else count
                row["expected"] = self.predict(burdened or fraction, count)
            if bounds is not None:
                least, most = bounds["parallelism"]
                row["at_least"] = self.predict(1 / least, count)
                row["at_most"] = min(count, most or count)
                row.pop("span_law", None)  # a guess, where the bounds are none
                if "expected" in row:
                    row["expected"] = min(max(row["expected"], row["at_least"]), row["at_most"])
            if burdened is not None:
                row["burdened_bound"] = self.predict(min(1, BURDEN_FACTOR * burdened), count)
            rows.append(row)
        return {"how": how or "estimated", "rows": rows}

    # Time.

    def time_shares(self, workers):
        """Of all workers' time from the program's start to its end."""
        wall = self.of(workers, "statistics", "elapsed_ns") or 0
        before = self.summary(workers, "before_start_ns")
        working, stealing = self.total(workers, "working_ns"), self.total(workers, "stealing_ns")
        whole = max(workers * wall, working + stealing, 1) + before * workers
        work = (working + before) / whole
        search = stealing / whole
        return {"work": work, "search": search, "idle": max(0.0, 1 - work - search)}

    def worker_rows(self, workers):
        """Milliseconds of each worker, of the run whose time is the median. What ran before the
        first spawn is worker 0's."""
        runs = sorted(self.runs[workers], key=lambda run: run["wall_ns"])
        statistics = runs[(len(runs) - 1) // 2]["statistics"]
        before = before_start_ns(statistics)
        elapsed = statistics["elapsed_ns"] + before
        rows = []
        for worker in statistics["workers"]:
            work, search = worker["working_ns"], worker["stealing_ns"]
            work += before if worker["index"] == 0 else 0
            rows.append({"worker": worker["index"], "work_ms": work / 1e6,
                         "search_ms": search / 1e6,
                         "idle_ms": max(0, elapsed - work - search) / 1e6})
        return rows

    def site_work(self, workers):
        """Key of a site -> the median over the rounds of its work, as sampled."""
        found = {}
        for run in self.runs.get(workers, ()):
            for key, site in sites_of(run["statistics"]).items():
                if "work_ns" in site:
                    found.setdefault(key, []).append(site["work_ns"])
        return {key: median(values) for key, values in found.items()}

    def site_inflation(self):
        """Key of a site -> its work with `full` workers / with one, where both were sampled often
        enough."""
        if self.full == 1:
            return {}
        one, many = self.site_work(1), self.site_work(self.full)
        return {key: many[key] / one[key] for key in one
                if min(one[key], many.get(key, 0)) >= LEAST_SITE_WORK_NS}

    def work_inflation(self):
        """Processor time of work with `full` workers / with one."""
        if 1 not in self.runs or self.full == 1:
            return 1.0
        one, many = self.total(1, "working_cpu_ns"), self.total(self.full, "working_cpu_ns")
        if not one or not many:
            return 1.0
        return many / one

    def is_span_rough(self):
        """Most of the work is of strands too short to be measured one by one, so the span is an
        upper bound (docs/span.md)."""
        span = self.span or {}
        return 2 * span.get("shared_ns", 0) > span.get("program", {}).get("work_ns", 0)

    def threads_work_ns(self):
        """What other threads than the first ran, which the program's work and span leave out."""
        return sum(one["work_ns"] for one in (self.span or {}).get("threads", ()))

    def is_span_partial(self):
        work = (self.span or {}).get("program", {}).get("work_ns", 0)
        return self.threads_work_ns() > LEAST_THREADS * (work + self.threads_work_ns())

    def measured_span(self):
        return None if self.is_span_rough() or self.is_span_partial() else self.span

    def elapsed_ns(self):
        """With `full` workers, from the load of the library."""
        return ((self.of(self.full, "statistics", "elapsed_ns") or 0) +
                self.summary(self.full, "before_start_ns"))

    def inflation_loss(self, inflation):
        """Percent of the processors' time that work costs which takes `inflation` times as long."""
        work = self.total(self.full, "working_cpu_ns")
        share = min(1.0, work / max(1, self.full * self.elapsed_ns())) if work else 1.0
        return 100 * share * (1 - 1 / inflation)

    # Steals.

    def steals(self, workers):
        """The matrix thief x victim, summed over the rounds; None if the runs have none."""
        size = 0
        cells = {}
        for run in self.runs.get(workers, ()):
            for worker in run["statistics"]["workers"]:
                for victim, count in enumerate(worker.get("steals_from", ())):
                    cells[worker["index"], victim] = cells.get((worker["index"], victim), 0) + count
                    size = max(size, worker["index"] + 1, victim + 1)
        if not size:
            return None
        return [[cells.get((thief, victim), 0) for victim in range(size)] for thief in range(size)]

    # Sites.

    def sites(self):
        """Sites of all runs and of the exact record, joined by key; heaviest first."""
        rows = {}
        inflation, sampled = self.site_inflation(), self.site_work(self.full)
        for run in self.runs[self.full]:
            for key, site in sites_of(run["statistics"]).items():
                row = rows.setdefault(key, new_row(site))
                row["steals"].append(site["steals"])
                row["stolen_ns"].append(site.get("stolen_ns", 0))
                row["longest_alone_ns"].append(site.get("alone_longest_ns", 0))
        exact = {key_of(site): site for site in (self.span or {}).get("sites", ())
                 if site["kind"] != "program"}
        site_of = joined(exact, list(rows))
        used = [id(site) for site in site_of.values()]
        for key, site in exact.items():
            if id(site) not in used:
                rows[key], site_of[key] = new_row(site), site
        result = []
        for key, row in rows.items():
            for name in ("steals", "stolen_ns", "longest_alone_ns"):
                row[name] = median(row[name]) if row[name] else 0
            row["sampled_ns"], row["inflation"] = sampled.get(key), inflation.get(key)
            site = site_of.get(key)
            if site:
                row.update(self.exact_of(site), kind=site["kind"], spawns=site["count"])
            result.append(row)
        result.sort(key=lambda row: (-(row.get("own_ns") or 0), -(row["sampled_ns"] or 0),
                                     -row["stolen_ns"], -row["steals"], row["place"]))
        return result

    def outside(self):
        """The exact record's row of what is outside of all spawns."""
        for site in (self.span or {}).get("sites", ()):
            if site["kind"] == "program":
                return site
        return None

    def outside_row(self):
        """As one of `sites`; None without an exact record."""
        site = self.outside()
        if site is None:
            return None
        return {"place": "outside of all spawns", "function": "", "steals": 0, "stolen_ns": 0,
                "sampled_ns": None, "inflation": None, **self.exact_of(site)}

    def exact_of(self, site):
        """What a row has of the exact record's site."""
        span = max(1, self.span["program"]["span_ns"])
        return {"work_ns": site["work_ns"], "own_ns": site["own_ns"],
                "on_span_ns": site["on_span_ns"], "span_share": site["on_span_ns"] / span,
                "if_parallel": site.get("parallelism_if_parallel")}

    # Memory.

    def memory(self):
        rows = []
        for count in self.counts:
            peak = self.of(count, "statistics", "total", "stacks", "peak_resident_bytes")
            bound = self.of(count, "statistics", "segments", "space_bound_bytes")
            deepest = self.of(count, "statistics", "segments", "deepest_path_bytes")
            if peak is not None:
                rows.append({"workers": count, "peak_bytes": peak, "bound_bytes": bound,
                             "serial_bytes": deepest,
                             "process_bytes": self.of(count, "max_rss_bytes")})
        return rows


def before_start_ns(statistics):
    """From the load of the library until the first spawn."""
    return statistics.get("summary", {}).get("before_start_ns", 0)


def key_of(site):
    """(file, function, line, column) or, without lines, (file, function, index, None). Instances of
    a template differ in the function, and files of one name in the folder."""
    if site["line"]:
        return site["file"], site["function"], site["line"], site["column"]
    return site["file"], site["function"], site.get("index", 0), None


def line_of(key):
    """Of a site in any build: the folder and the column may differ, and the function if the site
    was inlined."""
    return key[0].rsplit("/", 1)[-1], key[1] if key[3] is None else None, key[2]


def sites_of(statistics):
    """Key -> site of one run. Sites of one key, such as a header's static function has in each
    file, are one."""
    found = {}
    for site in statistics["sites"]:
        one = found.setdefault(key_of(site), {})
        for name, value in site.items():
            if name.endswith("_longest_ns"):
                one[name] = max(one.get(name, 0), value)
            elif name == "steals" or name.endswith("_ns"):
                one[name] = one.get(name, 0) + value
            else:
                one[name] = value
    return found


def joined(exact, keys):
    """Key of a site of the runs -> its site in `exact`: of the same key, or of the same line if
    both have only one there."""
    by_line, lines = {}, Counter(map(line_of, keys))
    for key in exact:
        by_line.setdefault(line_of(key), []).append(key)
    found = {}
    for key in keys:
        there = by_line.get(line_of(key), ())
        if key in exact:
            found[key] = exact[key]
        elif len(there) == 1 and lines[line_of(key)] == 1:
            found[key] = exact[there[0]]
    return found



def place_of(site):
    file = site["file"].rsplit("/", 1)[-1]
    return f"{file}:{site['line']}" if site["line"] else f"{file}#{site.get('index', 0)}"


LONGEST_NAME = 60


def without_inside(name, opening, closing):
    """The name with what stands between the outermost two replaced by "..."."""
    result, depth = "", 0
    for i, letter in enumerate(name):
        is_bracket = not name[:i].endswith("operator") and name[i - 1:i + 1] != "->"
        if letter == closing and is_bracket and depth > 0:
            depth -= 1
            if depth == 0 and name[i - 1] != opening:
                result += "..."
        if depth == 0:
            result += letter
        if letter == opening and is_bracket:
            depth += 1
    return result if depth == 0 else name


def short_name(name):
    """A function's name for a table, as the runtime's own table has it (stats/names.cpp)."""
    for brackets in ("<>", "()"):
        if len(name) > LONGEST_NAME:
            name = without_inside(name, *brackets)
    return name if len(name) <= LONGEST_NAME else "..." + name[3 - LONGEST_NAME:]


def new_row(site):
    return {"place": place_of(site), "function": short_name(site["function"]),
            "full_name": site["function"], "steals": [], "stolen_ns": [], "longest_alone_ns": []}
