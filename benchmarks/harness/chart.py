"""Draws small charts as SVG with the standard library alone: panels of points and lines.

    nopal = chart.Series("Nopal", "#1b6ca8", [(1, 12), (2, 24)])
    chart.write(path, [chart.Panel("fib 32", [nopal])])

The figures of run.py, space/run.py and bounds/run.py are made of it. A panel has one to two
kilobytes.
"""
import dataclasses
import html
import math

WIDTH, HEIGHT = 280, 230  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 26, 40  # around its axes
MOST_OF_TWOS = 64  # a logarithmic axis up to here has powers of two


@dataclasses.dataclass
class Series:
    name: str
    colour: str
    points: list  # (x, y); y is the index of a name where the panel has names
    line: str = "none"  # or solid, dotted, dashed
    marks: bool = True


@dataclasses.dataclass
class Panel:
    title: str
    series: list
    x: str = ""
    y: str = ""
    log_x: bool = True
    log_y: bool = True
    names: tuple = ()  # of the rows, for a panel that has one row for each name
    height: int = HEIGHT


def short(value):
    for factor, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:g}{unit}"
    return f"{value:g}"


class Axis:
    """Maps values to places between `first` and `last`, and chooses the ticks."""

    def __init__(self, values, is_log, first, last):
        values = [value for value in values if value > 0 or not is_log] or [1]
        self.is_log, self.first, self.last = is_log, first, last
        low, high = min(values), max(values)
        if is_log and high <= MOST_OF_TWOS:
            self.ticks = [2.0 ** power for power in range(math.floor(math.log2(low)),
                                                          math.ceil(math.log2(high)) + 1)]
        elif is_log:
            step = max(1, math.ceil(math.log10(high / low) / 5))
            self.ticks = [10.0 ** power for power in range(math.floor(math.log10(low)),
                                                           math.ceil(math.log10(high)) + step,
                                                           step)]
        else:
            size = 10 ** math.floor(math.log10(max(high, 1e-9)))
            self.ticks = [size * number for number in range(math.ceil(high / size) + 1)]
        self.low, self.high = self.scaled(self.ticks[0]), self.scaled(self.ticks[-1])

    def scaled(self, value):
        return math.log10(max(value, 1e-12)) if self.is_log else value

    def place(self, value):
        share = (self.scaled(value) - self.low) / ((self.high - self.low) or 1)
        return self.first + min(1, max(0, share)) * (self.last - self.first)


DASHES = {"solid": "", "dashed": ' stroke-dasharray="6 3"', "dotted": ' stroke-dasharray="1.5 3"'}


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{more}>{html.escape(words)}</text>'


def draw(panel, left, top):
    """The lines of SVG of one panel whose corner is at (left, top)."""
    x0, x1 = left + (2 * LEFT if panel.names else LEFT), left + WIDTH - RIGHT
    y0, y1 = top + panel.height - BOTTOM, top + TOP
    points = [point for series in panel.series for point in series.points]
    across = Axis([x for x, _ in points], panel.log_x, x0, x1)
    out = [text((x0 + x1) / 2, top + 14, panel.title, more=' class="title"'),
           text((x0 + x1) / 2, y0 + 28, panel.x)]
    out += [text(across.place(tick), y0 + 13, short(tick)) for tick in across.ticks]
    grid = [f"M{across.place(tick):.0f} {y0}V{y1}" for tick in across.ticks]
    if panel.names:
        step = (y0 - y1) / len(panel.names)
        up = lambda row: y1 + step * (row + 0.5)
        out += [text(x0 - 5, up(row) + 3, name, "end") for row, name in enumerate(panel.names)]
    else:
        axis = Axis([y for _, y in points], panel.log_y, y0, y1)
        up = axis.place
        turned = f' transform="rotate(-90 {left + 12} {(y0 + y1) // 2})"'
        out.append(text(left + 12, (y0 + y1) // 2, panel.y, more=turned))
        out += [text(x0 - 5, up(tick) + 3, short(tick), "end") for tick in axis.ticks]
        grid += [f"M{x0} {up(tick):.0f}H{x1}" for tick in axis.ticks]
    out += [f'<path d="{"".join(grid)}" class="grid"/>',
            f'<path d="M{x0} {y1}V{y0}H{x1}" class="axis"/>']
    for series in reversed(panel.series):  # the first on top
        places = [f"{across.place(x):.0f} {up(y):.0f}" for x, y in series.points]
        if series.line != "none" and len(places) > 1:
            out.append(
                f'<path d="M{"L".join(places)}" fill="none" '
                f'stroke="{series.colour}"{DASHES[series.line]}/>')
        if series.marks and places:  # a line of no length with a round cap is a dot
            out.append(
                f'<path d="{"".join(f"M{place}h0" for place in places)}" class="dot" '
                f'stroke="{series.colour}"/>')
    return out


def write(path, panels, columns=4):
    """Draws `panels` in so many columns, with one legend for all, into the file `path`."""
    out, bottom = [], 0
    for row in range(0, len(panels), columns):
        line = panels[row:row + columns]
        for column, panel in enumerate(line):
            out += draw(panel, column * WIDTH, bottom)
        bottom += max(panel.height for panel in line)
    legend = {series.name: series for panel in panels for series in panel.series}
    for number, (name, series) in enumerate(legend.items()):
        x, y = LEFT + number % columns * WIDTH, bottom + 14 + 16 * (number // columns)
        if series.line != "none":
            out.append(f'<path d="M{x - 12} {y - 3}h24" '
                       f'stroke="{series.colour}"{DASHES[series.line]}/>')
        if series.marks:
            out.append(f'<path d="M{x} {y - 3}h0" class="dot" stroke="{series.colour}"/>')
        out.append(text(x + 16, y, name, "start"))
    size = f"{min(columns, len(panels)) * WIDTH} {bottom + 16 * -(-len(legend) // columns) + 8}"
    style = ("text{font:10px sans-serif}.title{font-size:12px}.axis{fill:none;stroke:#333}"
             ".grid{stroke:#ddd}.dot{stroke-width:5;stroke-linecap:round}")
    path.write_text("\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">',
                               f'<style>{style}</style><rect width="100%" height="100%" '
                               'fill="#fff"/>',
                               *out, "</svg>"]) + "\n")
