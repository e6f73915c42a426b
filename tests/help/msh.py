"""Meshes of Gmsh, MSH 4.1 and 2.2, as text and binary, for tests that read them: the tetrahedra of a box, hexahedra with hanging nodes."""

import struct

import numpy as np

from unstructured import SIDES, TETS


def cubes(n, length):
    """Points, tetrahedra and outer triangles, by the name of their side, of the mesh that grid.kind = "tets" makes."""
    k, j, i = np.meshgrid(*(np.arange(m + 1) for m in reversed(n)), indexing="ij")
    lattice = np.stack([i, j, k], -1).reshape(-1, 3)
    number = {tuple(p): at for at, p in enumerate(lattice)}
    k, j, i = np.meshgrid(*(np.arange(m) for m in reversed(n)), indexing="ij")
    tets = [[number[a + (c & 1), b + (c >> 1 & 1), d + (c >> 2)] for c in tet]
            for a, b, d in np.stack([i, j, k], -1).reshape(-1, 3) for tet in TETS]
    sides = {name: [] for name in SIDES}
    for tet in tets:
        for left in range(4):
            triangle = [p for at, p in enumerate(tet) if at != left]
            for side, name in enumerate(SIDES):
                if (lattice[triangle][:, side // 2] == (n[side // 2] if side % 2 else 0)).all():
                    sides[name].append(triangle)
    return lattice * np.array(length) / np.array(n), tets, sides


class Writer:
    """MSH as Gmsh's reference manual, section 10, lays it down."""

    def __init__(self, binary):
        self.binary, self.out = binary, bytearray()

    def text(self, line):
        self.out += (line + "\n").encode()

    def numbers(self, kind, *values):
        """int32 i, size_t q or double d."""
        if self.binary:
            self.out += struct.pack("<" + kind * len(values), *values)
        else:
            self.text(" ".join(repr(float(v)) if kind == "d" else str(int(v)) for v in values))

    def end(self, name):
        self.text(("\n" if self.binary else "") + f"$End{name}")


def runs_of(elements):
    """Elements that follow each other with one type and group, as 4.1 has them in blocks."""
    runs = []
    for kind, group, points in elements:
        if not runs or runs[-1][:2] != (kind, group):
            runs.append((kind, group, []))
        runs[-1][2].append(points)
    return runs


def write_mesh(path, version, binary, x, elements, names=SIDES, turned=False):
    """Elements: (Gmsh's type, physical group, points from 0). Groups of surfaces are 1 .., by their names, of cells 9; an element of no
    surface has group 0. turned: 4.1 has surfaces turned round in their groups, and not in rising order."""
    w = Writer(binary)
    w.text("$MeshFormat")
    w.text(f"{version} {int(binary)} 8")
    if binary:
        w.numbers("i", 1)
    w.end("MeshFormat")
    w.text("$PhysicalNames")
    w.text(str(len(names) + 1))
    for tag, name in enumerate(names, 1):
        w.text(f'2 {tag} "{name}"')
    w.text('3 9 "gas"')
    w.text("$EndPhysicalNames")
    if version == "4.1":
        w.text("$Entities")
        w.numbers("q", 0, 0, len(names), 1)
        tags = list(range(1, len(names) + 1))
        for tag in tags[2::-1] + tags[:2:-1] if turned else tags:  # surface 10 tag is physical group tag
            w.numbers("i", 10 * tag)
            w.numbers("d", *[0] * 6)
            w.numbers("q", 1)
            w.numbers("i", -tag if turned else tag)
            w.numbers("q", 0)
        w.numbers("i", 7)
        w.numbers("d", *[0] * 6)
        w.numbers("q", 1)
        w.numbers("i", 9)
        w.numbers("q", 0)
        w.end("Entities")
        w.text("$Nodes")
        w.numbers("q", 1, len(x), 1, len(x))
        w.numbers("i", 3, 7, 0)
        w.numbers("q", len(x))
        for i in range(len(x)):
            w.numbers("q", i + 1)
        for point in x:
            w.numbers("d", *point)
        w.end("Nodes")
        w.text("$Elements")
        runs = runs_of(elements)
        w.numbers("q", len(runs), len(elements), 1, len(elements))
        tag = 0
        for kind, group, listed in runs:
            w.numbers("i", *((3, 7) if group == 9 else (2, 10 * group)), kind)
            w.numbers("q", len(listed))
            for points in listed:
                tag += 1
                w.numbers("q", tag, *[p + 1 for p in points])
        w.end("Elements")
    else:
        w.text("$Nodes")
        w.text(str(len(x)))
        for i, point in enumerate(x):
            if binary:
                w.out += struct.pack("<iddd", i + 1, *point)
            else:
                w.text(f"{i + 1} " + " ".join(map(repr, map(float, point))))
        w.end("Nodes")
        w.text("$Elements")
        w.text(str(len(elements)))
        for tag, (kind, group, points) in enumerate(elements, 1):
            if binary:
                w.out += struct.pack("<iii", kind, 1, 2)
                w.numbers("i", tag, group, 7, *[p + 1 for p in points])
            else:
                w.text(" ".join(map(str, [tag, kind, 2, group, 7, *[p + 1 for p in points]])))
        w.end("Elements")
    path.write_bytes(w.out)


def elements_of(tets, sides, curved=False):
    """Of second order the middles of edges are points of their own, which nobody looks at."""
    elements = [(2, group, triangle) for group, triangles in enumerate(sides.values(), 1) for triangle in triangles]
    return elements + [(11 if curved else 4, 9, tet + [0] * (6 * curved)) for tet in tets]


def write_msh(path, version, binary, n=(6, 2, 2), length=(1, 0.3, 0.3), curved=False, before="", turned=False):
    """before: what the names of all patches begin with; turned: as of write_mesh."""
    x, tets, sides = cubes(n, length)
    write_mesh(path, version, binary, x, elements_of(tets, sides, curved), [before + side for side in SIDES], turned)


def refined(x):
    """Points and elements of a box of hexahedra, of which the half at greater x is twice as fine: nodes hang between. Outer sides are in the
    groups of SIDES, those between in none."""
    points, number, elements, high = [], {}, [], (2 * x, x, x)

    def node(*at):
        if at not in number:
            number[at] = len(points)
            points.append(at)
        return number[at]

    def hexahedron(i, j, k, h):
        c = [node(i + h * a, j + h * b, k + h * d) for d in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        quads = {0: (0, 3, 7, 4), 1: (1, 2, 6, 5), 2: (0, 1, 5, 4), 3: (3, 2, 6, 7), 4: (0, 1, 2, 3), 5: (4, 5, 6, 7)}
        for side, quad in quads.items():
            if all(points[c[q]][side // 2] == (high[side // 2] if side % 2 else 0) for q in quad):
                elements.append((3, side + 1, [c[q] for q in quad]))
        elements.append((5, 9, c))

    for k in range(x):
        for j in range(x):
            for i in range(x):
                hexahedron(i, j, k, 1)
    for k in range(2 * x):
        for j in range(2 * x):
            for i in range(2 * x):
                hexahedron(x + i / 2, j / 2, k / 2, 0.5)
    return points, elements
