"""The command line: triad-plot VERB [PATH...]."""
import argparse
import difflib
import os
import sys

import numpy as np

from triad_plot import figures, page, run
from triad_plot.problem import INPUT_OUTPUT, MISSING, USAGE, Absent, Problem

HEAD = """Usage: triad-plot VERB [PATH...] [options]

Figures of what Triad writes, as PNG and SVG. PATH is a run directory, several to lay over each other, or files of
`triad bench --json`. Without a PATH: this folder if it is a run directory, else the newest one in it.
"""
OPTIONS = """
  all          every figure that the run has something for
  report       one self-contained page, report.html

  -o FILE      write here: .png or .svg, or a name without either for both
               (default: PATH/figures/VERB.png and .svg; of several PATHs: VERB.png and .svg here)
  --title TEXT, --label TEXT (once for each PATH, in their order)
  --from T, --to T     times to draw;   --at T   the spectrum or plane nearest to this time
  --field NAME         spectrum, map, flux: another dataset;   slice: vorticity, current, theta, density, speed,
                       magnetic, phase, or a dataset, several with commas;   structure, increments: u_x, v_x, ..
  --plane z=1.57       slice: the plane across x, y or z (default: across z, at 3/8 of the side; boussinesq: across y)

Exit codes: 0 done; 64 usage; 65 bad data, or nothing to draw; 66 missing; 69 a Python module is missing; 74 writing failed.
"""


def help_text():
    verbs = "\n".join(f"  {verb.name:<12} {verb.about}" for verb in figures.VERBS)
    return f"{HEAD}\n{verbs}{OPTIONS}"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem(f"{message}; triad-plot --help", USAGE)


class Options(argparse.Namespace):
    """What the command line says; the report uses the defaults."""
    output, title, labels, t_from, t_to, at, field, plane = None, None, [], -np.inf, np.inf, None, None, None
    triad = None

    @property
    def windowed(self):
        return np.isfinite(self.t_from) or np.isfinite(self.t_to)

    def within(self, t):
        return (t >= self.t_from) & (t <= self.t_to)

    def title_of(self, runs):
        return self.title or (runs[0].title() if len(runs) == 1 else "")


def parser():
    p = Parser(prog="triad-plot", add_help=False, allow_abbrev=False)
    p.add_argument("paths", nargs="*")
    p.add_argument("-o", "--output", default=None)
    p.add_argument("--title", default=None)
    p.add_argument("--label", dest="labels", action="append", default=[])
    p.add_argument("--from", dest="t_from", type=number, default=-np.inf)
    p.add_argument("--to", dest="t_to", type=number, default=np.inf)
    p.add_argument("--at", type=number, default=None)
    p.add_argument("--field", default=None)
    p.add_argument("--plane", default=None)
    p.add_argument("--triad", default=None)
    return p


def number(text):
    value = float(text)
    if not np.isfinite(value):
        raise ValueError
    return value


def paths_of(given, verb):
    if given:
        return given
    if not verb.of_runs:
        raise Problem(f"triad-plot {verb.name} wants files: {verb.about}", USAGE)
    found = run.newest_below(".")
    if not found:
        raise Problem("no run directory here or below: name one, as in triad-plot energy my-run", MISSING)
    return [found]


def open_all(verb, options):
    paths = paths_of(options.paths, verb)
    if len(paths) > verb.most:
        raise Problem(f"triad-plot {verb.name} draws {verb.most} at most, not {len(paths)}", USAGE)
    items = [verb.open(path) for path in paths]
    if verb.of_runs:
        for item, label in zip(items, options.labels or unique_labels(items)):
            item.label = label
    return items


def unique_labels(runs):
    """Folder names, with the folder above where two are the same."""
    labels = [r.label for r in runs]
    if len(set(labels)) == len(labels):
        return labels
    return [os.path.join(*os.path.realpath(r.path).split(os.sep)[-2:]) for r in runs]


def folder_for(items, verb):
    return os.path.join(items[0].path, "figures") if verb.of_runs and len(items) == 1 else "."


def draw_one(verb, options):
    items = open_all(verb, options)
    paths = page.destinations(options.output, verb.name, folder_for(items, verb))
    page.write(verb.draw(items, options), paths)
    print("\n".join(paths))


def draw_all(options):
    """Each figure that has something to show; a broken file is told of, and costs its own figures only."""
    worst, drawn = None, 0
    if options.output:
        raise Problem("triad-plot all writes to PATH/figures; -o is for one figure", USAGE)
    for verb in figures.VERBS:
        if not verb.of_runs or len(options.paths) > verb.most:
            continue
        try:
            draw_one(verb, options)
            drawn += 1
        except Absent:
            continue
        except Problem as problem:
            if problem.code in (USAGE, MISSING, INPUT_OUTPUT):
                raise
            say(problem)
            worst = problem
    if not drawn:
        raise worst or Problem(f"{paths_of(options.paths, figures.VERBS[0])[0]}: holds nothing to draw")
    return worst.code if worst else 0


def say(problem):
    print(f"triad-plot: {printable(str(problem))}", file=sys.stderr)


def printable(text):
    """No path or file content reaches the terminal as a control sequence."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def unknown(name):
    near = difflib.get_close_matches(name, [*(v.name for v in figures.VERBS), "all", "report"], 1)
    return Problem(f"unknown verb {name[:80]}" + (f", did you mean {near[0]}?" if near else "") +
                   "; triad-plot --help lists them", USAGE)


def work(arguments):
    if not arguments:
        print(help_text(), end="", file=sys.stderr)
        return USAGE
    if any(word in ("-h", "--help", "help") for word in arguments):
        print(help_text(), end="")
        return 0
    name, verb = arguments[0], figures.find(arguments[0])
    if verb is None and name not in ("all", "report"):
        raise unknown(name)
    options = parser().parse_args(arguments[1:], namespace=Options())
    if name == "report":
        from triad_plot import report
        return report.run_command(options)
    if name == "all":
        return draw_all(options)
    draw_one(verb, options)
    return 0


def main(arguments):
    """The exit code."""
    try:
        code = work(arguments)
        sys.stdout.flush()
        return code
    except Problem as problem:
        say(problem)
        return problem.code
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        say(Problem(f"{error.filename or 'output'}: {error.strerror or error}"))
        return INPUT_OUTPUT
    except KeyboardInterrupt:
        return 130
