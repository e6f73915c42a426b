"""faces: faces of a small mesh, colour by colour, from the file of `triad grid --write FILE.vtkhdf`."""
import os
from typing import NamedTuple

import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

from triad_plot.draw import page, style
from triad_plot.problem import Problem
from triad_plot.read import hdf5

MOST_FACES = 4000   # of which a picture still shows anything
SHRUNK = 0.94       # faces are drawn that much smaller, so that two that meet at an edge can be told apart


class Faces(NamedTuple):
    path: str
    points: list         # of each face [point][x, y, z]
    colour: np.ndarray   # -1: within a structured zone
    cells: np.ndarray    # [face][2]: the two cells; -1: none
    outer: np.ndarray    # is it an outer one?


def of_path(path):
    def read(file):
        group = file["VTKHDF"]
        x, offsets, corners = group["Points"][:], group["Offsets"][:], group["Connectivity"][:]
        colour, cell, beyond = (group["CellData"][name][:].astype(int) for name in ("colour", "cell", "beyond"))
        if len(offsets) != len(colour) + 1 or len(corners) != offsets[-1] or len(colour) == 0:
            raise ValueError("counts that do not match")
        points = [x[corners[a:b]] for a, b in zip(offsets, offsets[1:])]
        return Faces(path, points, colour, np.column_stack([cell, beyond]), beyond < 0)
    with hdf5.open_file(path) as file:
        if "VTKHDF/CellData/colour" not in file:
            raise Problem(f"{path}: not a file of triad grid --write FILE.vtkhdf")
    found = hdf5.read(path, read)
    if len(found.points) > MOST_FACES:
        raise Problem(f"{path}: {len(found.points):,} faces; at most {MOST_FACES:,} can be drawn: use a smaller mesh (grid.n)")
    return found


def shared_cells(faces):
    """Of each colour in each of both loops, between cells and outer: how many cells two of its faces share; [(colour, outer, cells)] where any."""
    out = []
    for outer in (False, True):
        for colour in sorted(set(faces.colour[faces.outer == outer]) - {-1}):
            cells = faces.cells[(faces.colour == colour) & (faces.outer == outer)]
            seen = np.unique(cells[cells >= 0], return_counts=True)[1]
            if (seen > 1).any():
                out.append((int(colour), outer, int((seen > 1).sum())))
    return out


def edges_of(points):
    """Each edge of these faces once."""
    found = {}
    for p in points:
        for a, b in zip(p, np.roll(p, -1, axis=0)):
            found[tuple(sorted((tuple(a), tuple(b))))] = (a, b)
    return list(found.values())


def draw_panel(axis, faces, which, color, name):
    around, all_outer = [p for p, o in zip(faces.points, faces.outer) if o], which[faces.outer].all()
    axis.add_collection3d(Line3DCollection([] if all_outer else edges_of(around), colors=style.FAINT, linewidths=0.5))
    polygons = [p.mean(axis=0) + SHRUNK * (p - p.mean(axis=0)) for p, drawn in zip(faces.points, which) if drawn]
    if polygons:
        axis.add_collection3d(Poly3DCollection(polygons, facecolors=color, edgecolors=style.INK, linewidths=0.4,
                                               alpha=1 if all_outer else 0.75))
    ends = np.concatenate(faces.points)
    for a, name_of in enumerate("xyz"):
        axis.set(**{f"{name_of}lim": (ends[:, a].min(), ends[:, a].max()), f"{name_of}ticks": []})
    axis.set_box_aspect(np.maximum(np.ptp(ends, axis=0), 1e-3 * np.ptp(ends)))
    axis.set_axis_off()
    axis.view_init(elev=22, azim=-62)
    axis.set_title(name, fontsize=10.5)


def color_of(number):
    return style.COLORS[number % len(style.COLORS)]


def draw(items, options):
    faces = items[0]
    inner = ~faces.outer
    colours = sorted(set(faces.colour[inner]) - {-1})
    zoned = inner & (faces.colour < 0)
    views = [(inner & (faces.colour == c), color_of(i), f"colour {c}: {(inner & (faces.colour == c)).sum()} faces") for i, c in enumerate(colours)]
    if zoned.any():
        views.append((zoned, style.FAINT, f"within zones: {zoned.sum()} faces"))
    views.append((faces.outer, [color_of(colours.index(c) if c in colours else c) for c in faces.colour[faces.outer]],
                  f"on the boundary: {faces.outer.sum()} faces"))
    columns = min(len(views), 3)
    rows = -(-len(views) // columns)
    figure, axes = page.panels(rows, columns, width=3.1 * columns, height=3.1 * rows + 0.4, subplot_kw={"projection": "3d"})
    for axis, (which, color, name) in zip(axes.flat, views):
        draw_panel(axis, faces, which, color, name)
    for axis in list(axes.flat)[len(views):]:
        axis.remove()
    name = os.path.splitext(os.path.basename(faces.path))[0]
    cells = len(np.unique(faces.cells[faces.cells >= 0]))
    page.title(figure, options.title or f"{name}: {cells:,} cells, {len(faces.points):,} faces; faces of one colour share no cell")
    return figure
