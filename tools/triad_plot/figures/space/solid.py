"""vortices and volume: pictures in space of a run's fields or checkpoints, and the frames of films of them."""
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from triad_plot.draw import page, scene, style
from triad_plot.figures.space import slices
from triad_plot.problem import Absent, Problem
from triad_plot.read import space

SIZE, FILM = 1500, 900   # pixels a side, of a picture for print and of a film
SHARE = 0.04         # of the volume that lies inside of the surfaces, where no level is asked for
MIDDLE = 99.5        # percent of the points that colours tell apart
LOW = ("density",)   # what is low in vortices: lines of a superfluid


class Shown:
    """What is to be drawn of one time."""

    def __init__(self, run, options, kind):
        self.space, self.kind = space.of_run(run, options), kind
        self.name = options.field or (space.usual(self.space) if kind == "vortices" else usual_cloud(self.space))
        if "," in self.name:
            raise Problem(f"--field {self.name}: a three-dimensional picture shows one quantity", 64)
        self.values, self.symbol, self.unit, self.signed = space.quantity(self.space, self.name)
        if not np.isfinite(self.values).all():
            raise Absent(f"{self.space.path}: {self.name} is not finite everywhere")
        self.level = options.level if options.level is not None else self.usual_level()
        if kind == "vortices":
            self.colour = options.colour or space.colour_of(self.space, self.name)
            plain = self.colour == self.name
            self.tint = (self.values, self.symbol, self.unit, self.signed) if plain else space.quantity(self.space, self.colour)
        else:
            self.colour, self.tint = self.name, (self.values, self.symbol, self.unit, self.signed)

    def usual_level(self):
        if self.name in LOW:
            return 0.2 * float(self.values.mean())
        return float(np.quantile(self.values, 1 - SHARE))

    def ends(self):
        """Of the colours: near the surface alone, for vortices."""
        values, signed = self.tint[0], self.tint[3]
        if self.kind == "vortices" and self.name not in LOW:
            inside = values[self.values > self.level]
            values = inside if inside.size else values
        low, high = np.percentile(values, [100 - MIDDLE, MIDDLE])
        return slices.colours(float(low), float(high), signed)

    @property
    def cmap(self):
        return style.DIVERGING if self.tint[3] else style.SEQUENTIAL

    def draw(self, view, level, ends):
        """Into the scene; Absent where no point has the level."""
        if self.kind == "volume":
            view.cloud(self.space, self.values, ends, self.cmap, self.tint[3])
        elif not view.surface(self.space, self.values, level, self.tint[0], ends, self.cmap):
            raise Absent(f"{self.space.path}: {self.name} never equals {level:g}; it ranges from {self.values.min():g} to "
                         f"{self.values.max():g}; set --level")
        return view.pixels()

    def caption(self, level):
        where = f"{self.symbol} = {style.number(level)}" if self.kind == "vortices" else self.symbol
        return f"{where},  t = {style.number(self.space.t)}"


def usual_cloud(room):
    for name in ("density", "current", "vorticity"):
        if room.has(*space.QUANTITIES[name][1]):
            return name
    raise Absent(f"{room.path}: contains neither velocity nor psi")


def sheet(n):
    columns = min(n, 3)
    rows = -(-n // columns)
    figure, axes = page.panels(rows, columns, width=max(6.4, 5.2 * columns), height=5.0 * rows)
    for axis in list(axes.flat)[n:]:
        axis.set_visible(False)
    return figure, list(axes.flat)[:n]


def panel(figure, axis, shown, view, pixels, ends):
    """The picture, its letters and its bar; returns the image, which a film changes."""
    image = axis.imshow(pixels, interpolation="antialiased")
    axis.set_xticks([])
    axis.set_yticks([])
    for spine in axis.spines.values():
        spine.set_visible(False)
    for letter, (column, row) in view.letters().items():
        axis.text(column, row, f"${letter}$", ha="center", va="center")
    if shown.kind == "vortices" and shown.colour == shown.name:
        return image
    bar = figure.colorbar(ScalarMappable(Normalize(*ends), shown.cmap), ax=axis, shrink=0.75, pad=0.02,
                          label=shown.tint[1] + style.unit_text(shown.tint[2]))
    bar.formatter = page.Numbers()
    return image


def draw(kind, runs, options):
    """A panel a run. What cannot be drawn is told also where VTK is not there to draw it."""
    shown = Shown(runs[0], options, kind)
    vtk = scene.modules()
    figure, axes = None, []
    with scene.display(vtk):
        for i, run in enumerate(runs):
            if i > 0:
                shown = Shown(run, options, kind)
            if figure is None:
                figure, axes = sheet(len(runs))
            view = scene.Scene(vtk, SIZE, shown.space.lengths)
            ends = shown.ends()
            pixels = shown.draw(view, shown.level, ends)
            panel(figure, axes[i], shown, view, pixels, ends)
            axes[i].set_title((f"{run.label}:  " if len(runs) > 1 else "") + shown.caption(shown.level), loc="left", fontsize=10)
            del view
    page.describe(figure, f"{'Surfaces' if kind == 'vortices' else 'Volume rendering'} of {slices.words_of(shown.name)}" +
                  (f", coloured by {slices.words_of(shown.colour)}" if shown.colour != shown.name else ""))
    page.title(figure, options.title_of(runs))
    return figure


def frames(kind, run, options, times, write):
    """Draws each time on one scale of colours and one level; calls write(figure, its image, number, caption)."""
    vtk, ends, levels = None, None, []
    for t in times:  # what is steady must be known before
        shown = Shown(run, options.at_time(t), kind)
        vtk = vtk or scene.modules()
        low, high = shown.ends()
        ends = (low, high) if ends is None else (min(ends[0], low), max(ends[1], high))
        levels.append(shown.level)
    level, image = float(np.median(levels)), None
    with scene.display(vtk):
        view = scene.Scene(vtk, FILM, shown.space.lengths)
        for number, t in enumerate(times, 1):
            shown = Shown(run, options.at_time(t), kind)
            pixels = shown.draw(view, level, ends)
            if image is None:
                figure, (axis,) = sheet(1)
                image = panel(figure, axis, shown, view, pixels, ends)
            image.set_data(pixels)
            write(figure, image, number, shown.caption(level).rsplit(",  t =", 1)[0])
        del view
