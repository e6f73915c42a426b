"""compensated: E(k) k^(5/3) eps^(-2/3) against k eta; with a magnetic field E(k) k^(3/2) (eps B)^(-1/2).

eps, eta: dissipation and kolmogorov_scale of series.csv at the time of the spectrum; B^2 = |B0|^2 + 2 E_b, the mean
square of the magnetic field. Kolmogorov 1941; Iroshnikov 1964 and Kraichnan 1965, Phys. Fluids 8, 1385.

A spectrum of that slope is level here, at the height of its constant C: the geometric mean over the octave where the
curve is most level, told if there its logarithm goes up or down by less than LEVEL. Only octaves below INERTIAL count:
above it viscosity is felt, and any curve that rises and falls is level somewhere. The dashed line is C = 1.62 of
experiments (Sreenivasan 1995, Phys. Fluids 7, 2778: 0.53 +- 0.055 for the 1-D spectrum, times 55/18).
"""
import math

import numpy as np

from triad_plot.compute import average
from triad_plot.draw import page, style
from triad_plot.figures.scales.spectrum import Curve, curve, draw_curve, label_of, last, look, pick, time_text
from triad_plot.problem import Absent

KOLMOGOROV = 1.62
OCTAVE = 2.0
FEWEST = 3   # points that a slope is taken from
LEVEL = 0.3
INERTIAL = 2 * math.pi / 60   # k eta: eddies smaller than 60 eta feel viscosity (Pope 2000, Turbulent Flows, chapter 6)


def is_magnetic(s):
    return "E_magnetic" in s


def scales(run, s):
    """(factor of E(k) k^p, eta) at the time of the spectrum, or None where eps or eta is not a positive number."""
    eps, eta = run.scale_of("dissipation", s.t), run.scale_of("kolmogorov_scale", s.t)
    if not (eps > 0 and eta > 0 and math.isfinite(eps) and math.isfinite(eta)):
        return None
    if not is_magnetic(s):
        return eps ** (-2 / 3), eta
    mean = run.case.get("equations.mean_field") or [0.0]
    square = sum(b * b for b in mean) + 2 * float(s["E_magnetic"].sum())
    return (1 / math.sqrt(eps * math.sqrt(square)), eta) if square > 0 else None


def compensate(run, s, label, line):
    """The Curve of one file, or None where there are no scales or fewer than two shells."""
    found = scales(run, s)
    k, e = curve(s, "E")
    if not found or len(k) < 2:
        return None
    return Curve(k * found[1], e * k ** (1.5 if is_magnetic(s) else 5 / 3) * found[0], label, line)


def mean_of(run, options, label, line):
    """Each time in its own units, then the mean, on the k eta of the mean of eta: a band of shells stays a band."""
    files = [s for s in average.window(run, options, "E") if scales(run, s)]
    if not files:
        return None
    end = max(s.kept("E") for s in files)
    k = files[-1].along("E")[1:end]
    power = 1.5 if is_magnetic(files[-1]) else 5 / 3
    table = np.array([s["E"][1:end] / s.width("E") * k ** power * scales(run, s)[0] for s in files])
    x = k * float(np.mean([scales(run, s)[1] for s in files]))
    q1, q3 = np.percentile(table, (25, 75), axis=0)
    mean = table.mean(axis=0)
    spread = (x, mean, q1, q3, table.min(axis=0), table.max(axis=0)) if len(files) > 1 else ()
    return Curve(x, np.where(mean > 0, mean, np.nan), label or average.span_text(files), line, spread)


def chosen(runs, options):
    """Every curve to draw."""
    if len(runs) == 1 and not options.mean:
        files = [s for s in pick(runs[0].spectra, options) if scales(runs[0], s)]
        out = [compensate(runs[0], s, f"t = {style.number(s.t)}", {"color": color})
               for s, color in zip(files, style.in_time(len(files)))]
    elif options.mean:
        out = [mean_of(run, options, run.label if len(runs) > 1 else "", look(i, i)) for i, run in enumerate(runs)]
    else:
        out = [compensate(run, s, label_of(run, s), look(i, i))
               for i, (run, s) in enumerate((run, last(run.spectra, options)) for run in runs)]
    return [c for c in out if c]


def plateau(x, y):
    """(first, last, C) of the octave of x where the slope of log y against log x is least; None where no octave is level."""
    best = None
    x, y = (v[np.isfinite(y) & (y > 0)] for v in (x, y))
    for i, first in enumerate(x):
        inside = (x >= first) & (x <= OCTAVE * first * (1 + 1e-12))
        if OCTAVE * first > x[-1] * (1 + 1e-12) or inside.sum() < FEWEST:
            continue
        slope = abs(np.polyfit(np.log(x[inside]), np.log(y[inside]), 1)[0])
        level = float(np.exp(np.mean(np.log(y[inside]))))
        if slope * math.log(OCTAVE) < LEVEL and (best is None or slope < best[0]):
            best = (slope, first, OCTAVE * first, level)
    return best[1:] if best else None


def draw_plateau(axis, c, magnetic):
    inertial = c.k <= INERTIAL
    found = plateau(c.k[inertial], c.e[inertial])
    if found:
        first, end, level = found
        axis.plot([first, end], [level, level], color=style.INK, linewidth=2.6, solid_capstyle="butt",
                  label=f"$C$ = {level:.2f}, flattest octave")
    if not magnetic:
        axis.axhline(KOLMOGOROV, color="#777777", linestyle="--", linewidth=1.1, label=f"$C$ = {KOLMOGOROV}, experiments")


def draw(runs, options):
    figure, axis = page.one()
    page.name_axes(axis, "", "", log="xy")
    curves = chosen(runs, options)
    if not curves:
        raise Absent(f"{runs[0].path}: no time has spectra, dissipation and "
                     "kolmogorov_scale")
    magnetic = is_magnetic(runs[-1].spectra[-1])
    for c in curves:
        draw_curve(axis, c)
    if len(runs) == 1:
        draw_plateau(axis, curves[-1], magnetic)
    top = max(np.nanmax(c.e) for c in curves)
    axis.set_ylim(max(axis.get_ylim()[0], 1e-4 * top), 2 * max(top, 0 if magnetic else KOLMOGOROV))
    label = r"$E(k)\,k^{3/2}\,(\varepsilon B)^{-1/2}$" if magnetic else r"$E(k)\,k^{5/3}\,\varepsilon^{-2/3}$"
    page.name_axes(axis, r"$k\,\eta$", label)
    page.describe(figure, "E(k) k^(3/2) (eps B)^(-1/2) against k eta" if magnetic else "E(k) k^(5/3) eps^(-2/3) against k eta")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + time_text(runs, options, curves))
    return figure
