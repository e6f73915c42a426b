"""spectrum: E(k), or another spectrum of the files, at some times or its mean over time, of one run or several.

A dataset is a sum over a shell (ring, pair of planes); drawn is the density in k, the sum over the width of a shell.
"""
from typing import NamedTuple

import numpy as np

from triad_plot.compute import average
from triad_plot.draw import page, style
from triad_plot.problem import Absent

MOST_TIMES = 6
ROUND_OFF = 1e-14
PARTS = ("E_kinetic", "E_magnetic", "E_potential", "E_interaction", "E_incompressible", "E_compressible")


class Curve(NamedTuple):
    """k and a density there; `spread`, what average.statistics gives, of a mean over several times."""
    k: np.ndarray
    e: np.ndarray
    label: str
    look: dict
    spread: tuple = ()


def pick(spectra, options):
    """The files to draw: nearest to --at, else MOST_TIMES of those within --from and --to, evenly, first and last."""
    if options.at is not None:
        return [min(spectra, key=lambda s: abs(s.t - options.at))]
    inside = options.inside(spectra, "no spectra")
    if len(inside) <= MOST_TIMES:
        return inside
    return [inside[i] for i in np.unique(np.linspace(0, len(inside) - 1, MOST_TIMES).round().astype(int))]


def last(spectra, options):
    return pick(spectra, options)[-1]


def label_of(run, s):
    """In a figure of several runs."""
    return f"{run.label}, t = {style.number(s.t)}"


def curve(s, name):
    """k and the density of the shells that hold something, the mean left out."""
    s.axis(name)
    k, e = s.along(name), s[name]
    keep = (k > 0) & np.isfinite(e) & (np.arange(len(k)) < s.kept(name))
    if not has_sign(s, name):
        # where a flow has no modes of a shell there is round-off
        keep &= e > ROUND_OFF * np.max(e[keep], initial=0.0)
    return k[keep], e[keep] / s.width(name)


def has_sign(s, name):
    """Helicity and cross-spectra go below zero by more than round-off; energies and variances do not."""
    e = s[name][np.isfinite(s[name])]
    return len(e) > 0 and float(e.min()) < -1e-10 * float(np.abs(e).max())


def mean_curve(run, options, name, label, look):
    files = average.window(run, options, name)
    k, *table = average.statistics(files, name, 1 / files[-1].width(name))
    keep = slice(None) if has_sign(files[-1], name) else table[0] > ROUND_OFF * table[0].max()
    k, mean, *edges = (v[keep] for v in (k, *table))
    label = label or average.span_text(files)
    return Curve(k, mean, label, look, (k, mean, *edges) if len(files) > 1 else ())


def floor(curves):
    """The lower end of the axis."""
    top = max(c.e.max() for c in curves)
    tail = min(c.e[c.e > 0].min() for c in curves)
    return max(tail / 2, 1e-12 * top)


def guide(axis, k, e, slope, label, lift=3.0):
    """A straight line k^slope above the curve in the middle of its range."""
    inside = (k >= k[0] * 2) & (k <= k[-1] / 2)
    if inside.sum() < 3:
        return
    x = k[inside][[0, -1]]
    y = lift * np.max(e[inside] / k[inside] ** slope) * x ** slope
    axis.plot(x, y, color="#777777", linewidth=1.1, linestyle="--", label=label)


def slope_of(run):
    return (-1.5, r"$k^{-3/2}$") if run.solver == "mhd" else (-5 / 3, r"$k^{-5/3}$")


def fields_of(runs, options):
    """The datasets to draw: a superfluid's spectrum is that of its vortices."""
    if options.field:
        return options.field.split(",")
    if all("E_incompressible" in run.spectra[-1] for run in runs):
        return ["E_incompressible"]
    one_file = len(runs) == 1 and not options.mean and len(pick(runs[0].spectra, options)) == 1
    return ["E", *(p for p in PARTS if p in runs[0].spectra[-1])] if one_file else ["E"]


def look(i, j=0):
    """Run i has a colour, its datasets dashes; of one run both change with the dataset."""
    return {"color": style.COLORS[i % len(style.COLORS)], "linestyle": style.LINES[j % len(style.LINES)]}


