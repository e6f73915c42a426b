"""probe: a field at points of output.probes against time, and its power spectral density over frequencies, the mean of all points."""
import re

import numpy as np

from triad_plot.compute import frequency
from triad_plot.draw import page, style
from triad_plot.problem import Absent
from triad_plot.read import probes
from triad_plot.read.particles import at_times

MOST_LINES = 4


def frequency_spectrum(t, values, segments=1):
    """One-sided density of values[row, point] over frequency f, cycles per time, the mean over the points: its integral over f is the
    variance. Rows at unequal times are interpolated to equal ones by cubics."""
    even = np.linspace(t[0], t[-1], len(t))
    if not probes.is_even(t):
        values = at_times(t, values, even)
    f, density = frequency.density(values, (t[-1] - t[0]) / (len(t) - 1), segments)
    return f, density.mean(axis=1)


def whole(probe, field, inside):
    """(values [row, point], the points) without those that are empty in these rows: a pressure is empty as long as its point is in a solid."""
    values = probe.read(field)[inside]
    points = np.nonzero(np.isfinite(values).all(axis=0))[0]
    if not len(points):
        raise Absent(f"{probe.path}: {field} is empty in some rows; select others with --from and --to")
    return values[:, points], points


def place(x):
    """Coordinates by three digits."""
    return "(" + ", ".join(f"{a:.3g}" for a in x) + ")"


def draw(runs, options):
    figure, axes = page.panels(2, 1, height=6.4)
    several = len(runs) > 1
    for i, run in enumerate(runs):
        probe, field = probes.choose(run, options.field)
        inside = options.rows(probe)
        t, (values, points) = probe.t[inside], whole(probe, field, inside)
        for j, point in enumerate(points[:1 if several else MOST_LINES]):
            label = run.label if several else place(probe.x[point]) if len(points) > 1 and np.isfinite(probe.x[point]).all() else None
            axes[0, 0].plot(*page.thin(t, values[:, j]), label=label, linewidth=1, color=style.COLORS[(i if several else j) % len(style.COLORS)])
        if len(t) > 3:
            f, density = frequency_spectrum(t, values, frequency.segments_for(len(t), len(points)))
            axes[1, 0].plot(f, density, color=style.COLORS[i % len(style.COLORS)], label=run.label if several else None)
    unit = probe.unit(field)
    squared = f"{unit}^2 T" if re.fullmatch(r"\w", unit) else f"({unit})^2 T"
    page.name_axes(axes[0, 0], f"$t${style.unit_text('T')}", f"{field}{style.unit_text(unit)}")
    page.name_axes(axes[1, 0], f"frequency{style.unit_text('1/T')}", f"spectrum of {field}{style.unit_text(squared)}", log="xy")
    page.finish_log(axes[1, 0])
    page.legend(axes[0, 0], fontsize="small")
    page.legend(axes[1, 0])
    page.describe(figure, f"{field} at {len(points)} probe points against time, and the mean frequency spectrum")
    page.title(figure, options.title_of(runs))
    return figure
