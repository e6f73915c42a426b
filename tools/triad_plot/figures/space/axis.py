"""axis: mean Mach number and pressure along a line of probes of a gas, such as the axis of a jet, with the lengths of its shock cells."""
import re

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent, Problem
from triad_plot.read import hdf5, probes

LONGEST = 1.3064     # of a weak cell over sqrt(M^2 - 1) D: Prandtl (1904), Pack (1950): pi over the first zero of J0
CELLS = 12           # of which the beginnings are marked
PROMINENT = 0.1      # of the largest rise of the pressure: lower maxima are not those of shock cells


def lines_in(run):
    """{name: files} of probes whose places stand along a straight line."""
    return {name: paths for name, paths in probes.files_of(run).items() if is_line(hdf5.read(paths[0], lambda file: file["x"][:]))}


def is_line(x):
    """Are there three places or more, in their order, at even distances?"""
    return len(x) > 2 and bool(np.ptp(x) > 0) and np.allclose(np.diff(x, axis=0), (x[-1] - x[0]) / (len(x) - 1), atol=1e-6 * np.ptp(x))


def rows_of(paths):
    """(places along the line, t[row], {rho, u, v, w, p}[row, place])"""
    def read(file):
        return file["x"][:], file["t"][:], {name: file[name][:] for name in ("rho", "u", "v", "w", "p")}
    parts = [hdf5.read(path, read) for path in paths]
    x = parts[0][0]
    along = x[:, int(np.argmax(np.ptp(x, axis=0)))]
    t = np.concatenate([p[1] for p in parts])
    _, first = np.unique(t[::-1], return_index=True)     # a row that was written again after a restart: the last
    rows = len(t) - 1 - first
    return along, t[rows], {name: np.concatenate([p[2][name] for p in parts])[rows] for name in parts[0][2]}


def section(mach, gamma):
    """The section of a stream tube over that where it is sonic."""
    return (2 / (gamma + 1) * (1 + (gamma - 1) / 2 * mach**2))**((gamma + 1) / (2 * gamma - 2)) / mach


def jet_of(case):
    """(Mach number, diameter) of a jet expanded to the pressure around it, from the case of a nozzle that is choked; None of others."""
    gamma, nozzle = case.get("equations.gamma"), case.get("grid.nozzle")
    said = " ; ".join(case.get("boundaries.patches") or [])
    total = re.search(r"total,[^;]*pressure\s*=\s*([\d.eE+-]+)", said)
    around = re.search(r"farfield,[^;]*pressure\s*=\s*([\d.eE+-]+)", said)
    if case.get("grid.kind") != "jet" or not (gamma and nozzle and total and around):
        return None
    ratio = float(total.group(1)) / float(around.group(1))
    square = 2 / (gamma - 1) * (ratio**((gamma - 1) / gamma) - 1)
    return (np.sqrt(square), min(nozzle[1:]) * np.sqrt(section(np.sqrt(square), gamma))) if square > 1 else None


def cell_of(jet):
    """Prandtl and Pack's length of the first shock cell."""
    mach, diameter = jet
    return LONGEST * np.sqrt(mach**2 - 1) * diameter


def maxima(x, p):
    """Where a mean pressure has maxima that rise above both neighbouring minima by PROMINENT of its range; values that are equal at
    neighbouring points, as those of one cell are, count as one at their middle."""
    edges = np.flatnonzero(np.diff(p)) + 1
    first, last = np.append(0, edges), np.append(edges, len(p)) - 1
    at, value = (x[first] + x[last]) / 2, p[first]
    turns = [i for i in range(1, len(value) - 1) if (value[i] - value[i - 1]) * (value[i + 1] - value[i]) < 0]
    found = True
    while found and len(turns) > 1:      # take away the pair of turns between which the pressure changes least
        steps = np.abs(np.diff(value[turns]))
        k = int(steps.argmin())
        found = bool(steps[k] < PROMINENT * np.ptp(value))
        if found:
            del turns[k:k + 2]
    ends = [0, *turns, len(value) - 1]
    return np.array([at[i] for before, i, after in zip(ends, turns, ends[2:])
                     if value[i] - max(value[before], value[after]) >= PROMINENT * np.ptp(value)])


def means_of(run, options):
    """(place, {what: (mean, rms about it)}, number of rows) over --from to --to, else the later half."""
    lines = lines_in(run)
    if not lines:
        raise Absent(f"{run.path}: has no line of probes (output.probes of solver fct)")
    name = options.field or next(iter(lines))
    if name not in lines:
        raise Problem(f"{run.path}: has no line {name[:80]}; the lines are {', '.join(lines)}")
    x, t, row = rows_of(lines[name])
    inside = options.within(t) if options.windowed else t >= t.max() / 2
    if not inside.any():
        raise Absent(f"{run.path}: no rows of {name} at these times; the rows cover t = {t.min():g} to {t.max():g}")
    gamma = run.case.get("equations.gamma") or 1.4
    speed = np.sqrt(row["u"]**2 + row["v"]**2 + row["w"]**2)
    mach, p = (speed / np.sqrt(gamma * row["p"] / row["rho"]))[inside], row["p"][inside]
    return x, {"mach": (mach.mean(axis=0), mach.std(axis=0)), "p": (p.mean(axis=0), p.std(axis=0))}, int(inside.sum())


def draw(runs, options):
    figure, axes = page.panels(2, 1, height=6.0, sharex=True)
    for i, run in enumerate(runs):
        x, means, n = means_of(run, options)
        for axis, (mean, rms) in zip(axes[:, 0], means.values()):
            axis.plot(x, mean, color=style.COLORS[i], linestyle=style.LINES[i], label=f"{run.label}, mean of {n} rows")
            axis.fill_between(x, mean - rms, mean + rms, color=style.COLORS[i], alpha=0.2, linewidth=0)
    jet = jet_of(runs[0].case)
    if jet:
        x, means, _ = means_of(runs[0], options)
        at = maxima(x, means["p"][0])
        if len(at) > 1:
            axes[1, 0].plot(at, np.interp(at, x, means["p"][0]), color=style.COLORS[0], marker="v", markersize=5, linestyle="none",
                            label=f"{len(at)} maxima, on average {np.mean(np.diff(at)):.3g} apart")
            axes[1, 0].legend()
        marks = [at for at in cell_of(jet) * np.arange(1, CELLS + 1) if at <= x.max()]
        for axis in axes[:, 0]:
            for at in marks:
                axis.axvline(at, color=style.INK, linestyle=":", linewidth=1)
        axes[0, 0].axhline(jet[0], color="#777777", linestyle="--", linewidth=1, label=f"Mach number at ambient pressure: {jet[0]:.3f}")
        axes[0, 0].plot([], [], color=style.INK, linestyle=":", linewidth=1, label=f"Prandtl-Pack cell length: {cell_of(jet):.2f}")
    page.name_axes(axes[0, 0], "", "Mach number")
    page.name_axes(axes[1, 0], f"distance along the line{style.unit_text('L')}", f"pressure{style.unit_text('M/(L T^2)')}")
    page.legend(axes[0, 0])
    page.title(figure, options.title_of(runs))
    return figure
