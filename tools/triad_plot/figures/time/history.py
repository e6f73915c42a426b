"""energy, enstrophy, dissipation: columns of series.csv against time."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent

PARTS = {
    "energy": ("energy", "kinetic_energy", "magnetic_energy", "potential_energy", "interaction_energy"),
    "enstrophy": ("enstrophy", "current_squared"),
    "dissipation": ("dissipation", "viscous_dissipation", "joule_dissipation", "diffusive_dissipation",
                    "solenoidal_dissipation", "dilatational_dissipation", "injection"),
}


def parts_of(series, which):
    """Columns to draw: the whole first, then parts that are not the whole itself, or zero throughout."""
    names = [name for name in PARTS.get(which, (which,)) if name in series]
    if which not in names:
        raise Absent(f"{series.path}: has no column {which}")
    whole = series[which]
    return [name for name in names
            if name == which or (np.any(series[name]) and not np.array_equal(series[name], whole))]


def column_of(which, run):
    """The energy of a gas is nearly all heat: what is looked at is the kinetic energy."""
    return "kinetic_energy" if which == "energy" and run.solver == "compressible" else which


def draw(which, runs, options):
    which = column_of(which, runs[0])
    figure, axis = page.one()
    several = len(runs) > 1
    shown, told = False, []
    for i, run in enumerate(runs):
        s = run.series
        names = [which] if several and len(runs) > 2 else parts_of(s, which)
        for j, name in enumerate(names):
            inside = options.rows(s)
            if not np.isfinite(s[name][inside]).any():
                continue
            told.append(name.replace("_", " "))
            t, y = page.thin(s.t[inside], s[name][inside])
            shown = shown or np.any(y)
            label = run.label if several else style.name_of(name)
            if several and j:
                label = f"{run.label}, {style.words_of(name)}"
            axis.plot(t, y, color=style.COLORS[(i if several else j) % len(style.COLORS)],
                      linestyle=style.LINES[(i if several and len(names) == 1 else j) % len(style.LINES)], label=label,
                      marker="o" if len(t) < 3 else None)
    if not shown:
        raise Absent(f"{runs[0].path}: {which} is zero at all these times")
    unit = style.unit_text(runs[0].series.unit(which))
    page.name_axes(axis, f"$t${style.unit_text('T')}", f"{style.name_of(which)}{unit}")
    low, high = axis.get_ylim()
    if low > 0 and low < 0.6 * high:
        axis.set_ylim(bottom=0)
    page.legend(axis)
    page.describe(figure, f"{', '.join(dict.fromkeys(told))} against time")
    page.title(figure, options.title_of(runs))
    return figure
