"""surface, contour: walls and planes of a flow on curvilinear blocks."""
import os

import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.space import sections
from triad_plot.problem import USAGE, Absent, Problem, of_reading
from triad_plot.read import hdf5, planes

WALL = {"cp": ("$c_p$", "1"), "cf": ("$c_f$", "1"), "p": ("pressure", "M/(L T^2)"), "temperature": ("temperature", "K")}
WORDS = {"cp": "Pressure coefficient", "cf": "Friction coefficient", "p": "Pressure", "temperature": "Temperature"}
NAMES = {"mach": "Mach number", "rho": "density", "p": "pressure"}
AROUND = 1.5   # lengths of a body that are shown around it
LEVELS = 15    # contour lines between the least and the largest value
FINENESS = 200  # points each way between which streamlines go


def file_at(run, folder, prefix, options):
    """The file nearest to --at, else the last one."""
    files = hdf5.files_in(run / folder, prefix)
    if not files:
        raise Absent(f"{run.path}: has no {folder}/{prefix}*.h5 (output.fields_interval)")
    if options.at is None:
        return files[-1]
    return min(files, key=lambda path: abs(hdf5.read(path, hdf5.time_of) - options.at))


def walls_of(file, field):
    """{patch: (x, y, z, values)}."""
    names = [name.split(".", 1)[1] for name in file if name.startswith(f"{field}.")]
    return {name: tuple(file[f"{what}.{name}"][:] for what in ("x", "y", "z", field)) for name in names}


def strip_of(wall, plane):
    """Of the faces of a wall those that are nearest to a plane across an axis, without a place to the middle one."""
    axis, place = plane
    at = wall["xyz".index(axis)]
    near = np.abs(at - (at.min() + at.max()) / 2 if place is None else at - place)
    return tuple(a[near <= near.min() + 1e-6 * np.ptp(at)] for a in wall)


def beside(path, field):
    """Points of a table to stand beside walls: two columns named `x` or `x/c`, and the field; `# ...` is what they are called.
    (name, is it over the chord, x, values)"""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if line.strip()]
        said = [line.lstrip("# ") for line in lines if line.startswith("#")]
        head, *rows = [[word.strip() for word in line.split(",")] for line in lines if not line.startswith("#")]
        values = np.array([[float(word) for word in row] for row in rows])
        if head not in (["x", field], ["x/c", field]) or values.ndim != 2 or values.shape[1] != 2:
            raise ValueError
    except OSError as error:
        raise of_reading(path, error) from None
    except ValueError:
        raise Problem(f"{path}: the first line must be x,{field} or x/c,{field}, followed by one point per line") from None
    return said[0] if said else os.path.basename(path), head[0] == "x/c", *values.T


def draw_surface(runs, options):
    field = options.field or "cp"
    plane = planes.parse_plane(options.plane) if options.plane else None
    if field not in WALL:
        raise Problem(f"--field {field[:80]}: surface draws {', '.join(WALL)} only", USAGE)
    others = beside(options.beside, field) if options.beside else None
    figure, axis = page.one()
    names_shown = set()
    for i, run in enumerate(runs):
        walls = hdf5.read(file_at(run, "surfaces", "surface-", options), lambda file: walls_of(file, field))
        if not walls:
            raise Absent(f"{run.path}: its walls have no {field}, because no patch defines a free stream")
        names_shown.update(walls)
        for j, (name, wall) in enumerate(walls.items()):
            x, _y, _z, value = strip_of(wall, plane) if plane else wall
            if others and others[1]:
                x = (x - x.min()) / np.ptp(x)
            axis.plot(x, value, linestyle="none", marker=".", markersize=3, color=style.COLORS[(i + j) % len(style.COLORS)],
                      label=f"{run.label}, {name}" if len(runs) > 1 else name)
    if others:
        axis.plot(*others[2:], linestyle="none", marker="s", markersize=5, markerfacecolor="none", color=style.INK, label=others[0])
    if field == "cp":
        axis.invert_yaxis()
    page.describe(figure, f"{WORDS[field]} of {', '.join(sorted(names_shown))} against x, one point per face")
    page.name_axes(axis, "$x/c$" if others and others[1] else f"$x${style.unit_text('L')}", f"{WALL[field][0]}{style.unit_text(WALL[field][1])}")
    page.legend(axis)
    page.title(figure, options.title_of(runs))
    return figure


def plane_of(values, grid, block, field):
    """Nodes of the first plane along the shortest way across a block, [axes][j][i], and its values."""
    value = values[f"{field}.{block}"]
    return [grid[f"{a}.{block}"][0] for a in "xyz"], value[0]


def body_of(run):
    """Lower and upper corner of the walls; None."""
    files = hdf5.files_in(run / "surfaces", "surface-")
    if not files:
        return None
    def corners(file):
        walls = walls_of(file, "p")
        return [(min(w[a].min() for w in walls.values()), max(w[a].max() for w in walls.values())) for a in range(3)]
    return hdf5.read(files[-1], corners)


