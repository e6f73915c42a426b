"""slice: planes of the flow with a bar of colours each; a flow that varies along a line only, as profiles."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.space import sections
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import planes

MOST_PANELS = 6


def extremes(cut):
    """(least, largest) finite value of the points, or None."""
    finite = cut.values[np.isfinite(cut.values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else None


def colours(low, high, signed):
    """Ends of the bar: about zero for what has a sign."""
    if signed:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    return (low, high) if high > low else (low, low + (abs(low) or 1.0))


def draw_plane(figure, axis, cut, ends):
    values, extent = cut.drawn()
    image = axis.imshow(values, origin="lower", extent=extent, vmin=ends[0], vmax=ends[1], aspect="equal",
                        cmap=style.DIVERGING if cut.signed else style.SEQUENTIAL)
    axis.grid(False)
    page.name_axes(axis, f"${cut.columns[0]}${style.unit_text('L')}", f"${cut.rows[0]}${style.unit_text('L')}")
    bar = figure.colorbar(image, ax=axis, label=cut.symbol + style.unit_text(cut.unit), shrink=0.85, pad=0.02)
    bar.formatter = page.Numbers()
    return image


def draw_line(axis, cut, ends, **look):
    """Values against the coordinate, between `ends` with some air."""
    letter, x = cut.along()
    (line,) = axis.plot(x, cut.values.ravel(), linewidth=1.5, **look)
    air = 0.06 * (ends[1] - ends[0])
    axis.set_ylim(ends[0] - air, ends[1] + air)
    page.name_axes(axis, f"${letter}${style.unit_text('L')}", cut.symbol + style.unit_text(cut.unit))
    return line


def ends_of(cut):
    found = extremes(cut)
    if not found:
        raise Absent(f"{cut.name} has no finite value on this plane")
    return colours(*found, cut.signed and not cut.is_line)


def sheet(cuts):
    """A figure with an axis for each cut."""
    rows_high = np.ptp(cuts[0].rows[1]) / np.ptp(cuts[0].columns[1])
    line = cuts[0].is_line
    columns = 2 if len(cuts) == 4 else min(len(cuts), 3)
    rows = -(-len(cuts) // columns)
    # a plane much higher than wide fills the height of its panel: its labels need the width
    width = max(7.0 if rows_high > 2 and not line else 6.0, (3.6 if line else 4.4) * columns)
    shape = 0.8 if line else min(rows_high, 2.5)
    height = min(12.0, max(2.4, rows * (min(width / columns - 1.5, 4.6) * shape + 0.9)) + 0.3)
    figure, axes = page.panels(rows, columns, width=width, height=height)
    figure.get_layout_engine().set(wspace=0.06)   # between the bar of a panel and the label of the next
    for axis in list(axes.flat)[len(cuts):]:
        axis.set_visible(False)
    return figure, list(axes.flat)[:len(cuts)]


def draw_one(figure, axis, cut, ends):
    return draw_line(axis, cut, ends, color=style.COLORS[0]) if cut.is_line else draw_plane(figure, axis, cut, ends)


def caption_of(cut, time=True):
    """What a panel shows; of profiles only the time, of a film only the place."""
    where = "" if cut.is_line else cut.where
    return ",  ".join(filter(None, (where, f"t = {style.number(cut.t)}" if time else "")))


def draw(runs, options):
    if any(sections.serves(run, options) for run in runs):
        return sections.draw(runs, options)
    if options.streamlines or options.vectors:
        raise Problem("--streamlines and --vectors are for meshes and blocks", USAGE)
    each = [options.at_time(t) for t in options.times] or [options]
    cuts = [(run, cut) for run in runs for one in each for cut in planes.of_run(run, one)][:MOST_PANELS]
    figure, axes = sheet([cut for _run, cut in cuts])
    for axis, (run, cut) in zip(axes, cuts):
        draw_one(figure, axis, cut, ends_of(cut))
        name = f"{run.label}:  " if len(runs) > 1 else ""
        axis.set_title(name + caption_of(cut), loc="left", fontsize=10)
    page.describe(figure, ("Along a line: " if cuts[0][1].is_line else "On a plane: ") +
                  ", ".join(dict.fromkeys(words_of(cut.name) for _run, cut in cuts)))
    page.title(figure, options.title_of(runs))
    return figure


WORDS = {"vorticity": "vorticity magnitude", "current": "current magnitude", "theta": "buoyancy theta",
         "speed": "speed", "magnetic": "magnetic field magnitude", "rho": "density", "p": "pressure",
         "u": "velocity along x", "v": "velocity along y", "w": "velocity along z", "schlieren": "density gradient",
         "mach": "Mach number"}


def words_of(name):
    return WORDS.get(name, name.replace("_", " "))
