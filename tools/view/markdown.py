"""The report as Markdown of at most 200 lines."""
MOST_LINES = 200
MOST_ROWS = 20
MOST_COLUMNS = 17


def plain(text):
    """As text: a template's arguments would be a tag of HTML."""
    return text.replace("<", "\\<")


def cell(value):
    if value is None:
        return ""
    text = f"{value:,}" if isinstance(value, (int, float)) else str(value)
    return plain(text).replace("|", "\\|").replace("\n", " ")


def lines_of_table(table):
    headings = table["headings"][:MOST_COLUMNS]
    yield f"{table['title']}:"
    yield ""
    yield "| " + " | ".join(map(cell, headings)) + " |"
    yield "|" + "---|" * len(headings)
    for row in table["rows"][:MOST_ROWS]:
        yield "| " + " | ".join(map(cell, row[:MOST_COLUMNS])) + " |"
    left = len(table["rows"]) - MOST_ROWS
    if left > 0 or len(table["headings"]) > MOST_COLUMNS:
        yield ""
        yield "The rest is in the JSON report."
    yield ""


def lines_of_findings(answer):
    for found in answer.get("findings", []):
        cost = f", {found['lost_percent']} %" if found["lost_percent"] else ""
        where = f" at `{found['site']}`" if found["site"] else ""
        yield f"- **{found['name']}**{where}{cost}"
        yield f"  - {plain(found['evidence'])}"
        yield f"  - {found['remedy']}"
    for caveat in answer.get("caveats", []):
        yield f"- Note: {plain(caveat)}"
    if answer.get("findings") or answer.get("caveats"):
        yield ""


def render(report):
    lines = [f"# {plain(report['program'])}", ""]
    if report["subject"]:
        lines += [plain(report["subject"]), ""]
    last = []  # what to do, which is never cut off
    for answer in report["answers"]:
        lines += last
        last = [f"## {answer['question']}", "", plain(answer["sentence"]), ""]
        last += lines_of_findings(answer)
        for table in answer["tables"]:
            last += lines_of_table(table)
    if len(lines) + len(last) > MOST_LINES:
        lines[max(2, MOST_LINES - len(last) - 2):] = ["The rest is in the JSON report.", ""]
    lines = (lines + last)[:MOST_LINES]
    return "\n".join(lines).rstrip() + "\n"
