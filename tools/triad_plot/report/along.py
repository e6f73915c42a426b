"""Sum rules of tracers, for the report: what is true of them at one time is true of the field, but for the error of so many samples."""
import math

import numpy as np

from triad_plot.problem import Absent
from triad_plot.read import hdf5, space
from triad_plot.report.verdict import PASS, WARN, Check

SOLENOIDAL = ("hd", "boussinesq", "mhd")   # what is spread evenly stays so
FEWEST = 100          # tracers whose mean says something
MOST_POINTS = 64**3  # of a field that a report transforms


def tracers_of(run):
    return {name: g for name, g in run.particles.items() if g.kind(run) == "tracer" and g.count >= FEWEST}


def energy(run):
    """A tracer of a solenoidal velocity is anywhere with the same probability: its mean energy is the field's, but for the error of so many samples."""
    if run.solver not in SOLENOIDAL:
        raise Absent("tracers of a velocity with divergence are not spread evenly")
    s, worst, n, at = run.series, 0.0, 0, ""
    for name, group in tracers_of(run).items():
        for i, step in enumerate(group.step):
            row = s.row_of(step)
            if row is None or not s["energy"][row] > 0:
                continue
            e = 0.5 * (group.part("velocity", i) ** 2).sum(-1)
            share = abs(e.mean() - group.kinetic(s, row)) / (e.std() / math.sqrt(group.count))
            n += 1
            if share >= worst:
                worst, at = share, f"{name} at t = {group.t[i]:g}"
    if n == 0:
        raise Absent("no tracers at the times of the series")
    limit = 4 + math.sqrt(2 * math.log(n))   # of n normal numbers, pairs of a start being two at one place
    return Check(PASS if worst <= limit else WARN, "Tracers sample the flow uniformly: their mean energy equals that of the field",
                 f"largest difference {worst:.1f} standard errors ({at}), in {n} rows (limit {limit:.1f})")


def square_of_field(field, viscosity, stirring):
    """Mean of |Du/Dt|^2, Du/Dt = du/dt + N with N = (u.grad) u: of kept modes -grad p + viscosity lap u + stirring u, where those of
    -grad p are k (k.N)/k^2; of the others N, with which du/dt has nothing to do."""
    k = [space.wavenumbers(field.n[a], field.lengths[a], a == 2).reshape([-1 if b == a else 1 for b in range(3)]) for a in (2, 1, 0)]
    k2 = sum(x**2 for x in k)
    values, modes = [field.values(name) for name in "uvw"], [field.spectrum(name) for name in "uvw"]
    rates = [np.fft.rfftn(sum(values[j] * field.derivative(name, 2 - j) for j in range(3))) / np.prod(field.n) for name in "uvw"]
    along = sum(k[i] * rates[i] for i in range(3)) / np.where(k2 > 0, k2, 1)
    twice = np.where((np.arange(field.n[2] // 2 + 1) == 0) | (2 * np.arange(field.n[2] // 2 + 1) == field.n[2]), 1, 2)
    own = sum(np.abs(u) for u in modes) > 0 if field.modes else True
    return float(sum((twice * np.abs(np.where(own, k[i] * along, rates[i]) + (stirring - viscosity * k2) * modes[i])**2).sum()
                     for i in range(3)))


def squares(group, i, stride):
    """|dv/dt|^2 of each at row i, by differences over `stride` rows: central ones, or at the last row those of three rows."""
    v, h = lambda row: group.part("velocity", row), stride * group.interval
    if i + stride < len(group.t):
        a = (v(i + stride) - v(i - stride)) / (2 * h)
    else:
        a = (3 * v(i) - 4 * v(i - stride) + v(i - 2 * stride)) / (2 * h)
    return (a**2).sum(-1)


def last_field(run):
    """The newest field that a check can afford, of the equations whose acceleration square_of_field knows."""
    if run.solver != "hd" or any(run.case.get("equations.rotation") or []) or run.case.get("equations.hyperviscosity") or \
            run.case.get("equations.drag"):
        raise Absent("the equations have more terms than Navier-Stokes")
    t, path = space.files(run, "checkpoint")[-1]
    n = run.case.get("grid.n") or [0, 0, 0]
    if not 0 < np.prod(n) <= MOST_POINTS or min(n) < 2:
        raise Absent("too many points for a report")
    return t, hdf5.read(path, lambda file: space.Space(path, file, -(-3 * max(n) // 2)))


def acceleration(run):
    """The variance of tracers' accelerations is that of the field's."""
    groups, found = tracers_of(run), []
    if not groups:
        raise Absent("no tracers")
    t, field = last_field(run)
    power, e = run.scale_of("injection", t), run.scale_of("energy", t)
    # a force of the power P that acts along the velocity of the large scales is P u/(2 E)
    exact = square_of_field(field, run.case.get("equations.viscosity") or 0.0, power / (2 * e) if e > 0 and power > 0 else 0.0)
    for name, group in groups.items():
        if not group.is_even:
            continue  # the differences below are over even gaps
        h, i = group.interval, int(np.argmin(abs(group.t - t)))
        if abs(group.t[i] - t) > 1e-6 * h or i < 4 or not exact > 0:
            continue
        fine, coarse = squares(group, i, 1), squares(group, i, 2)
        doubt = 4 * fine.std() / math.sqrt(group.count) + abs(fine.mean() - coarse.mean())
        found.append((abs(fine.mean() - exact) / doubt, fine.mean() / exact, doubt / exact, name))
    if not found:
        raise Absent("no row of tracers at the time of a checkpoint")
    share, ratio, doubt, name = max(found)
    return Check(PASS if share <= 1 else WARN, "Tracers accelerate with the flow: their variance of acceleration equals that of Du/Dt",
                 f"ratio {ratio:.3f} at t = {t:g} ({name}; tolerance from four standard errors and time differences: "
                 f"{doubt:.2g})")
