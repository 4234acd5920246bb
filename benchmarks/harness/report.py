"""What the runs say: medians with their spread, ratios pair by pair, and the control for two
workers; as text and for JSON."""
import statistics

ENOUGH = 1.95  # of 2: a round in which two independent processes ran this well beside each other


def median(values):
    return statistics.median(values)


class Runs:
    """The runs by program and variant, in the order of the rounds."""

    def __init__(self, runs):
        self.by_key = {}
        for run in runs:
            self.by_key.setdefault((run["program"], run["variant"]), []).append(run)

    def get(self, program, variant, figure="seconds"):
        """A figure of each round, or nothing if the variant was left out."""
        return [run[figure] for run in self.by_key.get((program, variant), [])]

    def ratios(self, program, above, below, figure="seconds"):
        """A ratio for each round; both of a round ran within seconds of each other."""
        return [a / b for a, b in zip(self.get(program, above, figure),
                                      self.get(program, below, figure)) if b]


def control(runs, program):
    """T1/T2 in all rounds, and in those in which the machine gave two processors, which the control
    says and not T1/T2 itself."""
    speedups = runs.ratios(program, "cilk 1", "cilk 2")
    given = [2 * ratio for ratio in runs.ratios(program, "cilk 1", "cilk 1, two at once")]
    if not speedups or not given:
        return None
    copies = runs.get(program, "cilk 1, two at once", "seconds_a_copy")
    together = [copy / (2 * two) for copy, two in zip(copies, runs.get(program, "cilk 2"))]
    quiet = [speedup for speedup, machine in zip(speedups, given) if machine >= ENOUGH]
    return {"t1_over_t2": median(speedups), "machine_gives": median(given), "rounds": len(speedups),
            "quiet_rounds": len(quiet),
            "t1_over_t2_quiet": median(quiet) if quiet else None,
            "against_two_processes": median(together)}


def summary(programs, runs, quick):
    """For each program: a row a variant, with its ratios, and the control."""
    result = {}
    for program in programs:
        rows = {}
        for variant in program.variants:
            seconds = runs.get(program.name, variant.key)
            if not seconds:
                continue
            baseline = program.baseline(variant)
            row = rows[variant.key] = {
                "size": program.size_of(variant, quick), "median": median(seconds),
                "least": min(seconds), "most": max(seconds),
                "peak_kib": median(runs.get(program.name, variant.key, "peak_kib")),
                "cpu_seconds": median(runs.get(program.name, variant.key, "cpu_seconds")),
            }
            against = runs.ratios(program.name, variant.key, baseline)
            is_serial = variant.model.startswith("serial")
            if variant.workers == 1 and variant.copies == 1 and not is_serial and against:
                row["overhead"] = median(against)
                if program.spawns:
                    base = runs.get(program.name, baseline)
                    more = median([a - b for a, b in zip(seconds, base)])
                    row["ns_a_spawn"] = 1e9 * more / program.spawns(row["size"])
            one = f"{variant.key[:-2]} 1"
            speedups = runs.ratios(program.name, one, variant.key) if variant.workers == 2 else []
            if speedups:
                row["speedup"] = median(speedups)
            if variant.workers > 2:
                nothing = [float("nan")]
                two, cpu = (runs.ratios(program.name, variant.key, f"{variant.model} 2"),
                            runs.ratios(program.name, variant.key, "serial", "cpu_seconds"))
                row["against_2_workers"] = median(two or nothing)
                row["cpu_against_serial"] = median(cpu or nothing)
        extra = {
            "T1 against the serial run with both calls kept": ("cilk 1", "serial, both calls kept"),
            "full fence against asymmetric": ("cilk full fence 1", "cilk 1"),
            "cilk 2 against OpenMP static 2": ("cilk 2", "static 2"),
            "cilk 2 against OpenMP dynamic 2": ("cilk 2", "dynamic 2"),
            "cilk 2 against oneTBB's loop 2": ("cilk 2", "tbb-loop 2"),
        }
        ratios = {name: runs.ratios(program.name, *pair) for name, pair in extra.items()}
        extra = {name: median(ratio) for name, ratio in ratios.items() if ratio}
        result[program.name] = {"variants": rows, "ratios": extra,
                                "control": control(runs, program.name)}
    return result


def cell(row, name, form):
    value = row.get(name)
    return form.format(value) if value is not None and value == value else ""


def print_summary(result):
    for program, parts in result.items():
        if not parts["variants"]:
            continue
        print(f"\n{program:25}     size   median/ms      least       most  peak/MiB   cpu/ms  "
              "T/Tserial  ns/spawn   T1/T2  T/T2  CPU/serial")
        for key, row in parts["variants"].items():
            print(f"  {key:23} {row['size']:>8} {row['median'] * 1e3:>11.3f} "
                  f"{row['least'] * 1e3:>10.3f} {row['most'] * 1e3:>10.3f} "
                  f"{row['peak_kib'] / 1024:>9.1f} {row['cpu_seconds'] * 1e3:>8.0f}  "
                  f"{cell(row, 'overhead', '{:.3f}'):>9} "
                  f"{cell(row, 'ns_a_spawn', '{:.2f}'):>9} {cell(row, 'speedup', '{:.3f}'):>7} "
                  f"{cell(row, 'against_2_workers', '{:.2f}'):>5} "
                  f"{cell(row, 'cpu_against_serial', '{:.3f}'):>11}")
        for name, value in parts["ratios"].items():
            print(f"  {name}: {value:.3f}")
        if parts["control"]:
            figures = parts["control"]
            quiet = f"{figures['t1_over_t2_quiet']:.3f}" if figures["quiet_rounds"] else "none"
            print(f"  T1/T2 {figures['t1_over_t2']:.3f} over {figures['rounds']} rounds, when two "
                  "independent processes together gave "
                  f"{figures['machine_gives']:.3f}; over the {figures['quiet_rounds']} rounds in "
                  f"which they gave at least {ENOUGH}: {quiet}")
            if "against_two_processes" in figures:  # not in older files
                print(f"  two workers did {figures['against_two_processes']:.3f} times as much in "
                      "a second as these two processes")
