"""budget: dE/dt, injection and dissipation, and what they leave over."""
import numpy as np

from triad_plot.compute import closes
from triad_plot.draw import page, style
from triad_plot.problem import Absent


def balance_of(run):
    try:
        return closes.balance_of(run)[0]
    except ValueError as error:
        raise Absent(f"{run.series.path}: {error}") from None


def draw_terms(axis, b, inside, loss):
    terms = ((r"$dE/dt$", b.change), (r"injection $P$", b.gain), (rf"$-${loss} $-\varepsilon$", -b.loss))
    for j, (label, y) in enumerate(terms):
        t, y = page.thin(b.t[inside], y[inside])
        axis.plot(t, y, color=style.COLORS[j], linestyle=style.LINES[j], label=label)
    axis.axhline(0, color=style.INK, linewidth=0.8)
    page.name_axes(axis, "", f"rate{style.unit_text('U^2/T')}")
    page.legend_above(axis)


def draw_residual(axis, b, inside, color, label):
    """|r| over the largest term of the whole run, on a log axis; grey: what the quadrature itself may be wrong by."""
    scale = max(np.abs(b.gain).max(), np.abs(b.loss).max(), np.abs(b.change).max()) or 1.0
    t, y, doubt = page.thin(b.t[inside], np.abs(b.residual[inside]) / scale, b.doubt[inside] / scale)
    axis.plot(t, np.where(y > 0, y, np.nan), color=color, label=label, linewidth=1.3)
    return t, doubt


def draw_drift(runs, options):
    """Where nothing goes in or out, as in a superfluid: how far the energy has moved from where it began."""
    figure, axis = page.one()
    for i, run in enumerate(runs):
        s = run.series
        inside = options.rows(s)
        if s["energy"][0] == 0:
            raise Absent(f"{s.path}: has no energy")
        t, y = page.thin(s.t[inside], s["energy"][inside] / s["energy"][0] - 1)
        axis.plot(t, y, color=style.COLORS[i % len(style.COLORS)], linestyle=style.LINES[i % len(style.LINES)],
                  label=run.label)
    axis.axhline(0, color=style.INK, linewidth=0.8)
    page.name_axes(axis, f"$t${style.unit_text('T')}", r"drift of the energy $E(t)/E(0) - 1$")
    page.describe(figure, "Drift of the energy from its initial value")
    page.legend(axis)
    page.title(figure, options.title_of(runs))
    return figure


def is_closed(run):
    """No energy goes in or out, by the formulae of the series."""
    s = run.series
    return not s["injection"].any() and not s["dissipation"].any()


def draw(runs, options):
    if all(is_closed(run) for run in runs):
        return draw_drift(runs, options)
    one = len(runs) == 1
    figure, axes = page.panels(2 if one else 1, 1, height=5.6 if one else 4.2, sharex=True)
    low = axes[-1, 0]
    for i, run in enumerate(runs):
        b = balance_of(run)
        inside = options.rows(run.series, b.t)
        if one:
            draw_terms(axes[0, 0], b, inside, "cooling" if run.solver == "compressible" else "dissipation")
        t, doubt = draw_residual(low, b, inside, style.COLORS[i % len(style.COLORS)], "residual" if one else run.label)
        if one and (doubt > 0).any():
            low.plot(t, np.where(doubt > 0, doubt, np.nan), color="#888888", linewidth=1, linestyle=":",
                     label="quadrature error")
    page.name_axes(low, f"$t${style.unit_text('T')}", r"$|\,dE/dt - P + \varepsilon\,|$ / largest term", log="y")
    page.finish_log(low)
    page.legend_above(low)
    page.title(figure, options.title_of(runs))
    return figure
