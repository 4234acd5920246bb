"""Draws the figures of docs/policies.md as SVG, with the standard library alone. For run.py."""
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 360, 70, 48, 36, 130
COLOURS = {"random": "#1b6ca8", "nearest": "#d68910", "localized": "#c0392b",
           "hashing": "#2e8b57", "mugging": "#8e6bbf", "half": "#555555",
           "P^2 T'inf / 3": "#bbbbbb", "tree, as 8": "#1b6ca8", "tree": "#2e8b57",
          "bursts, as 8": "#d68910", "bursts": "#c0392b", "bursts, 2 ms, as 8": "#8e6bbf",
          "bursts, 2 ms": "#555555"}
SEARCHES = {"tree": "tree", "bursts, 0.2 ms serial": "bursts",
            "bursts, 2 ms serial": "bursts, 2 ms"}


def ticks(low, high):
    return [10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def part(value, marks):
    """Where a value lies between the first mark and the last, from 0 to 1."""
    return math.log10(value / marks[0]) / max(math.log10(marks[-1] / marks[0]), 1e-9)


def chart(title, x_name, y_name, series):
    """Points of each series over logarithmic axes; a series is joined by lines."""
    points = [p for line in series.values() for p in line]
    xs, ys = ticks(*bounds_of(p[0] for p in points)), ticks(*bounds_of(p[1] for p in points))

    def at(x, y):
        return (LEFT + (WIDTH - LEFT - RIGHT) * part(x, xs),
                HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part(y, ys))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'font-family="sans-serif" font-size="11">'
             f'<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{LEFT}" y="20" font-size="13">{title}</text>']
    for x in xs:
        a, b = at(x, ys[0]), at(x, ys[-1])
        parts.append(f'<path d="M{a[0]:.1f} {a[1]:.1f}V{b[1]:.1f}" stroke="#ddd"/>'
                     f'<text x="{a[0]:.1f}" y="{a[1] + 15:.1f}" text-anchor="middle">{x:g}</text>')
    for y in ys:
        a, b = at(xs[0], y), at(xs[-1], y)
        parts.append(f'<path d="M{a[0]:.1f} {a[1]:.1f}H{b[0]:.1f}" stroke="#ddd"/>'
                     f'<text x="{a[0] - 6:.1f}" y="{a[1] + 4:.1f}" text-anchor="end">{y:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" '
                 f'text-anchor="middle">{x_name}</text>'
                 f'<text transform="translate(16 {HEIGHT / 2:.0f}) rotate(-90)" '
                 f'text-anchor="middle">{y_name}</text>')
    for number, (name, line) in enumerate(series.items()):
        colour, places = COLOURS[name], [at(*p) for p in sorted(line)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}"/>'
                     f'<g fill="{colour}">{dots}</g>'
                     f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 16 * number + 8}" '
                     f'fill="{colour}">{name}</text>')
    return "\n".join(parts) + "</svg>\n"


def bounds_of(values):
    values = list(values)
    return min(values), max(values)


def draw(rows, summary, folder):
    folder.mkdir(parents=True, exist_ok=True)

    def of(table, y):
        series = {}
        for row in table:
            series.setdefault(row["policy"], []).append((row["workers"], y(row)))
        return series

    attempts = of(summary["by_workers"], lambda r: r["attempts"]["median"])
    (folder / "policies-attempts.svg").write_text(
        chart("Steal attempts over P Tinf, medians", "P", "attempts / (P Tinf)", attempts))
    tall = max(r["height"] for r in summary["explosion"]["rows"])
    explosion = of([r for r in summary["explosion"]["rows"] if r["height"] == tall],
                   lambda r: r["backs"])
    explosion["P^2 T'inf / 3"] = [(x, x * x * tall / 3) for x, _ in explosion["localized"]]
    (folder / "policies-remark2.svg").write_text(
        chart("Steal-backs of Remark 2", "P", "steal-backs", explosion))
    (folder / "policies-pile-up.svg").write_text(
        chart("Workers on the owner that is stolen from, over the mean", "P", "pile-up",
              of([r for r in summary["pile_up"] if r["as"] == "paper"],
                 lambda r: r["mean"]["median"])))
    search = {}
    for row in summary["search"]:
        if row["mend"] in ("none", "all"):
            name = SEARCHES[row["program"]] + (", as 8" if row["mend"] == "none" else "")
            search.setdefault(name, []).append((row["workers"], row["search"]["median"]))
    (folder / "policies-search.svg").write_text(
        chart("Processor time for the search, over steals", "P", "us", search))
