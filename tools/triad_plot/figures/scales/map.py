"""map: E(k_perp, k_par) about the axis of the flow, logarithmic colours."""
import numpy as np

from matplotlib.colors import LogNorm

from triad_plot.draw import page, style
from triad_plot.figures.scales.spectrum import last
from triad_plot.problem import Absent

DECADES = 8


def edges(k):
    """Borders of the cells around the wavenumbers k, the first one from 0."""
    middle = (k[1:] + k[:-1]) / 2
    return np.concatenate([[0.0], middle, [2 * k[-1] - middle[-1]]])


def draw_one(figure, axis, run, s, name):
    perp, par, e = s["k_perp"], s["k_par"], s[name]
    if e.shape != (len(perp), len(par)) or len(perp) < 2 or len(par) < 2:
        raise Absent(f"{s.path}: {name} is not a map over k_perp and k_par")
    density = e / ((perp[1] - perp[0]) * (par[1] - par[0]))
    if not (density > 0).any():
        raise Absent(f"{s.path}: {name} is zero everywhere")
    top = density.max()
    shown = np.ma.masked_less_equal(density, 10.0 ** -DECADES * top)
    mesh = axis.pcolormesh(edges(par), edges(perp), shown, norm=LogNorm(10.0 ** -DECADES * top, top),
                           cmap=style.SEQUENTIAL, rasterized=True)
    axis.set_aspect("equal" if 0.5 < perp[-1] / par[-1] < 2 else "auto")
    axis.grid(False)
    page.name_axes(axis, rf"$k_\parallel${style.unit_text('1/L')}", rf"$k_\perp${style.unit_text('1/L')}")
    unit = style.unit_text(f"{s.units.get(name)} L^2") if s.units.get(name) else ""
    symbol = style.symbol_of(name.removesuffix("_2d")) or style.words_of(name.removesuffix("_2d")) + " "
    figure.colorbar(mesh, ax=axis, label=rf"{symbol}$(k_\perp, k_\parallel)${unit}", shrink=0.9)


def draw(runs, options):
    field = options.field or "E"
    name = field if field.endswith("_2d") else f"{field}_2d"
    figure, axes = page.panels(1, len(runs), width=max(6.0, 4.6 * len(runs)), height=4.6)
    for run, axis in zip(runs, axes[0]):
        s = last(run.spectra, options)
        if name not in s:
            raise Absent(f"{s.path}: has no {name}: the flow has no axis (output.spectra_axis)")
        draw_one(figure, axis, run, s, name)
        axis.set_title(f"{run.label + ', ' if len(runs) > 1 else ''}t = {style.number(s.t)}", loc="left")
    page.title(figure, options.title_of(runs))
    return figure
