"""slice and contour of meshes and blocks: planes on which each cell is a polygon; contour lines, vectors, streamlines."""
import numpy as np
from matplotlib.collections import PolyCollection

from triad_plot.compute import section as cut
from triad_plot.draw import page, style
from triad_plot.problem import Absent, Problem
from triad_plot.read import cells, planes

LEVELS = 15     # contour lines between the least and the largest value
FINENESS = 200  # points each way between which streamlines go
ARROWS = 24     # along the longer side
AROUND = 1.5    # lengths of a body that are shown around it
NAMES = {"mach": "Mach number", "rho": "density", "p": "pressure", "T": "temperature", "speed": "speed", "u": "velocity along x",
         "v": "velocity along y", "w": "velocity along z", "schlieren": "density gradient", "temperature": "temperature"}
USUAL = ("mach", "speed")
SIGNED = ("u", "v", "w")


def path_at(run, options):
    """The file of cells nearest to --at, else the last."""
    files = cells.files_of(run)
    if not files and run.solver not in cells.SOLVERS:
        raise Absent(f"{run.path}: contour draws cells of meshes and blocks; for fields of {run.solver}, which are at points, use slice or film")
    if not files:
        raise Absent(f"{run.path}: has no fields of cells (output.fields_interval)")
    return planes.nearest(files, options.at)


def value_of(found, name):
    """(values of all cells, unit)."""
    if name == "speed" and "speed" not in found and all(a in found for a in "uvw"):
        return np.sqrt(sum(found.value(a)**2 for a in "uvw")), found.unit("u")
    if name not in found:
        raise Absent(f"{found.path}: has no {name[:80]}; there are {', '.join(found.names)}")
    return found.value(name), found.unit(name)


def names_of(found, options):
    if options.field:
        return options.field.split(",")
    return [next((name for name in USUAL if name in found or name == "speed"), found.names[0])]


def plane_of(run, options):
    """(axis, place) of --plane, else of the run's first slice across an axis; None: the middle of the shortest."""
    if options.plane:
        axis, place = planes.parse_plane(options.plane)
        return "xyz".index(axis), place
    for text in run.case.get("output.slices") or [] if run.solver != "multiblock" else []:
        head = str(text).split(":")[0].strip()
        try:
            axis, place = planes.parse_plane(head)
        except Problem:
            continue
        if place is not None:
            return "xyz".index(axis), place
    return None, None


def section_of(run, found, options):
    out = cut.of_cells(found, *plane_of(run, options))
    if not len(out):
        side = found.points[:, out.across]
        raise Absent(f"{found.path}: no cell at {'xyz'[out.across]} = {out.place:g}; the mesh extends from {side.min():g} to {side.max():g}")
    return out


def body_of(run, section):
    """((left, right), (bottom, top)) of the walls' faces on this plane, where files of walls have them; None."""
    from triad_plot.figures.space import blocks
    body = blocks.body_of(run)
    return tuple(body[a] for a in section.axes) if body else None


def window_of(run, section):
    """The part to show: near a body, where the far field is far."""
    whole, body = section.extent, body_of(run, section)
    if not body:
        return whole, False
    size = max(high - low for low, high in body)
    if size >= 0.2 * max(high - low for low, high in whole):
        return whole, False
    middle = [(low + high) / 2 for low, high in body]
    return tuple((max(m - AROUND * size, w[0]), min(m + AROUND * size, w[1])) for m, w in zip(middle, whole)), True


def ends_of(values, signed):
    finite = values[np.isfinite(values)]
    if not len(finite):
        raise Absent("the field has no finite value on this plane")
    from triad_plot.figures.space import slices
    return slices.colours(float(finite.min()), float(finite.max()), signed)


def is_signed(name, values):
    return name in SIGNED and bool((values < 0).any()) and bool((values > 0).any())


def draw_polygons(axis, section, values, ends, signed):
    """A polygon a cell; edges of the same colour close the gaps that pixels leave."""
    picture = PolyCollection(section.outlines(), array=values[section.order], cmap=style.DIVERGING if signed else style.SEQUENTIAL,
                             edgecolors="face", linewidths=0.4, rasterized=True)
    picture.set_clim(*ends)
    axis.add_collection(picture)
    axis.grid(False)
    axis.set_aspect("equal")
    page.name_axes(axis, *(f"${'xyz'[a]}${style.unit_text('L')}" for a in section.axes))
    return picture


def draw_lines(axis, section, values, ends):
    if ends[1] > ends[0] and len(section) > 3:
        levels = np.linspace(*ends, LEVELS + 2)[1:-1]
        axis.tricontour(section.triangulation, section.at_points(values), levels, colors="white", linewidths=0.5, alpha=0.7)


