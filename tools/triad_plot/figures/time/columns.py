"""series: any columns of series.csv against time, a panel for each unit."""
import difflib

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import USAGE, Problem

MOST_PANELS = 6


def check(names, series):
    """Every name is a column of the series, other than its time."""
    have = [name for name in series.columns if name not in ("t", "step")]
    if not names:
        raise Problem(f"series requires columns: {', '.join(have)}", USAGE)
    for name in names:
        if name not in series.columns:
            near = difflib.get_close_matches(name, have, 1)
            raise Problem(f"{series.path}: has no column {name[:80]}" +
                          (f", did you mean {near[0]}?" if near else ".") + f" The columns are {', '.join(have)}")


def by_unit(names, series):
    """[(unit, its columns)] in the order of their first mention; numbers without a unit are a panel each."""
    out = {}
    for name in dict.fromkeys(names):
        unit = series.unit(name)
        out.setdefault((unit, name if unit in ("", "1", None) else ""), []).append(name)
    return [(unit, some) for (unit, _), some in out.items()]


def draw_panel(axis, runs, names, options):
    several = len(runs) > 1
    for i, run in enumerate(runs):
        s, inside = run.series, options.rows(run.series)
        for j, name in enumerate(names):
            t, y = page.thin(s.t[inside], s[name][inside])
            label = ", ".join(filter(None, (run.label if several else "", style.name_of(name) if len(names) > 1 else "")))
            axis.plot(t, np.where(np.isfinite(y), y, np.nan), label=label, marker="o" if len(t) < 3 else None,
                      color=style.COLORS[(i if several else j) % len(style.COLORS)],
                      linestyle=style.LINES[(j if len(names) > 1 else i) % len(style.LINES)])
    page.legend(axis)


def draw(runs, options):
    for run in runs:
        check(options.columns, run.series)
    panels = by_unit(options.columns, runs[0].series)
    if len(panels) > MOST_PANELS:
        raise Problem(f"series draws at most {MOST_PANELS} units, one panel each; these columns have {len(panels)}", USAGE)
    figure, axes = page.panels(len(panels), 1, height=1.6 + 2.6 * len(panels), sharex=True)
    for axis, (unit, names) in zip(axes[:, 0], panels):
        draw_panel(axis, runs, names, options)
        # one column is named on the axis, several in the legend
        page.name_axes(axis, "", (style.name_of(names[0]) if len(names) == 1 else "") + style.unit_text(unit))
    axes[-1, 0].set_xlabel(f"$t${style.unit_text('T')}")
    page.title(figure, options.title_of(runs))
    return figure
