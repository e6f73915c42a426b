"""Where particles are: their radial distribution, and the volumes of their Voronoi cells.

g(r) is the density of others at a distance over the mean one. A cell is what lies nearer to its particle than to any other: cells
fill the box, small ones where particles cluster (Monchaux, Bourgoin and Cartellier 2010, Phys. Fluids 22, 103304). Of random places
their volumes V have nearly the density (3125/24) y^4 exp(-5 y) of y = V/<V> (Ferenc and Neda 2007, Physica A 385, 518).
"""
import numpy as np

from triad_plot import needs
from triad_plot.draw import page, style
from triad_plot.figures.scales.spectrum import look
from triad_plot.problem import Absent, Problem

MOST_PAIRED, MOST_CELLS = 3000, 20000
FILLED = 1e-9   # of the box: cells must fill it but for rounding


def places(run, group, most):
    """(positions in the box at the last row, its sides): those of the first `most`."""
    for axis in "xyz":
        ends = run.case.get(f"boundaries.{axis}") or []
        if any(word != "periodic" for word in ends):
            raise Absent(f"{run.path}: the box is not periodic along {axis}; distances and Voronoi cells require a periodic box")
    length = np.array(run.case["grid.length"], dtype=float)
    return group.part("position", -1, slice(most)) % length, length


def draw_distribution(axis, run, groups):
    if all(g.count < 2 for g in groups.values()):
        raise Absent(f"{run.path}: no group has two particles at different positions")
    for i, (name, g) in enumerate(groups.items()):
        x, length = places(run, g, MOST_PAIRED)
        if len(x) < 2:
            continue
        edges = np.linspace(0, 0.25 * length.min(), 41)
        count = np.zeros(len(edges) - 1)
        for at in range(len(x) - 1):
            d = x[at + 1:] - x[at]
            d -= length * np.round(d / length)
            count += np.histogram(np.sqrt((d**2).sum(-1)), edges)[0]
        expected = len(x) * (len(x) - 1) / 2 * 4 / 3 * np.pi * np.diff(edges**3) / length.prod()
        axis.plot(0.5 * (edges[1:] + edges[:-1]), count / expected, **look(i, i), label=name)
    axis.axhline(1, color="#777777", linestyle="--", linewidth=1.2)
    page.name_axes(axis, f"$r${style.unit_text('L')}", "$g(r)$")


def voronoi():
    try:
        from scipy.spatial import Voronoi
    except ImportError:
        raise Problem("Voronoi cells require scipy: apt install python3-scipy, or python3 -m pip install scipy", needs.EXIT_MISSING) from None
    return Voronoi


def with_images(x, length, margin):
    """x and its periodic images no further than `margin` from the box, x first."""
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = length[axis]
        low, high = x[x[:, axis] < margin] + step, x[x[:, axis] > length[axis] - margin] - step
        x = np.concatenate([x, low, high])
    return x


def cell_volumes(points, n):
    """Of the first n: a cell is the pyramids over its faces, each half the distance to that neighbour high; inf where one is open."""
    v = voronoi()(points)
    faces = [f for f in v.ridge_vertices]
    size = np.array([len(f) for f in faces])
    flat = np.concatenate([np.asarray(f) for f in faces])
    face = np.repeat(np.arange(len(faces)), size)
    first = np.concatenate([[0], np.cumsum(size)[:-1]])
    following = np.where(np.arange(len(flat)) + 1 < (first + size)[face], np.arange(len(flat)) + 1, first[face])
    apex = v.vertices[flat[first[face]]]
    cross = np.cross(v.vertices[flat] - apex, v.vertices[flat[following]] - apex)
    area = np.stack([np.bincount(face, cross[:, i], len(faces)) for i in range(3)], -1)
    pairs = v.ridge_points
    volume = np.linalg.norm(area, axis=1) / 2 * np.linalg.norm(points[pairs[:, 1]] - points[pairs[:, 0]], axis=1) / 6
    volume[np.bincount(face, flat < 0, len(faces)) > 0] = np.inf
    return (np.bincount(pairs[:, 0], volume, len(points)) + np.bincount(pairs[:, 1], volume, len(points)))[:n]


def volumes(x, length):
    """Of the cells of x in a periodic box. With too few images cells at its sides come out too large: they then fill more than it."""
    if len(x) < 5:
        raise Absent(f"{len(x)} particles are too few for Voronoi cells")
    margin = 3 * (length.prod() / len(x))**(1 / 3)
    while True:
        found = cell_volumes(with_images(x, length, min(margin, length.max())), len(x))
        if abs(found.sum() / length.prod() - 1) < FILLED:
            return found
        if margin > length.max():
            raise Problem(f"Voronoi cells fill {found.sum() / length.prod():.12g} of the box; particles may share a position")
        margin *= 2


def draw_voronoi(axis, run, groups):
    for i, (name, g) in enumerate(groups.items()):
        v = volumes(*places(run, g, MOST_CELLS))
        y = v / v.mean()
        count, edges = np.histogram(y, np.geomspace(0.02, 20, 46))
        some = count > 0
        axis.plot(np.sqrt(edges[1:] * edges[:-1])[some], (count / len(v) / np.diff(edges))[some], **look(i, i),
                  label=f"{name}, std {y.std():.2f}")
    y = np.geomspace(0.05, 4, 200)
    axis.plot(y, 3125 / 24 * y**4 * np.exp(-5 * y), color="#777777", linestyle="--", linewidth=1.2, label="random places")
    page.name_axes(axis, "cell volume / mean", "PDF", log="xy")