def curves_of(runs, options, names):
    """Every curve: several times of one dataset of one run, or else a time, or mean, of each dataset of each run."""
    if len(runs) == 1 and len(names) == 1 and not options.mean:
        files = pick(runs[0].spectra, options)
        return [Curve(*curve(s, names[0]), f"t = {style.number(s.t)}", {"color": color})
                for s, color in zip(files, style.in_time(len(files)))]
    out = []
    for i, run in enumerate(runs):
        for j, name in enumerate(names):
            n = (i, j if len(names) > 1 else i) if len(runs) > 1 else (j, j)
            words = words_of(name, names, run.spectra[-1]) if len(names) > 1 else ""
            if options.mean:
                label = ", ".join(filter(None, (run.label if len(runs) > 1 else "", words)))
                out.append(mean_curve(run, options, name, label, look(*n)))
            else:
                s = last(run.spectra, options)
                label = ", ".join(filter(None, (label_of(run, s) if len(runs) > 1 else "", words)))
                out.append(Curve(*curve(s, name), label, look(*n)))
    return out


def words_of(name, names, s):
    """Of one among several datasets; with its wavenumber where they are over different ones."""
    axis = s.axis(name)
    words = style.name_of(style.of_whole(name, axis))
    return f"{words} against ${style.wavenumber_symbol(axis)}$" if len({s.axis(n) for n in names}) > 1 else words


def draw_curve(axis, c, positive=True):
    if c.spread:
        average.draw_spread(axis, c.spread, c.look["color"], positive)
    axis.plot(c.k, c.e, label=c.label, marker="o" if len(c.k) < 4 else None, markersize=4, **c.look)


def draw(runs, options):
    names = fields_of(runs, options)
    figure, axis = page.one()
    newest = runs[0].spectra[-1]
    over = sorted({newest.axis(name) for name in names})
    signed = any(has_sign(newest, name) for name in names)
    page.name_axes(axis, "", "", log="x" if signed else "xy")
    curves = [c for c in curves_of(runs, options, names) if len(c.k)]
    if not curves:
        raise Absent(f"{runs[0].path}: its spectra do not contain {', '.join(names)}")
    for c in curves:
        draw_curve(axis, c, not signed)
    if signed:
        axis.axhline(0, color=style.INK, linewidth=0.8)
    else:
        if all(name.startswith("E") for name in names) and "k_par" not in over:
            top = curves[-1] if len(runs) == len(names) == 1 else max(curves, key=lambda c: c.e.max())
            guide(axis, top.k, top.e, *slope_of(runs[0]))
        axis.set_ylim(bottom=floor(curves[-1:] if len(runs) == len(names) == 1 else curves))
    unit = newest.units.get(names[0], "")
    page.name_axes(axis, ", ".join(f"${style.wavenumber_symbol(a)}$" for a in over) + style.unit_text("1/L"),
                   f"{ordinate(names, over)}{style.unit_text(per_k(unit))}")
    page.describe(figure, f"Spectrum {names[0]}(k)" + ("" if options.mean else " at some times") if len(names) == 1 else
                  f"Spectra {', '.join(names)}")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + time_text(runs, options, curves))
    return figure


def ordinate(names, over):
    if len(names) > 1:
        return "spectra"
    whole = style.of_whole(names[0], over[0])
    return f"{style.symbol_of(whole) or style.words_of(whole) + ' '}$({style.wavenumber_symbol(over[0])})$"


def per_k(unit):
    """The unit of a density in k: U^2 becomes U^2 L, U^2/L becomes U^2."""
    if not unit:
        return ""
    return unit[:-2] if unit.endswith("/L") else f"{unit} L"


def time_text(runs, options, curves=()):
    """The time, for a title, where no legend tells it."""
    if len(runs) > 1:
        return ""
    if options.mean:
        return "   mean over " + average.span_text(average.window(runs[0], options, "k"))
    return f"   t\u00a0=\u00a0{style.number(last(runs[0].spectra, options).t)}" if options.at is not None or (
        curves and not any(c.label.startswith("t = ") for c in curves)) else ""
