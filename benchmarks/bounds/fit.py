"""Spread, the fit of T_P = T1/P + c*Tinf, and what the counts of steals say. Used by run.py;
python3 fit.py tests itself."""
import statistics


def spread(values):
    low, middle, high = statistics.quantiles(values, n=4,
                                             method="inclusive") if len(values) > 1 else values * 3
    return {"lowest": min(values), "low": low, "median": middle, "high": high,
            "highest": max(values)}


def fit_span(points):
    """c that makes the relative errors of T_P = T1/P + c*Tinf least, in squares. points: (T_P,
    T1/P, Tinf)."""
    return sum((t - w) * s / t ** 2 for t, w, s in points) / sum((s / t) ** 2 for t, w, s in points)


def fit_both(points):
    """(a, c) of T_P = a*T1/P + c*Tinf, in the same sense: a is what a processor among several is
    worth less, and what a worker costs."""
    ww = sum((w / t) ** 2 for t, w, s in points)
    ss = sum((s / t) ** 2 for t, w, s in points)
    ws = sum(w * s / t ** 2 for t, w, s in points)
    w1, s1 = sum(w / t for t, w, s in points), sum(s / t for t, w, s in points)
    determinant = ww * ss - ws * ws
    return (w1 * ss - s1 * ws) / determinant, (s1 * ww - w1 * ws) / determinant


def timed(rows):
    return [row for row in rows if row["is_timed"] and row["workers"] > 1]


def points_of_round(rows, number):
    """One point a timed row, T1 and Tinf of the same round."""
    points = []
    for row in timed(rows):
        alone = next(r for r in rows
                     if (r["program"], r["number"], r["workers"]) == (row["program"], row["number"],
                                                                      1))
        t1 = alone["seconds"][number]
        points.append((row["seconds"][number], t1 / row["workers"], t1 * row["span"] / row["work"]))
    return points


def describe(rows):
    """Lines on the fit and on the counts."""
    lines = []
    rounds = len(rows[0]["seconds"])
    if len(timed(rows)) > 2:
        each = [points_of_round(rows, number) for number in range(rounds)]
        one = spread([fit_span(points) for points in each])
        both = [fit_both(points) for points in each]
        a, c = spread([b[0] for b in both]), spread([b[1] for b in both])
        show = lambda s: f"{s['median']:.2f} (quartiles {s['low']:.2f} to {s['high']:.2f})"
        lines.append(
            f"fit of T_P = T1/P + c*Tinf over {len(timed(rows))} rows, round by round: c = "
            f"{show(one)}")
        lines.append(f"fit of T_P = a*T1/P + c*Tinf: a = {show(a)}, c = {show(c)}")
    parallel = [row for row in rows if row["workers"] > 1]
    for what in ("steals", "attempts"):
        over = [row for row in parallel if row[what + "_spread"]["median"] > row["bound"]]
        worst = max(parallel, key=lambda row: row[what + "_spread"]["median"] / row["bound"])
        lines.append(f"{what}: median above P*Tinf in {len(over)} of {len(parallel)} rows"
                     + (": "
                        + ", ".join(f"{row['program']} {row['number']} P={row['workers']}"
                                    for row in over) if over else "")
                     + f"; highest share {worst[what + '_spread']['median'] / worst['bound']:.3f} "
                     f"({worst['program']} {worst['number']}, P = {worst['workers']})")
    # What the bound does not know: a thief looks by the clock, whether or not the owner has a
    # processor.
    for workers in sorted({row["workers"] for row in parallel}):
        mine = [row for row in parallel if row["workers"] == workers]
        searching, attempts = (sum(sum(row[what]) for row in mine)
                               for what in ("searching", "attempts"))
        steals = sum(sum(row["steals"]) for row in mine)
        running = sum(sum(row["seconds"]) for row in mine)
        lines.append(
            f"P = {workers}: {attempts / max(searching, 1e-9) / 1e6:.2f} attempts a microsecond of "
            "search; a worker searched "
                     f"{100 * searching / (running * workers):.1f} % of the time; "
                     f"{attempts / max(steals, 1):.1f} attempts a steal")
    return lines


if __name__ == "__main__":
    made_up = [(1.1 * w + 3 * s, w, s) for w, s in ((1, 0.1), (2, 0.01), (0.5, 0.2), (7, 1))]
    assert all(abs(x - y) < 1e-9 for x, y in zip(fit_both(made_up), (1.1, 3)))
    assert abs(fit_span([(w + 3 * s, w, s) for _, w, s in made_up]) - 3) < 1e-9
