"""Meshes of layers as boundary layers have them: round a part of a cone, thinner than their cells bow, of uneven thickness."""

import numpy as np

from cgns import write_polyhedra
from msh import write_mesh

N = 6
HEXAHEDRON = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
PRISM = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
# by Gmsh's type
SIDES_OF = {5: HEXAHEDRON, 6: PRISM, 4: TETRAHEDRON}


def cells_of(kind, number):
    """Corners of the cells of a lattice whose points have these numbers."""
    cells = []
    for i, j, k in np.ndindex(N, N, N):
        low = [number[i, j, k], number[i + 1, j, k], number[i + 1, j + 1, k], number[i, j + 1, k]]
        high = [number[i, j, k + 1], number[i + 1, j, k + 1], number[i + 1, j + 1, k + 1], number[i, j + 1, k + 1]]
        if kind == 5:
            cells.append(low + high)
            continue
        for half in ((0, 1, 2), (0, 2, 3)):
            a, b = [low[m] for m in half], [high[m] for m in half]
            if kind == 6:
                cells.append(a + b)
                continue
            order = np.argsort(a)
            a, b = [a[m] for m in order], [b[m] for m in order]
            turned = np.linalg.det(np.eye(3)[order]) < 0
            for tet in ([a[0], a[1], a[2], b[0]], [a[1], a[2], b[0], b[1]], [a[2], b[0], b[1], b[2]]):
                cells.append([tet[1], tet[0], *tet[2:]] if turned else tet)
    return cells


POLYHEDRON = "polyhedra"


def bricks_of(number):
    """Faces of hexagonal prisms: two cubes of the lattice side by side along i, every other row half a prism off, halves at ends."""
    cells = []
    for j, k in np.ndindex(N, N):
        ends = [0, *range(1 + (j + 1) % 2, N, 2), N]
        for low, high in zip(ends[:-1], ends[1:]):
            front = [number[i, j, k] for i in range(low, high + 1)]
            back = [number[i, j + 1, k] for i in range(high, low - 1, -1)]
            ring = front + back
            above = [number.ravel()[p + 1] for p in ring]  # k runs fastest
            sides = [[ring[m], ring[(m + 1) % len(ring)], above[(m + 1) % len(ring)], above[m]] for m in range(len(ring))]
            cells.append([ring[::-1], above, *sides])
    return cells


def write_layers(path, kind, thickness):
    """Layers of this thickness round a part of a cone, as Gmsh or CGNS has them, with all outer sides in patch all."""
    i, j, k = (a.ravel() for a in np.meshgrid(*[np.arange(N + 1)] * 3, indexing="ij"))
    number = np.arange(i.size).reshape(N + 1, N + 1, N + 1)
    angle, radius = 0.2 * i + 0.05 * j, 1 + 0.3 * j / N + thickness * k * (1 + 0.2 * np.sin(i + j))
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle), j], 1).astype(float)
    if kind == POLYHEDRON:
        write_polyhedra(path, x, bricks_of(number), "all")
        return
    cells, sides = cells_of(kind, number), {}
    for cell in cells:
        for side in SIDES_OF[kind]:
            points = [cell[m] for m in side]
            sides.setdefault(tuple(sorted(points)), []).append(points)
    outer = [(3 if len(found[0]) == 4 else 2, 1, found[0]) for found in sides.values() if len(found) == 1]
    write_mesh(path, "2.2", False, x, outer + [(kind, 9, cell) for cell in cells], names=["all"])


# A gas that streams through them, all round: patch, state, and the five conserved values.
FAR = "all: farfield, pressure=1, density=1.4, u=0.5, v=0.3, w=0.2"
DENSITY, VELOCITY = 1.4, [0.5, 0.3, 0.2]
CONSERVED = (1.4, 0.7, 0.42, 0.28, 2.5 + 0.7 * 0.38)