def velocity_in(file, second):
    """Two components on the first plane of each block: along x, and that along the other axis of the picture."""
    blocks = sorted(int(name.split(".")[1]) for name in file if name.startswith("u."))
    return [(file[f"u.{b}"][0], file[f"{second}.{b}"][0]) for b in blocks]


def middles(nodes):
    """Of cells, from their four corners."""
    return (nodes[:-1, :-1] + nodes[1:, :-1] + nodes[:-1, 1:] + nodes[1:, 1:]) / 4


def add_streamlines(picture, found, velocities, axes):
    """Over what is shown: linear between the middles of cells, none in bodies."""
    from matplotlib.tri import LinearTriInterpolator, Triangulation
    limits = picture.get_xlim(), picture.get_ylim()
    spots = [np.linspace(*limit, FINENESS) for limit in limits]
    grid, total = np.meshgrid(*spots), np.full((2, FINENESS, FINENESS), np.nan)
    for (nodes, _), velocity in zip(found, velocities):
        x, y = (middles(nodes[axis]) for axis in axes)
        number = np.arange(x.size).reshape(x.shape)
        a, b, c, d = (number[j, i].ravel() for j in (slice(-1), slice(1, None)) for i in (slice(-1), slice(1, None)))
        triangles = np.concatenate([np.array([a, b, d]).T, np.array([a, d, c]).T])
        near = [(at[triangles].max(1) >= low) & (at[triangles].min(1) <= high) for at, (low, high) in zip((x.ravel(), y.ravel()), limits)]
        if not np.any(near[0] & near[1]):
            continue
        mesh = Triangulation(x.ravel(), y.ravel(), triangles[near[0] & near[1]])
        for here, value in zip(total, velocity):
            inside = LinearTriInterpolator(mesh, value.ravel())(*grid)
            here[...] = np.where(np.ma.getmaskarray(inside), here, np.ma.getdata(inside))
    picture.streamplot(*spots, *np.ma.masked_invalid(total), color="white", linewidth=0.6, arrowsize=0.6, density=0.6,
                    broken_streamlines=False)
    picture.set_xlim(limits[0])
    picture.set_ylim(limits[1])


def draw_contour(runs, options):
    run, field = runs[0], options.field or "mach"
    if options.plane or options.vectors or not hdf5.files_in(run / "fields", "blocks-"):
        return sections.draw(runs, options, lines=True)
    path = file_at(run, "fields", "blocks-", options)
    def all_planes(file):
        blocks = sorted(int(name.split(".")[1]) for name in file if name.startswith(f"{field}."))
        if not blocks:
            there = sorted({name.partition(".")[0] for name in file if "." in name})
            walls = f"; --field {field} on walls: surface, walls" if field in WALL else ""
            raise Problem(f"{path}: has no {field[:80]}; there are {', '.join(there)}{walls}", USAGE)
        with hdf5.open_file(os.path.join(run.path, "fields", "grid.h5")) as grid:
            return [plane_of(file, grid, block, field) for block in blocks], hdf5.text_of(file[f"{field}.{blocks[0]}"], "units")
    found, unit = hdf5.read(path, all_planes)
    sides = [max(x[a].max() for x, _ in found) - min(x[a].min() for x, _ in found) for a in range(3)]
    across, up = 0, 1 if sides[1] >= sides[2] else 2
    low, high = min(v.min() for _, v in found), max(v.max() for _, v in found)
    figure, axis = page.one(height=min(5.0, 1.2 + 5.6 * sides[up] / sides[across]))
    levels = np.linspace(low, high, LEVELS + 2)[1:-1] if high > low else []
    for x, value in found:
        mesh = axis.pcolormesh(x[across], x[up], value, vmin=low, vmax=high, rasterized=True)
        if min(value.shape) > 1 and len(levels):
            axis.contour(*(middles(x[a]) for a in (across, up)), value, levels, colors="white", linewidths=0.4, alpha=0.6)
    axis.set_aspect("equal")
    body, near = body_of(run), False
    if body:
        size = max(body[across][1] - body[across][0], body[up][1] - body[up][0])
        near = size < 0.2 * max(sides[across], sides[up])   # the far field is far
        if near:
            axis.set_xlim(body[across][0] - AROUND / 2 * size, body[across][1] + AROUND / 2 * size)
            axis.set_ylim(np.mean(body[up]) - AROUND / 2 * size, np.mean(body[up]) + AROUND / 2 * size)
    if options.streamlines:
        add_streamlines(axis, found, hdf5.read(path, lambda file: velocity_in(file, "uvw"[up])), (across, up))
    bar = figure.colorbar(mesh, cax=axis.inset_axes([1.03, 0, 0.035, 1]), label=(NAMES.get(field) or style.words_of(field)) + style.unit_text(unit))
    bar.formatter = page.Numbers()
    page.name_axes(axis, f"$x${style.unit_text('L')}", f"${'xyz'[up]}${style.unit_text('L')}")
    words = (NAMES.get(field) or style.words_of(field))
    page.describe(figure, f"{words[0].upper()}{words[1:]} in the first layer of cells of each block{', near the walls' * bool(near)}")
    page.title(figure, options.title_of(runs))
    return figure
