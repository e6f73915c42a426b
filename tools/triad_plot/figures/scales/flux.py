"""flux and transfer: Pi(k), or k T(k), averaged over time, with the spread of the first of them."""
import numpy as np

from triad_plot.compute import average
from triad_plot.draw import page, style
from triad_plot.problem import USAGE, Absent, Problem

PARTS = ("", "_u", "_b", "_advection", "_lorentz", "_theta")
WORDS = {"u": "u", "b": "b", "advection": r"\mathrm{adv}", "lorentz": r"\mathrm{Lor}", "theta": r"\theta"}
# name of the datasets: symbol, words of the axis
KINDS = {"Pi": (r"\Pi", "flux"), "T": ("T", "transfer")}


def names_in(run, options, head):
    if options.field:
        names = options.field.split(",")
        for name in names:
            if name.split("_")[0] != head:
                raise Problem(f"--field {name}: no {KINDS[head][1]}; use {head}, {head}_u, ..", USAGE)
        return names
    newest = run.spectra[-1]
    if head not in newest:
        raise Absent(f"{run.path}: its spectra have no {KINDS[head][1]} {head} (output.transfer)")
    names = [head + part for part in PARTS if head + part in newest]
    return [n for n in names if n == head or not np.array_equal(newest[n], newest[head])]


def symbol(name, head, axis):
    """Pi_theta as a formula of its wavenumber."""
    part = style.of_whole(name, axis)[len(head) + 1:]
    part = WORDS.get(part, r"\mathrm{%s}" % part.replace("_", r"\ ")) if part else ""
    return rf"${KINDS[head][0]}_{{{part}}}$" if part else rf"${KINDS[head][0]}$"


def draw_one(axis, files, name, look, label, head, spread):
    """The mean; with `spread` quartiles and extremes. The area under k T on a log axis of k is the sum of T."""
    scale = files[-1].along(name)[:max(s.kept(name) for s in files)] / files[-1].width(name) if head == "T" else 1.0
    found = average.statistics(files, name, scale)
    if len(files) > 1 and spread:
        average.draw_spread(axis, found, look["color"])
    axis.plot(found[0], found[1], label=label, **look)


def draw(head, runs, options):
    figure, axis = page.one()
    axis.set_xscale("log")
    several = len(runs) > 1
    for i, run in enumerate(runs):
        names = names_in(run, options, head)
        for j, name in enumerate(names[:1] if several else names):
            files = average.window(run, options, name)
            over = files[-1].axis(name)
            n = i if several else j
            look = {"color": style.COLORS[n % len(style.COLORS)], "linestyle": style.LINES[n % len(style.LINES)]}
            draw_one(axis, files, name, look, run.label if several else symbol(name, head, over), head, spread=j == 0)
    if not several and head == "Pi":
        draw_dissipation(axis, runs[0], files)
    axis.axhline(0, color=style.INK, linewidth=0.8)
    page.name_axes(axis, style.wavenumber(over), f"{KINDS[head][1]} {ordinate(names[0], head, over)}"
                   f"{style.unit_text(files[-1].units.get(name, ''))}")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + ("" if several else "   " + average.span_text(files)))
    return figure


def draw_dissipation(axis, run, files):
    eps = np.array([run.scale_of("dissipation", s.t) for s in files])
    if np.isfinite(eps).all() and eps.any():
        axis.axhline(eps.mean(), color="#777777", linestyle=(0, (2, 3)), label=r"mean $\varepsilon$", linewidth=1.2)


def ordinate(name, head, over):
    k = style.wavenumber_symbol(over)
    return rf"${k}\,T({k})$" if head == "T" else rf"$\Pi({k})$"
