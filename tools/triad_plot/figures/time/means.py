"""means: running means of a run with their standard errors: profiles and spectra as curves with bars, numbers as points."""
import re

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read.means import Means

MOST = 6           # curves of a panel
MOST_BARS = 40     # bars along a curve
NUMBERS = 12


def usual(found):
    """What is drawn where nothing is asked for: profiles of the mean velocity and of stresses, else the spectrum, else numbers."""
    profiles = [name for name in found.arrays if name.startswith("mean_") and found.arrays[name][0] in "xyz"]
    if profiles:
        over = found.arrays[profiles[0]][0]
        moving = significant(found, [n for n in profiles if found.arrays[n][3] == "U"])
        stresses = [n for n in found.arrays if n.startswith("cov_") and found.arrays[n][0] == over and found.arrays[n][3] in ("U^2", "U U")]
        groups = [group[:MOST] for group in (moving, significant(found, stresses)) if group]
        if groups:
            return groups
    if "E" in found.arrays:
        return [["E"]]
    return [[n for n in found.numbers if np.isfinite(found.numbers[n][1])][:NUMBERS]]


def significant(found, names):
    """Those that are more than rounding next to the largest."""
    if not names:
        return []
    size = {name: float(np.nanmax(np.abs(found.arrays[name][1]), initial=0.0)) for name in names}
    return [name for name in names if size[name] > 1e-9 * max(size.values())]


def name_of(name):
    """mean_u_y and cov_u_v_y as averages."""
    mean, cov = re.fullmatch(r"mean_(\w+)_[xyz]", name), re.fullmatch(r"cov_([a-z0-9]+)_([a-z0-9]+)_[xyz]", name)
    if mean:
        return rf"$\langle \mathrm{{{mean[1]}}}\rangle$" if len(mean[1]) > 1 else rf"$\langle {mean[1]}\rangle$"
    return rf"$\langle {cov[1]}' {cov[2]}'\rangle$" if cov and len(cov[1]) == len(cov[2]) == 1 else style.name_of(name)


def asked(found, text):
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in found.arrays and name not in found.numbers:
            raise Problem(f"--field {name[:80]}: {found.path} has no such mean; there are {', '.join([*found.arrays, *found.numbers])}", USAGE)
    groups = {}
    for name in names:   # of one coordinate and one unit in a panel
        key = (found.arrays[name][0], found.arrays[name][3]) if name in found.arrays else ("", "")
        groups.setdefault(key, []).append(name)
    return list(groups.values())


def draw_curves(axis, items, names):
    over, _v, _e, unit = items[0].arrays[names[0]]
    shells = over.startswith("k")
    logs = shells and all((found.arrays[n][1] >= 0).all() for found in items for n in names)
    if shells:
        axis.set_xscale("log")
    if logs:
        axis.set_yscale("log")
    for i, found in enumerate(items):
        for j, name in enumerate(names):
            if name not in found.arrays:
                raise Absent(f"{found.path}: has no mean {name}")
            x, values, error = found.scales[found.arrays[name][0]][0], *found.arrays[name][1:3]
            keep = np.isfinite(values) & ((x > 0) | (not shells)) & ((values > 0) | (not logs))
            n = i if len(items) > 1 else j
            label = ", ".join(filter(None, (found.run.label if len(items) > 1 else "", name_of(name) if len(names) > 1 else "")))
            every = max(1, -(-int(keep.sum()) // MOST_BARS))
            axis.errorbar(x[keep], values[keep], np.nan_to_num(error[keep]), label=label, color=style.COLORS[n % 7],
                          linestyle=style.LINES[j % 7], errorevery=every, elinewidth=1.0, capsize=2)
    page.name_axes(axis, (style.wavenumber(over) if shells else f"${over}${style.unit_text(items[0].scales[over][1] or 'L')}"),
                   (name_of(names[0]) if len(names) == 1 else "covariances" if names[0].startswith("cov_") else "means")
                   + style.unit_text(unit.replace("U U", "U^2")))
    if shells:
        page.finish_log(axis)
    page.legend(axis)


def draw_numbers(axis, items, names):
    """Each over its mean in the first run: what is within 1 +- its error agrees."""
    for i, found in enumerate(items):
        values = [found.numbers.get(name, (np.nan, np.nan))[:2] for name in names]
        first = [items[0].numbers[name][0] or 1.0 for name in names]
        axis.errorbar(np.arange(len(names)) + 0.12 * (i - (len(items) - 1) / 2), [v / f for (v, _e), f in zip(values, first)],
                      [abs(e / f) for (_v, e), f in zip(values, first)], linestyle="none", marker="o", markersize=4, capsize=3,
                      color=style.COLORS[i % 7], label=found.run.label if len(items) > 1 else "")
    axis.set_xticks(range(len(names)), [style.words_of(name) for name in names], rotation=40, ha="right", fontsize=9)
    axis.axhline(1, color=style.INK, linewidth=0.8, gid="guide")
    axis.set_ylabel("over the mean" + (" of the first run" if len(items) > 1 else ""))
    page.legend(axis)


def draw(runs, options):
    items = [Means(run) for run in runs]
    groups = asked(items[0], options.field) if options.field else [g for g in usual(items[0]) if g]
    if not groups:
        raise Absent(f"{items[0].path}: has no means with errors")
    figure, axes = page.panels(len(groups), 1, height=0.9 + 3.2 * len(groups))
    for axis, names in zip(axes[:, 0], groups):
        (draw_curves if names[0] in items[0].arrays else draw_numbers)(axis, items, names)
    page.describe(figure, "Means over time with standard errors: " + ", ".join(n for names in groups for n in names))
    page.title(figure, options.title_of(runs) + (f"   {items[0].words()}" if len(runs) == 1 else ""))
    return figure
