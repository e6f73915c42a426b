"""probe: a field at places of output.probes against time, and its spectrum over frequencies, the mean of all places."""
import os
import re

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent
from triad_plot.read.series import Series

MOST_LINES = 4


def columns_of(series):
    """{field: [columns of its places, in their order]}"""
    fields = {}
    for name in series.columns:
        found = re.fullmatch(r"(\w+)_(\d+)", name)
        if found:
            fields.setdefault(found.group(1), []).append((int(found.group(2)), name))
    return {field: [name for _number, name in sorted(places)] for field, places in fields.items()}


def frequency_spectrum(t, values):
    """One-sided density of values[row, place] over frequency f, cycles per time, the mean over the places: its integral over f is
    the variance. Rows are brought to even times, by straight lines, and their mean is taken away; Hann's window, whose mean
    square 3/8 is divided out, keeps the ends from showing."""
    n = len(t)
    even = np.linspace(t[0], t[-1], n)
    dt = (t[-1] - t[0]) / (n - 1)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(n) + 0.5) / n)
    total = 0
    for column in values.T:
        y = np.interp(even, t, column)
        total = total + np.abs(np.fft.rfft(window * (y - y.mean())))**2
    density = 2 * dt * total / values.shape[1] / np.sum(window**2)
    return np.fft.rfftfreq(n, dt)[1:], density[1:]


def told(series, names, inside):
    """The columns without an empty place in these rows: a pressure is empty as long as its place is in a solid."""
    whole = [name for name in names if np.all(np.isfinite(series[name][inside]))]
    if not whole:
        raise Absent(f"{series.path}: {names[0]} is empty in some rows; select others with --from and --to")
    return whole


def draw(runs, options):
    figure, axes = page.panels(2, 1, height=6.4)
    several = len(runs) > 1
    for i, run in enumerate(runs):
        if not os.path.exists(run / "probes.csv"):
            raise Absent(f"{run.path}: has no probes.csv; set output.probes")
        s = Series(run / "probes.csv")
        fields = columns_of(s)
        field = options.field or next(iter(fields))
        if field not in fields:
            raise Absent(f"{s.path}: has no field {field[:80]}; the fields are {', '.join(fields)}")
        inside = options.rows(s)
        t, names = s.t[inside], told(s, fields[field], inside)
        for j, name in enumerate(names[:1 if several else MOST_LINES]):
            label = run.label if several else re.sub(r".* at ", "", s.formulae.get(name, name)) if len(names) > 1 else None
            axes[0, 0].plot(*page.thin(t, s[name][inside]), label=shorten(label), linewidth=1,
                            color=style.COLORS[(i if several else j) % len(style.COLORS)])
        if len(t) > 3:
            f, density = frequency_spectrum(t, np.stack([s[name][inside] for name in names], axis=1))
            axes[1, 0].plot(f, density, color=style.COLORS[i % len(style.COLORS)], label=run.label if several else None)
    unit = s.unit(names[0])
    squared = f"{unit}^2 T" if len(unit) == 1 else f"({unit})^2 T"
    page.name_axes(axes[0, 0], f"$t${style.unit_text('T')}", f"{field}{style.unit_text(unit)}")
    page.name_axes(axes[1, 0], f"frequency{style.unit_text('1/T')}", f"spectrum of {field}{style.unit_text(squared)}", log="xy")
    page.finish_log(axes[1, 0])
    page.legend(axes[0, 0], fontsize="small")
    page.legend(axes[1, 0])
    page.describe(figure, f"{field} at {len(names)} probe points against time, and the mean frequency spectrum")
    page.title(figure, options.title_of(runs))
    return figure


def shorten(label):
    """Coordinates by three digits."""
    return label and re.sub(r"-?\d[\d.e+-]*", lambda m: f"{float(m.group()):.3g}", label)
