"""The command line of nopal-view. Each command's work is in a module of its own; rich and jinja2
are loaded when a command needs them."""
import argparse
import contextlib
import json
import os
import signal
import sys
from pathlib import Path

from . import advice, diff, live, markdown, page, record, report
from .fault import Fault

LONGEST_INTERVAL = 3600  # seconds
ENDED = 128  # and the signal: the exit status, as a shell has it


def worker_counts(text):
    try:
        counts = sorted({int(word) for word in text.split(",")})
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of numbers such as 1,2,4") from None
    if not counts or counts[0] < 1:
        raise argparse.ArgumentTypeError(f"'{text}': a worker count is at least 1")
    return counts


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive integer")
    return int(text)


def seconds(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST_INTERVAL:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds up to {LONGEST_INTERVAL}")
    return value


def default_counts():
    """1, 2, 4, ... and the number of processors."""
    most = record.processors()
    counts = {most}
    count = 1
    while count < most:
        counts.add(count)
        count *= 2
    return sorted(counts)


class Arguments(argparse.ArgumentParser):
    def print_help(self, file=None):
        if file is None:
            say(self.format_help().rstrip("\n"))
        else:
            super().print_help(file)


def arguments():
    parser = Arguments(
        prog="nopal-view", description="Shows why a program that spawns is or is not faster on "
        "more processors.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run a program at several worker counts and report")
    run.add_argument("-w", "--workers", type=worker_counts, default=default_counts(),
                     help="worker counts, such as 1,2,4 (default: powers of two up to the "
                     "processors)")
    run.add_argument("--rounds", type=positive, default=5,
                     help="how often each count is run (default 5)")
    run.add_argument("--span", metavar="BINARY",
                     help="the same program built with -fnopal-span")
    run.add_argument("--races", metavar="BINARY",
                     help="the same program built with -fsanitize=cilk")
    run.add_argument("--no-copies", action="store_true",
                     help="do not run independent copies, which tell the machine from the program")
    run.add_argument("--no-wide", action="store_true",
                     help=f"do not run with {record.WIDE_WORKERS} workers, which shows how "
                     "parallel a program is without --span")
    run.add_argument("-o", "--output", type=Path, default=Path("nopal-view.html"),
                     help="the report; .md and .json are written beside it")
    run.add_argument("program", nargs="+", metavar="-- PROGRAM [ARGUMENT...]")
    show = commands.add_parser("show", help="a report from files that a program has written")
    show.add_argument("statistics", type=Path,
                      help="of CILK_STATS=x.json (x.ranks.json of a cluster program, too), of "
                      "CILK_RACE_OUT=x.json, or x.json of an earlier report; or a trace "
                      "alone, of a program that was killed")
    show.add_argument("trace", type=Path, nargs="?", help="of CILK_TRACE, in either format")
    show.add_argument("--span", type=Path, metavar="JSON", help="of CILK_SPAN=x.json")
    show.add_argument("--races", type=Path, metavar="JSON", help="of CILK_RACE_OUT=x.json")
    show.add_argument("-o", "--output", type=Path, help="write the report instead of Markdown")
    compare = commands.add_parser("diff", help="what changed between two runs, by site")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    top = commands.add_parser("top", help="watch the workers of a running process")
    top.add_argument("pid", type=positive)
    top.add_argument("--interval", type=seconds, default=0.5, help="seconds (default 0.5)")
    top.add_argument("--once", action="store_true", help="one reading as JSON")
    return parser


def forms_of(output):
    """The files of a report: the page, Markdown, JSON."""
    return output, output.with_suffix(".md"), output.with_suffix(".json")


def check_output(output, inputs=()):
    if output.suffix != ".html":
        raise Fault(f"the report '{output}' must end in .html")
    for path in forms_of(output):
        try:
            if path.is_dir():
                raise Fault(f"cannot write the report '{path}': it is a folder")
            is_there = path.exists()
        except OSError as error:
            raise Fault(f"cannot write the report '{path}': {error.strerror}") from None
        if is_there and any(path.samefile(given) for given in inputs if given.exists()):
            raise Fault(f"the report would overwrite '{path}', which it is made from; "
                        "give -o another name")
        if is_there and not output.exists():
            raise Fault(f"the report would overwrite '{path}', which is not of an earlier report, "
                        f"since there is no '{output}'; give -o another name")


def write(made, output):
    texts = page.render(made), markdown.render(made), json.dumps(made, indent=1) + "\n"
    for path, text in zip(forms_of(output), texts):
        temporary = path.with_name(path.name + ".part")
        try:
            # A command may have bytes that are no text.
            temporary.write_text(text, encoding="utf-8", errors="replace")
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise Fault(f"cannot write '{path}': {error.strerror}") from None


def wrote(output):
    return f"nopal-view: wrote {output}, and .md and .json beside it"


def say(text):
    """On standard output, all of it or a Fault."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        raise Fault(f"cannot write to standard output: {error.strerror}") from None


def drop_output():
    """What is still buffered goes nowhere: else Python tries once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(options):
    check_output(options.output)
    page.check_packages()
    if not os.access(options.output.parent, os.W_OK):
        raise Fault(f"cannot write into the folder '{options.output.parent}'")
    recording = record.measure(options.program, options.workers, options.rounds, options.span,
                               copies=not options.no_copies, race=options.races,
                               wide=not options.no_wide)
    made = report.make(recording)
    write(made, options.output)
    say(f"{advice.summary(made)}\n{wrote(options.output)}")


@contextlib.contextmanager
def reading(*paths):
    """Turns what a damaged file may raise into a Fault that names the files."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:
        names = " or ".join(f"'{path}'" for path in paths if path is not None)
        raise Fault(f"{names} is damaged, or not as Nopal writes it "
                    f"({type(error).__name__}: {error}); record it again") from None


def show(options):
    if options.output is not None:
        given = (options.statistics, options.trace, options.span, options.races)
        check_output(options.output, [path for path in given if path is not None])
    with reading(options.statistics, options.span, options.trace, options.races):
        made = report.make(record.load(options.statistics, options.span, options.trace,
                                       options.races))
        if options.output is None:
            text = markdown.render(made).rstrip("\n")
        else:
            write(made, options.output)
            text = wrote(options.output)
    say(text)


def main(words):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED + signal.SIGTERM))
    try:
        options = arguments().parse_args(words)
        if options.command == "run":
            run(options)
        elif options.command == "show":
            show(options)
        elif options.command == "diff":
            with reading(options.before, options.after):
                compared = diff.compare(*map(record.load_runs, (options.before, options.after)))
            say(compared.rstrip("\n"))
        elif options.once:
            say(live.once(options.pid))
        else:
            live.top(options.pid, options.interval)
    except Fault as fault:
        print(f"nopal-view: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return ENDED + signal.SIGINT
    return 0
