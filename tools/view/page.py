"""The report as one HTML file that needs no network: page.html.j2 with page.css, page.js and
Chart.js inside."""
import json
from pathlib import Path

from .fault import missing

HERE = Path(__file__).resolve().parent
# Of Debian's libjs-chart.js: MIT licence, named in the file's first lines.
CHARTS = Path("/usr/share/javascript/chart.js/chart.min.js")


def check_packages():
    """Before a long measurement."""
    if not CHARTS.exists():
        raise missing("libjs-chart.js")
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise missing("python3-jinja2") from None


def in_script(text):
    """JSON that ends no <script> element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def shade(table):
    """Of each cell of a heat map, 0 to 1."""
    values = [[value if isinstance(value, (int, float)) else 0 for value in row[1:]]
              for row in table["rows"]]
    most = max((value for row in values for value in row), default=0) or 1
    return [[value / most for value in row] for row in values]


def render(report):
    check_packages()
    import jinja2
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    environment.filters["number"] = lambda value: (
        "" if value is None else f"{value:,}" if isinstance(value, (int, float)) else value)
    charts = {chart["name"]: chart for answer in report["answers"] for chart in answer["charts"]}
    return environment.get_template("page.html.j2").render(
        report=report, shade=shade, css=(HERE / "page.css").read_text(encoding="utf-8"),
        script=(HERE / "page.js").read_text(encoding="utf-8"),
        library=CHARTS.read_text(encoding="utf-8").split("//# sourceMappingURL")[0],
        charts=in_script(json.dumps(charts)))
