"""A plane through cells: each cell that it cuts is a polygon, with the value of the cell."""
import functools

import numpy as np

from triad_plot.read.cells import edges_of

EDGE = 1e-9   # of the extent along the axis
NEAR = 1e-7   # of the section's extent: corners of polygons nearer than this are one


class Section:
    """polygons: [(numbers of the cells, corners [polygon, corner, 2])], those of one number of corners together; order: the
    numbers of the cells of all polygons, one after the other; across: the axis; axes: those of the picture."""

    def __init__(self, across, place, polygons):
        self.across, self.place, self.polygons = across, place, polygons
        self.axes = tuple(a for a in range(3) if a != across)
        self.order = np.concatenate([numbers for numbers, _ in polygons]) if polygons else np.zeros(0, np.int64)

    def __len__(self):
        return len(self.order)

    @functools.cached_property
    def areas(self):
        return np.concatenate([areas_of(corners) for _numbers, corners in self.polygons]) if self.polygons else np.zeros(0)

    @functools.cached_property
    def middles(self):
        return np.concatenate([corners.mean(axis=1) for _numbers, corners in self.polygons])

    @property
    def extent(self):
        """(left, right), (bottom, top)."""
        corners = np.concatenate([c.reshape(-1, 2) for _n, c in self.polygons])
        return tuple(zip(corners.min(axis=0), corners.max(axis=0)))

    def outlines(self):
        """The corners of each polygon, in `order`."""
        return [polygon for _numbers, corners in self.polygons for polygon in corners]

    @functools.cached_property
    def _corners(self):
        """Corners that polygons share are one: their points, and for each polygon corner its number."""
        every = np.concatenate([c.reshape(-1, 2) for _n, c in self.polygons])
        size = max(float(np.ptp(every, axis=0).max()), 1e-300)
        _, first, number = np.unique(np.round((every - every.min(axis=0)) / (NEAR * size)).astype(np.int64), axis=0, return_index=True,
                                     return_inverse=True)
        return every[first], number.ravel()

    @functools.cached_property
    def _triangles(self):
        """(points, triangles): each polygon divided around its middle, whose points come behind those of all corners."""
        points, number = self._corners
        triangles, at, polygon = [], 0, 0
        for _numbers, corners in self.polygons:
            m, n = corners.shape[:2]
            own = number[at:at + m * n].reshape(m, n)
            middle = len(points) + polygon + np.arange(m)
            triangles += [np.stack([own[:, i], own[:, (i + 1) % n], middle], axis=1) for i in range(n)]
            at, polygon = at + m * n, polygon + m
        return np.concatenate([points, self.middles]), np.concatenate(triangles)

    @functools.cached_property
    def triangulation(self):
        from matplotlib.tri import Triangulation
        points, triangles = self._triangles
        a, b, c = (points[triangles[:, i]] for i in range(3))
        twice = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        kept = np.abs(twice) > 1e-9 * np.abs(twice).mean()   # not those that shared corners have made flat
        used, number = np.unique(triangles[kept], return_inverse=True)
        self._used = used
        return Triangulation(*points[used].T, number.reshape(-1, 3))

    def at_points(self, values):
        """Values at the points of the triangulation: of a corner the mean of the polygons that have it."""
        points, number = self._corners
        each = np.concatenate([np.repeat(values[n], c.shape[1]) for n, c in self.polygons])
        total, count = (np.bincount(number, weights, len(points)) for weights in (each, None))
        _ = self.triangulation
        return np.concatenate([total / count, values[self.order]])[self._used]

    def sample(self, values, x, y):
        """Linear in triangles at the points of a grid, [y][x]; masked where there is no cell."""
        mesh, found = self.triangulation, self.at_points(values)
        corners = np.stack([mesh.x, mesh.y], axis=1)[mesh.triangles]      # [triangle, 3, 2]
        first = [np.searchsorted(a, corners[..., i].min(axis=1), "left") for i, a in enumerate((x, y))]
        count = [np.searchsorted(a, corners[..., i].max(axis=1), "right") - f for i, (a, f) in enumerate(zip((x, y), first))]
        pairs = count[0] * count[1]                                       # points in the box around each triangle
        triangle = np.repeat(np.arange(len(pairs)), pairs)
        k = np.arange(len(triangle)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        i, j = first[0][triangle] + k % count[0][triangle], first[1][triangle] + k // count[0][triangle]
        a, b, c = (corners[triangle, n] for n in range(3))
        p = np.stack([x[i], y[j]], axis=1)
        cross = lambda u, v: u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]        # noqa: E731
        twice = cross(b - a, c - a)
        shares = np.stack([cross(b - p, c - p), cross(c - p, a - p), cross(a - p, b - p)], axis=1) / twice[:, None]
        inside = (shares > -1e-9).all(axis=1)
        out = np.full((len(y), len(x)), np.nan)
        out[j[inside], i[inside]] = (shares * found[mesh.triangles[triangle]]).sum(axis=1)[inside]
        return np.ma.masked_invalid(out)


