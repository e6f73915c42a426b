"""walls: the faces of walls of curvilinear blocks in space, coloured by pressure, friction or temperature."""
import os

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from triad_plot.draw import page, style
from triad_plot.figures.space import blocks, slices
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import cells, hdf5

NEAR = 1e-6       # of the extent of the walls: faces whose middles are nearer than this are one
VIEW = (22, -125)  # degrees above the horizon, and around z
EDGE = (0.13, 0.13, 0.13, 0.3)
MOST = 200_000    # faces


def sides_of(nodes):
    """Corners [face, 4, 3] of all six sides of a block."""
    points = np.stack(nodes, axis=-1)
    out = []
    for axis in range(3):
        for end in (0, -1):
            plane = np.take(points, end, axis=axis)
            out.append(np.stack([plane[:-1, :-1], plane[:-1, 1:], plane[1:, 1:], plane[1:, :-1]], axis=2).reshape(-1, 4, 3))
    return np.concatenate(out)


def matched(middles, faces):
    """For each middle the number of the face that has it; -1 where none has."""
    low, size = middles.min(axis=0), max(float(np.ptp(middles, axis=0).max()), 1e-300)
    step = NEAR * size
    of_faces = faces.mean(axis=1)
    found = np.full(len(middles), -1)
    for shift in (0.0, 0.5):   # what one rounding parts the other does not
        keys = [np.floor((at - low) / step + shift).astype(np.int64) for at in (of_faces, middles)]
        number = {tuple(key): n for n, key in enumerate(keys[0])}
        for i in np.flatnonzero(found < 0):
            found[i] = number.get(tuple(keys[1][i]), -1)
    return found


def faces_of(run, path, field):
    """{wall: (corners [face, 4, 3], values, unit)}."""
    fields = hdf5.files_in(run / "fields", "blocks-")
    if not os.path.exists(run / "fields/grid.h5") or not fields:
        raise Absent(f"{run.path}: has no fields/grid.h5, which has the corners of walls")
    every = np.concatenate([sides_of(nodes) for nodes in cells.nodes_of(fields[-1]).values()])

    def look(file):
        return blocks.walls_of(file, field), next((hdf5.text_of(file[n], "units") for n in file if n.startswith(f"{field}.")), "")
    walls, unit = hdf5.read(path, look)
    out = {}
    for name, (x, y, z, values) in walls.items():
        number = matched(np.stack([x, y, z], axis=1), every)
        if (number < 0).any():
            raise Problem(f"{path}: {int((number < 0).sum())} faces of {name} are not in fields/grid.h5: they are of another grid")
        out[name] = every[number], values, unit
    return out


def draw(runs, options):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    run, field = runs[0], options.field or "cp"
    if run.solver != "multiblock":
        raise Absent(f"{run.path}: walls draws the walls of blocks (multiblock); {run.solver} has no surfaces: use "
                     f"{'contour' if run.solver in cells.SOLVERS else 'slice'} on a plane through them")
    if field not in blocks.WALL:
        raise Problem(f"--field {field[:80]}: walls draws {', '.join(blocks.WALL)} only", USAGE)
    walls = faces_of(run, blocks.file_at(run, "surfaces", "surface-", options), field)
    if not walls:
        raise Absent(f"{run.path}: its walls have no {field}, because no patch defines a free stream")
    corners, values = (np.concatenate([wall[i] for wall in walls.values()]) for i in (0, 1))
    if len(corners) > MOST:
        raise Absent(f"{run.path}: {len(corners)} faces are too many for a picture; open surfaces/ in ParaView")
    ends = slices.colours(float(np.nanmin(values)), float(np.nanmax(values)), field == "cp" and np.nanmin(values) < 0 < np.nanmax(values))
    figure, axes = page.panels(1, 1, width=7.0, height=4.4, subplot_kw={"projection": "3d", "computed_zorder": True})
    axis = axes[0, 0]
    signed = field == "cp" and ends[0] < 0 < ends[1]
    colours = ScalarMappable(Normalize(*ends), style.DIVERGING if signed else style.SEQUENTIAL)
    shades = colours.to_rgba(values)
    axis.add_collection3d(Poly3DCollection(corners, facecolors=shades, edgecolors=EDGE, linewidths=0.25, rasterized=True))
    low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
    longest = float((high - low).max())
    for set_side, a, b in zip((axis.set_xlim, axis.set_ylim, axis.set_zlim), low, high):
        set_side((a + b) / 2 - max(b - a, 0.05 * longest) / 2, (a + b) / 2 + max(b - a, 0.05 * longest) / 2)
    axis.set_box_aspect(np.maximum(high - low, 0.05 * longest), zoom=1.2)
    axis.view_init(*VIEW)
    axis.locator_params(nbins=4)
    for letter, label, side in zip("xyz", (axis.set_xlabel, axis.set_ylabel, axis.set_zlabel), high - low):
        label(f"${letter}${style.unit_text('L')}" if side > 0.15 * longest else "")
    if (high - low)[2] <= 0.15 * longest:
        axis.set_zticks([])
    symbol, unit = blocks.WALL[field]
    bar = figure.colorbar(colours, ax=axis, label=symbol + style.unit_text(unit), shrink=0.7, pad=0.1)
    bar.formatter = page.Numbers()
    page.describe(figure, f"{blocks.WORDS[field]} on {', '.join(walls)}, one colour per face")
    page.title(figure, options.title_of(runs))
    return figure
