"""levels: level of the pressure, or of another field, along lines, cylinders and disks of probes."""
import numpy as np

from triad_plot.compute import frequency
from triad_plot.draw import page, style
from triad_plot.figures.time.probe import whole
from triad_plot.problem import Absent, Problem
from triad_plot.read import probes
from triad_plot.sound import medium

NEAR = 1e-6   # of the extent: coordinates that count as equal


def reference_of(run, field):
    """(value, words) of 0 dB: 20 uPa if the far-field patch has 101325 Pa, else 1 in units of the case."""
    states = medium.states_in(run.case)
    if field == "p" and len(states) == 1:
        return medium.HEARING / medium.STANDARD * states[0][0], "dB re 20 uPa at 101325 Pa"
    return 1.0, "dB re 1"


def along(probe):
    """(name of the coordinate, its value at each point)"""
    if probe.shape is not None and len(probe.shape) == 2 and probe.shape[1] > 2:
        centre = probe.x[:, 1:].mean(axis=0)
        radius = np.hypot(*(probe.x[:, 1:] - centre).T)
        if np.ptp(probe.x[:, 0]) > NEAR * radius.max():
            return "x", probe.x[:, 0]
        return "radius", radius
    extent = np.ptp(probe.x, axis=0)
    if not np.isfinite(extent).all() or not extent.max() > 0:
        raise Absent(f"{probe.path}: is a single point")
    axis = int(extent.argmax())
    return "xyz"[axis], probe.x[:, axis]


def profile(probe, field, inside, reference):
    """(name of the coordinate, its values, level, standard error) with the mean square over points of equal coordinate."""
    name, at = along(probe)
    values, points = whole(probe, field, inside)
    if len(values) < 2 * frequency.BLOCKS:
        raise Absent(f"{probe.path}: {len(values)} rows at these times are too few for levels; {2 * frequency.BLOCKS} are required")
    at = at[points]
    order = np.argsort(at, kind="stable")
    groups = np.split(order, np.nonzero(np.diff(at[order]) > NEAR * np.ptp(at))[0] + 1)
    levels = [frequency.level_of_mean(values[:, group], reference) for group in groups]
    return name, np.array([at[group].mean() for group in groups]), *np.array(levels).T


def chosen(run, options):
    """[(probe, field)]: the one that --field names, else p of all probes with more than one point."""
    if options.field:
        return [probes.choose(run, options.field)]
    names = probes.names_in(run)
    if not names:
        raise probes.missing(run)
    found = [(probe, "p" if "p" in probe.fields else probe.fields[0]) for probe in (probes.open_one(run, name) for name in names)
             if len(probe.x) > 1]
    if not found:
        raise Absent(f"{run.path}: has no line, cylinder or disk of probes")
    return found


def draw(runs, options):
    figure, axes = page.panels()
    names, number = [], 0
    for run in runs:
        for probe, field in chosen(run, options):
            reference, said = reference_of(run, field)
            try:
                name, at, level, error = profile(probe, field, options.rows(probe), reference)
            except Absent:
                if options.field or len(probes.names_in(run)) == 1:
                    raise
                continue
            label = probe.name if len(runs) == 1 else f"{run.label}, {probe.name}"
            color = style.COLORS[number % len(style.COLORS)]
            axes[0, 0].plot(at, level, color=color, linestyle=style.LINES[number // len(style.COLORS) % len(style.LINES)], label=label)
            axes[0, 0].fill_between(at, level - error, level + error, color=color, alpha=0.2, linewidth=0)
            number += 1
            names.append((name, field, said))
    if not names:
        raise Absent(f"{runs[0].path}: no probe has rows enough for levels")
    if len({field for _, field, _ in names}) > 1 or len({said for *_, said in names}) > 1:
        raise Problem("the runs have different fields or references; draw them one by one")
    page.name_axes(axes[0, 0], " or ".join(dict.fromkeys(name for name, *_ in names)) + style.unit_text("L"),
                   f"level of {names[0][1]}  [{names[0][2]}]")
    axes[0, 0].legend()
    page.describe(figure, f"level of {names[0][1]} along probes, with its standard error")
    page.title(figure, options.title_of(runs))
    return figure