def areas_of(corners):
    x, y = corners[..., 0], corners[..., 1]
    return np.abs(np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)) / 2


def polygons_of(shape, numbers, nodes, across, place):
    """[(numbers, corners)] of the cells of one shape that the plane cuts. A node on the plane counts as above it."""
    off = nodes[..., across] - place
    cut = (off.min(axis=1) < 0) & (off.max(axis=1) >= 0)
    numbers, nodes, off = numbers[cut], nodes[cut], off[cut]
    if not len(numbers):
        return []
    keep = [a for a in range(3) if a != across]
    a, b = edges_of(shape).T
    crosses = (off[:, a] < 0) != (off[:, b] < 0)
    apart = off[:, a] - off[:, b]
    share = np.divide(off[:, a], apart, out=np.zeros_like(apart), where=crosses)
    points = nodes[:, a][..., keep] + share[..., None] * (nodes[:, b][..., keep] - nodes[:, a][..., keep])
    points[~crosses] = 0
    count = crosses.sum(axis=1)
    middle = points.sum(axis=1) / np.maximum(count, 1)[:, None]
    angle = np.where(crosses, np.arctan2(points[..., 1] - middle[:, None, 1], points[..., 0] - middle[:, None, 0]), np.inf)
    points = np.take_along_axis(points, np.argsort(angle, axis=1)[..., None], axis=1)
    return [(numbers[count == n], points[count == n][:, :n]) for n in np.unique(count) if n >= 3]


def shortest(cells):
    """The axis along which the cells extend least: the last of equal ones."""
    sides = np.ptp(cells.points, axis=0)
    return int(max((a for a in range(3) if sides[a] <= sides.min() * (1 + 1e-9))))


def of_cells(cells, across=None, place=None):
    """The Section across an axis, by default the shortest, at a place, by default the middle."""
    across = shortest(cells) if across is None else across
    along = cells.points[:, across]
    low, high = along.min(), along.max()
    asked = place = (low + high) / 2 if place is None else place
    slack = EDGE * (high - low)   # a plane on the outer side cuts the cells that have this side
    if low - slack <= place <= high + slack:
        place = min(max(place, low + slack), high - slack)
    by_corners = {}
    for shape, (numbers, corners) in cells.shapes.items():
        for some, points in polygons_of(shape, numbers, cells.points[corners], across, place):
            by_corners.setdefault(points.shape[1], []).append((some, points))
    joined = [tuple(np.concatenate(parts) for parts in zip(*by_corners[n])) for n in sorted(by_corners)]
    section = Section(across, float(asked), joined)
    # what touches the plane at a corner or an edge has no area
    whole = section.areas.sum()
    out = [(n[a > 1e-12 * whole], c[a > 1e-12 * whole]) for (n, c), a in ((one, areas_of(one[1])) for one in joined)]
    return Section(across, float(asked), [(n, c) for n, c in out if len(n)])
