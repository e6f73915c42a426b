"""The figures of an archive: drawn from its own files, with their numbers, and the command that draws each again."""
import os

from triad_plot import verbs
from triad_plot.draw import page, table
from triad_plot.options import Options
from triad_plot.problem import Absent, Problem
from triad_plot.read import run as runs
from triad_plot.report import contents


def commands_of(name, with_table):
    """The line of README.md that makes the same files."""
    more = f" --table figures/{name}.csv" if with_table else ""
    return f"triad-plot {name} run -o figures/{name}{more}"


def draw(folder):
    """[(name, caption, files, command)] of the figures that the run in folder/run has; and what could not be drawn."""
    run, out, failed = runs.Run(os.path.join(folder, "run")), [], []
    for verb in verbs.VERBS:
        if not verb.of_runs or verb.columns or verb.solid or not contents.has(run, verb.name):
            continue
        try:
            figure = verb.draw([run], Options())
            stem = os.path.join(folder, "figures", verb.name)
            paths = [f"{stem}.{kind}" for kind in ("png", "svg")]
            page.write(figure, paths)
            numbers = _numbers(figure, f"{stem}.csv")
            names = [os.path.relpath(path, folder) for path in (*paths, *numbers)]
            out.append((verb.name, getattr(figure, "caption", "") or verb.about, names, commands_of(verb.name, bool(numbers))))
        except Absent:
            continue
        except Problem as problem:
            failed.append(f"figure {verb.name}: {problem}")
    return out, failed


def _numbers(figure, path):
    """The path of the figure's numbers, where it has any but those of a picture."""
    try:
        if any(curves for *_rest, curves, _picture in table.of(figure)):
            table.write(figure, path)
            return [path]
    except Absent:
        pass
    return []
