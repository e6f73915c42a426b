"""Meshes of Gmsh, MSH 4.1 and 2.2, as text and binary: the tetrahedra of a box, for tests that read them."""

import struct

import numpy as np

from fct import SIDES, TETS


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
        self.binary, self.out = binary, b""

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


def write_msh(path, version, binary, n=(6, 2, 2), length=(1, 0.3, 0.3), curved=False, before="", turned=False):
    """before: what the names of all patches begin with; turned: 4.1 has surfaces turned round in their groups, and not in rising order."""
    x, tets, sides = cubes(n, length)
    # corners of second order: the middles of edges are points of their own, which nobody looks at
    more = [[1] * 6 for _ in tets] if curved else [[] for _ in tets]
    tet_type = 11 if curved else 4
    w = Writer(binary)
    w.text("$MeshFormat")
    w.text(f"{version} {int(binary)} 8")
    if binary:
        w.numbers("i", 1)
    w.end("MeshFormat")
    w.text("$PhysicalNames")
    w.text("7")
    for tag, name in enumerate(SIDES, 1):
        w.text(f'2 {tag} "{before}{name}"')
    w.text('3 9 "gas"')
    w.text("$EndPhysicalNames")
    if version == "4.1":
        w.text("$Entities")
        w.numbers("q", 0, 0, 6, 1)
        for tag in (3, 1, 2, 6, 5, 4) if turned else (1, 2, 3, 4, 5, 6):  # surface 10 tag is physical group tag
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
        count = len(tets) + sum(map(len, sides.values()))
        w.numbers("q", 7, count, 1, count)
        tag = 0
        for group, triangles in enumerate(sides.values(), 1):
            w.numbers("i", 2, 10 * group, 2)
            w.numbers("q", len(triangles))
            for triangle in triangles:
                tag += 1
                w.numbers("q", tag, *[p + 1 for p in triangle])
        w.numbers("i", 3, 7, tet_type)
        w.numbers("q", len(tets))
        for tet, rest in zip(tets, more):
            tag += 1
            w.numbers("q", tag, *[p + 1 for p in tet], *rest)
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
        elements = [(2, group, triangle) for group, triangles in enumerate(sides.values(), 1) for triangle in triangles]
        elements += [(tet_type, 9, tet + rest) for tet, rest in zip(tets, [[p - 1 for p in r] for r in more])]
        w.text(str(len(elements)))
        for tag, (kind, group, points) in enumerate(elements, 1):
            if binary:
                w.out += struct.pack("<iii", kind, 1, 2)
                w.numbers("i", tag, group, 7, *[p + 1 for p in points])
            else:
                w.text(" ".join(map(str, [tag, kind, 2, group, 7, *[p + 1 for p in points]])))
        w.end("Elements")
    path.write_bytes(w.out)
