"""forces: the forces on bodies and walls against time, or against steps of a steady flow."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent
from triad_plot.report import contents


ROUNDING = 1e-12   # of the largest component: what a symmetric body has across the stream


def columns_of(run):
    """The columns of the solver's table that are not 0 throughout."""
    table = contents.of(run)
    if not table or not table.forces:
        raise Absent(f"{run.path}: solver {run.solver or '?'} writes no forces")
    found = {name: np.nanmax(np.abs(run.series[name]), initial=0.0) for name in contents.columns_of(table.forces, run.series)}
    names = [name for name, most in found.items() if most > ROUNDING * max(found.values())]
    if not names:
        raise Absent(f"{run.path}: no forces: no walls or bodies")
    return names


def limits_of(values):
    """Of the later half, with air: a start from a uniform stream has forces that are a hundred times as large for a few steps."""
    late = values[len(values) // 2:]
    low, high = np.nanmin(late), np.nanmax(late)
    air = 0.5 * (high - low) + 0.05 * max(abs(low), abs(high))
    return low - air, high + air


def draw(runs, options):
    groups = {}
    for name in columns_of(runs[0]):
        groups.setdefault((name.startswith("drag_") or name, runs[0].series.unit(name)), []).append(name)
    steady = all(run.case.get("time.steady") for run in runs)
    figure, axes = page.panels(len(groups), 1, height=1.4 + 2.1 * len(groups), sharex=True)
    for axis, ((_, unit), names) in zip(axes[:, 0], groups.items()):
        low, high = np.inf, -np.inf
        for i, run in enumerate(runs):
            s, inside = run.series, options.rows(run.series)
            for j, name in enumerate(names):
                if name not in s:
                    raise Absent(f"{s.path}: has no column {name}")
                k = i if len(runs) > 1 else j
                label = ", ".join(filter(None, (run.label if len(runs) > 1 else "", style.name_of(name) if len(names) > 1 else "")))
                x, y = page.thin(s["step" if steady else "t"][inside], s[name][inside])
                axis.plot(x, y, color=style.COLORS[k % 7], linestyle=style.LINES[k % 7], label=label, marker="o" if len(x) < 3 else None)
                ends = limits_of(y)
                low, high = min(low, ends[0]), max(high, ends[1])
        if np.isfinite([low, high]).all() and high > low:
            axis.set_ylim(low, high)
        page.name_axes(axis, "", (style.name_of(names[0]) if len(names) == 1 else "force / density") + style.unit_text(unit))
        page.legend(axis)
    axes[-1, 0].set_xlabel("step" if steady else f"$t${style.unit_text('T')}")
    page.describe(figure, ", ".join(style.words_of(name) for names in groups.values() for name in names) + " against " +
                  ("steps" if steady else "time") + "; axes scaled to the second half")
    page.title(figure, options.title_of(runs))
    return figure
