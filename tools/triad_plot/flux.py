"""flux: Pi(k) averaged over time, with its spread."""
import numpy as np

from triad_plot import page, style
from triad_plot.problem import Absent

PARTS = ("Pi", "Pi_u", "Pi_b", "Pi_advection", "Pi_lorentz", "Pi_theta")


def window(run, options):
    """Files within --from and --to; without them the later half of the times (t > 0), where a flow has developed."""
    spectra = [s for s in run.spectra if "Pi" in s]
    if not spectra:
        raise Absent(f"{run.path}: its spectra have no flux Pi (output.transfer)")
    if not options.windowed:
        spectra = [s for s in spectra if s.t >= spectra[-1].t / 2]
    inside = [s for s in spectra if options.within(np.array([s.t]))[0]]
    if not inside:
        raise Absent(f"{run.path}: no spectra in the times asked for")
    return inside


def statistics(files, name):
    """k, mean over the files, quartiles, least, largest."""
    table = np.array([s[name] for s in files])
    k = files[0]["k"]
    keep = k > 0
    q1, q3 = np.percentile(table, (25, 75), axis=0)
    return k[keep], *(v[keep] for v in (table.mean(axis=0), q1, q3, table.min(axis=0), table.max(axis=0)))


def draw_band(axis, files, name, color, dash, label, spread):
    """The mean; with `spread` quartiles (darker) and extremes (lighter) over time."""
    k, mean, q1, q3, least, most = statistics(files, name)
    if len(files) > 1 and spread:
        axis.fill_between(k, least, most, color=color, alpha=0.13, linewidth=0)
        axis.fill_between(k, q1, q3, color=color, alpha=0.25, linewidth=0)
    axis.plot(k, mean, color=color, linestyle=dash, label=label)


def names_in(files, options):
    if options.field:
        files[0][options.field]
        return [options.field]
    first = files[-1]
    return [n for n in PARTS if n in first and (n == "Pi" or not np.array_equal(first[n], first["Pi"]))]


def symbol(name):
    part = {"": "", "u": "u", "b": "b", "advection": r"\mathrm{adv}", "lorentz": r"\mathrm{Lor}",
            "theta": r"\theta"}.get(name[3:], r"\mathrm{%s}" % name[3:].replace("_", " "))
    return rf"$\Pi_{{{part}}}$" if part else r"$\Pi$"


def draw(runs, options):
    figure, axis = page.one()
    axis.set_xscale("log")
    for i, run in enumerate(runs):
        files = window(run, options)
        names = names_in(files, options) if len(runs) == 1 else [options.field or "Pi"]
        for j, name in enumerate(names):
            n = i if len(runs) > 1 else j
            draw_band(axis, files, name, style.COLORS[n % len(style.COLORS)], style.LINES[n % len(style.LINES)],
                      run.label if len(runs) > 1 else symbol(name), spread=j == 0)
        eps = np.array([run.scale_of("dissipation", s.t) for s in files])
        if len(runs) == 1 and np.isfinite(eps).all() and eps.any():
            axis.axhline(eps.mean(), color="#777777", linestyle=(0, (2, 3)), label=r"mean $\varepsilon$", linewidth=1.2)
    axis.axhline(0, color=style.INK, linewidth=0.8)
    page.name_axes(axis, f"$k${style.unit_text('1/L')}", rf"flux $\Pi(k)${style.unit_text('U^2/T')}")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + (span_text(files) if len(runs) == 1 else ""))
    return figure


def span_text(files):
    first, end = style.number(files[0].t), style.number(files[-1].t)
    return f"   t = {first} to {end}, {len(files)} times" if len(files) > 1 else f"   t = {first}"
