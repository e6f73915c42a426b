"""slice: a plane of |omega|, |j|, theta or density, with a bar."""
import numpy as np

from triad_plot import page, planes, style
from triad_plot.problem import Absent

MOST_PANELS = 6


def draw_one(figure, axis, cut):
    finite = cut.values[np.isfinite(cut.values)]
    if not len(finite):
        raise Absent(f"{cut.name} has no finite value on this plane")
    low, high = float(finite.min()), float(finite.max())
    if cut.signed:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    if high <= low:
        high = low + (abs(low) or 1.0)
    mesh = axis.pcolormesh(cut.columns[1], cut.rows[1], cut.values, vmin=low, vmax=high, rasterized=True,
                           cmap=style.DIVERGING if cut.signed else style.SEQUENTIAL)
    axis.set_aspect("equal")
    axis.grid(False)
    page.name_axes(axis, f"${cut.columns[0]}${style.unit_text('L')}", f"${cut.rows[0]}${style.unit_text('L')}")
    figure.colorbar(mesh, ax=axis, label=cut.symbol + style.unit_text(cut.unit), shrink=0.85, pad=0.02)


def draw(runs, options):
    cuts = [(run, cut) for run in runs for cut in planes.of_run(run, options)][:MOST_PANELS]
    shape = np.ptp(cuts[0][1].rows[1]) / np.ptp(cuts[0][1].columns[1])
    columns = 2 if len(cuts) == 4 else min(len(cuts), 3)
    rows = -(-len(cuts) // columns)
    width = max(6.0, 4.4 * columns)
    height = min(12.0, max(2.4, rows * (min(width / columns - 1.5, 4.6) * min(shape, 2.5) + 0.9)) + 0.3)
    figure, axes = page.panels(rows, columns, width=width, height=height)
    for axis, (run, cut) in zip(axes.flat, cuts):
        draw_one(figure, axis, cut)
        name = f"{run.label}:  " if len(runs) > 1 else ""
        axis.set_title(f"{name}{cut.where},  t = {style.number(cut.t)}", loc="left", fontsize=10)
    for axis in list(axes.flat)[len(cuts):]:
        axis.set_visible(False)
    page.title(figure, options.title_of(runs))
    return figure
