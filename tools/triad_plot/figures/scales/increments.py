"""increments: probability densities of velocity increments over their rms, at some separations (numerics eq. 25)."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.scales.structure import names_in, newest
from triad_plot.problem import Absent

MOST = 5


def some(r):
    """Indices of up to MOST separations, evenly in log r, the least and the largest among them."""
    inside = np.nonzero(r > 0)[0]
    wanted = np.geomspace(r[inside[0]], r[inside[-1]], MOST)
    return np.unique([inside[np.abs(np.log(r[inside] / x)).argmin()] for x in wanted])


def draw_one(axis, s, name):
    r, z, density = s["r_" + name[-1]], s["z_" + name], s["P_" + name]
    chosen = some(r)
    for i, color in zip(chosen, style.in_time(len(chosen))):
        axis.plot(z, np.where(density[i] > 0, density[i], np.nan), color=color, linewidth=1.5, marker=".", markersize=3,
                  label=f"r = {style.number(r[i])}")
    gauss = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    least = density[density > 0].min()
    axis.plot(z, np.where(gauss > least / 3, gauss, np.nan), color="#777777", linestyle="--", linewidth=1.2,
              label="Gaussian")


def draw(runs, options):
    figure, axes = page.panels(1, len(runs), width=max(7.0, 5.2 * len(runs)), sharey=True)
    for run, axis in zip(runs, axes[0]):
        s = newest(run, options, "P_")
        names = names_in(s, options, "P_")
        if not names:
            raise Absent(f"{s.path}: has no PDF of a longitudinal increment; --field selects another")
        axis.set_yscale("log")
        draw_one(axis, s, names[0])
        field, along = names[0].rsplit("_", 1)
        page.name_axes(axis, rf"increment of ${field}$ along ${along}$ / rms,  $d/S_2^{{1/2}}$",
                       "probability density" if axis is axes[0, 0] else "")
        page.finish_log(axis)
        if len(runs) > 1:
            axis.set_title(f"{run.label}, t = {style.number(s.t)}", loc="left")
        page.legend(axis, fontsize=8.5, loc="upper right")
    page.title(figure, options.title_of(runs) + (f"   t = {style.number(s.t)}" if len(runs) == 1 else ""))
    return figure