def velocity_on(section, found, spots):
    """Two components in the plane at the points of a grid; masked outside the cells."""
    names = ["uvw"[a] for a in section.axes]
    if any(name not in found for name in names):
        raise Absent(f"{found.path}: has no velocity {', '.join(names)}")
    return [section.sample(found.value(name), *spots) for name in names]


def draw_streamlines(axis, section, found, window):
    spots = [np.linspace(*side, FINENESS) for side in window]
    flow = velocity_on(section, found, spots)
    axis.streamplot(*spots, *flow, color="white", linewidth=0.6, arrowsize=0.6, density=0.8, broken_streamlines=False)


def draw_vectors(axis, section, found, window):
    longest = max(high - low for low, high in window)
    spots = [low + (np.arange(n) + 0.5) * (high - low) / n for (low, high), n in
             ((side, max(2, round(ARROWS * (side[1] - side[0]) / longest))) for side in window)]
    axis.quiver(*np.meshgrid(*spots), *velocity_on(section, found, spots), color=style.INK, width=0.0022, pivot="mid")


def draw_panel(figure, axis, run, options, name, lines, ends=None, found=None, section=None):
    """One plane of one field; the picture, whose colours a film changes."""
    found = found or cells.open_cells(path_at(run, options))
    section = section or section_of(run, found, options)
    values, unit = value_of(found, name)
    seen = values[section.order]
    signed = is_signed(name, seen)
    window, near = window_of(run, section)
    inside = np.all([(section.middles[:, i] >= side[0]) & (section.middles[:, i] <= side[1]) for i, side in enumerate(window)], axis=0)
    ends = ends or ends_of(seen[inside] if inside.any() else seen, signed)
    picture = draw_polygons(axis, section, values, ends, signed)
    axis.set_xlim(*window[0])
    axis.set_ylim(*window[1])
    if lines:
        draw_lines(axis, section, values, ends)
    if options.streamlines:
        draw_streamlines(axis, section, found, window)
    if options.vectors:
        draw_vectors(axis, section, found, window)
    for set_side, side in zip((axis.set_xlim, axis.set_ylim), window):
        set_side(*side)
    words = NAMES.get(name) or style.words_of(name)
    bar = figure.colorbar(picture, ax=axis, label=words + style.unit_text(unit), shrink=0.85, pad=0.02)
    bar.formatter = page.Numbers()
    return picture, section, found, near


def caption(section, found, time=True):
    where = f"{'xyz'[section.across]} = {style.number(section.place)}"
    return where + (f",  t = {style.number(found.t)}" if time else "")


def sheet(run, options, n):
    found = cells.open_cells(path_at(run, options))
    section = section_of(run, found, options)
    window, _near = window_of(run, section)
    high = (window[1][1] - window[1][0]) / (window[0][1] - window[0][0])
    stacked = high < 0.6
    rows, columns = (n, 1) if stacked else (-(-n // 3), min(n, 3))
    width = 7.0 if columns == 1 else 4.6 * columns
    height = rows * (min(max(0.15, high), 1.6) * (width / columns - 1.6) + 1.0) + 0.3
    figure, axes = page.panels(rows, columns, width=width, height=min(height, 14.0))
    for axis in list(axes.flat)[n:]:
        axis.set_visible(False)
    return figure, list(axes.flat)[:n]


def draw(runs, options, lines=False):
    each = [options.at_time(t) for t in options.times] or [options]
    panels = [(run, one, name) for run in runs for one in each for name in names_of(cells.open_cells(path_at(run, one)), options)][:6]
    figure, axes = sheet(*panels[0][:2], len(panels))
    shown = []
    for axis, (run, one, name) in zip(axes, panels):
        _picture, section, found, near = draw_panel(figure, axis, run, one, name, lines)
        axis.set_title((f"{run.label}:  " if len(runs) > 1 else "") + caption(section, found), loc="left", fontsize=10)
        shown.append((NAMES.get(name) or style.words_of(name), near))
    words = ", ".join(dict.fromkeys(name for name, _ in shown))
    page.describe(figure, f"{words[0].upper()}{words[1:]} on a plane, each cell in one colour{', near the walls' * shown[0][1]}")
    page.title(figure, options.title_of(runs))
    return figure


def serves(run, options):
    """Are planes of this run drawn from its cells? Not where its slices are nearer to the time that is asked for."""
    files = cells.files_of(run)
    if not files:
        return False
    if not run.slice_files or run.solver == "multiblock" or options.plane or options.field:
        return True
    wanted = options.at if options.at is not None else np.inf
    t = [max(map(planes.time_of, paths)) if np.isinf(wanted) else min(map(planes.time_of, paths), key=lambda s: abs(s - wanted))
         for paths in (files, run.slice_files)]
    return t[0] >= t[1] * (1 - 1e-12) if np.isinf(wanted) else abs(t[0] - wanted) <= abs(t[1] - wanted) * (1 + 1e-12) + 1e-300

