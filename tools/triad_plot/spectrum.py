"""spectrum: E(k) at some times, or of several runs at one time; compensated: in Kolmogorov's units."""
import numpy as np

from triad_plot import page, style
from triad_plot.problem import Absent

MOST_TIMES = 6
ROUND_OFF = 1e-14
PARTS = ("E_kinetic", "E_magnetic", "E_potential", "E_interaction", "E_incompressible", "E_compressible")


def pick(spectra, options):
    """The files to draw: nearest to --at, else MOST_TIMES of those within --from and --to, evenly, first and last."""
    if options.at is not None:
        return [min(spectra, key=lambda s: abs(s.t - options.at))]
    inside = [s for s in spectra if options.within(np.array([s.t]))[0]]
    if not inside:
        raise Absent(f"no spectra between t = {options.t_from:g} and {options.t_to:g}")
    if len(inside) <= MOST_TIMES:
        return inside
    return [inside[i] for i in np.unique(np.linspace(0, len(inside) - 1, MOST_TIMES).round().astype(int))]


def last(spectra, options):
    return pick(spectra, options)[-1]


def label_of(run, s):
    """In a figure of several runs."""
    return f"{run.label}, $t$ = {style.number(s.t)}"


def curve(s, name):
    """k and the density E(k) of the shells that hold energy, the mean left out."""
    k, e = s["k"], s[name]
    if e.shape != k.shape:
        raise Absent(f"{s.path}: {name} is not a spectrum over shells")
    keep = (k > 0) & np.isfinite(e)
    # where a flow has no modes of a shell there is round-off
    keep &= e > ROUND_OFF * np.max(e[keep], initial=0.0)
    return k[keep], e[keep] / s.k_min


def floor(curves):
    """The lower end of the axis."""
    top = max(e.max() for _k, e in curves if len(e))
    tail = min(e.min() for _k, e in curves if len(e))
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


def field_of(runs, options):
    """The dataset to draw: a superfluid's spectrum is that of its vortices."""
    return options.field or ("E_incompressible" if all("E_incompressible" in run.spectra[-1] for run in runs) else "E")


def lines(runs, options):
    """(spectra file, dataset, label, colour, line style) of each curve."""
    name = field_of(runs, options)
    if len(runs) > 1:
        return [(s, name, label_of(run, s), style.COLORS[i % len(style.COLORS)], style.LINES[i % len(style.LINES)])
                for i, (run, s) in enumerate((run, last(run.spectra, options)) for run in runs)]
    chosen = pick(runs[0].spectra, options)
    if len(chosen) > 1 or options.field:
        return [(s, name, f"$t$ = {style.number(s.t)}", color, "-") for s, color in
                zip(chosen, style.in_time(len(chosen)))]
    parts = ["E", *(p for p in PARTS if p in chosen[0])]
    return [(chosen[0], p, f"{style.words_of(p)} {style.symbol_of(p)}", style.COLORS[i % len(style.COLORS)],
             style.LINES[i % len(style.LINES)]) for i, p in enumerate(parts)]


def draw(runs, options):
    figure, axis = page.one()
    page.name_axes(axis, "", "", log="xy")
    curves = []
    for s, name, label, color, dash in lines(runs, options):
        k, e = curve(s, name)
        if len(k) == 0:
            continue
        curves.append((k, e))
        axis.plot(k, e, color=color, linestyle=dash, label=label, marker="o" if len(k) < 4 else None, markersize=4)
    if not curves:
        raise Absent(f"{runs[0].path}: its spectra hold no energy")
    name = field_of(runs, options)
    if name.startswith("E"):
        guide(axis, *curves[-1], *slope_of(runs[0]))
    axis.set_ylim(bottom=floor(curves[-1:] if len(runs) == 1 else curves))
    unit = runs[0].spectra[0].units.get(name, "")
    page.name_axes(axis, f"$k${style.unit_text('1/L')}", f"{style.symbol_of(name)}$(k)${style.unit_text(per_k(unit))}")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + at_text(runs, options))
    return figure


def per_k(unit):
    """The unit of a density in k: U^2 becomes U^2 L, U^2/L becomes U^2."""
    if not unit:
        return ""
    return unit[:-2] if unit.endswith("/L") else f"{unit} L"


def at_text(runs, options):
    if len(runs) > 1 or options.at is None:
        return ""
    return f"   t = {style.number(last(runs[0].spectra, options).t)}"
