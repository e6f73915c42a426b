"""A mesh file on several ranks is the mesh that one rank reads: checksum of cells and points, faces, patches, reordered cells, flow. Rank 0 passes
the file on as it reads it; a file that is not fit for that is read whole. What the files of a run need of a rank falls with the ranks."""

import re
import subprocess
import sys

import numpy as np
import pytest

import meshfiles
from unstructured import run, state, text_of  # noqa: F401

CASE = """[equations]
solver = "fct"
[grid]
file = "{file}"
[initial]
kind = "uniform"
[boundaries]
patches = ["*: slip"]
[time]
end = 1
max_steps = 1
[output]
report = false
"""

# passed on as they are read: cells before points, points first, binary in either byte order, numbers of nodes with gaps; read whole: a plane,
# a mesh without a boundary
FILES = {
    "su2": ("a.su2", lambda path: meshfiles.su2(meshfiles.row().mirrored(), path)),
    "gmsh-binary-swapped": ("b.msh", lambda path: meshfiles.gmsh_binary(meshfiles.row().mirrored(lambda cell: len(cell) == 4), path, ">")),
    "gmsh-gaps": ("c.msh", lambda path: meshfiles.gmsh(meshfiles.row(), path, tags=lambda i: 3 * i + 2)),
    "vtu": ("d.vtu", lambda path: meshfiles.vtu(meshfiles.row(), path, "raw")),
    "plane": ("e.msh", lambda path: meshfiles.gmsh_binary(meshfiles.plane(), path)),
    "no-boundary": ("f.su2", lambda path: meshfiles.su2(meshfiles.Mesh(meshfiles.row().x, meshfiles.row().cells, {}), path)),
}


def told(folder):
    """The lines of the log about the mesh and its patches."""
    lines = [line.split("info", 1)[1].strip() for line in (folder / "log.txt").read_text().splitlines() if " info " in line]
    return [line for line in lines if re.search(r"; mesh [0-9a-f]{16}$|left-handed|patch |layer", line)]


@pytest.mark.parametrize("kind", FILES)
def test_a_file_on_three_ranks_is_the_mesh_of_one(run_case, tmp_path, kind):
    name, write = FILES[kind]
    write(tmp_path / name)
    text = CASE.format(file=tmp_path / name)
    one, three = run_case(text), run_case(text, ranks=3)
    assert told(one) == told(three) and any("; mesh " in line for line in told(one)), (told(one), told(three))
    assert np.abs(state(three) - state(one)).max() < 1e-13


def needs(triad, case, ranks):
    """Bytes that a rank needs, by owner, as a check counts them."""
    text = subprocess.run([triad, "case", case, "--check", "-n", str(ranks)], capture_output=True, text=True, check=True).stdout
    unit = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
    return {row[1]: float(row[2]) * unit[row[3]] for row in re.finditer(r"^  (\w[\w ]*?) {2,}([\d.]+) (B|kB|MB|GB)\b", text, re.M)}


def test_what_files_need_of_a_rank_falls_with_the_ranks(triad, tmp_path):
    """200 million tetrahedra: cells of eight ranks, an eighth of them and a ghost layer. When rank 0 had the whole mesh for files, it needed 52 bytes
    of each of all cells; a rank's own share of 120 bytes is 15."""
    case = tmp_path / "big.toml"
    case.write_text(text_of("tets", (322, 322, 322), "sod", patches=["*: outflow"]))
    assert needs(triad, case, 8)["output"] < 16 * 6 * 322**3
    assert needs(triad, case, 8)["output"] < 1.1 / 4 * needs(triad, case, 2)["output"]


def peak(*command):
    """Bytes that the largest process of a command had in memory, those that it started included."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=2); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    return 1024 * int(subprocess.run([sys.executable, "-c", code, *map(str, command)], capture_output=True, text=True, check=True).stdout)


def write_tets(path, n):
    """n^3 cubes of six tetrahedra in binary MSH 4.1, with one group for all sides. Returns the number of tetrahedra."""
    grid = np.arange((n + 1)**3).reshape(n + 1, n + 1, n + 1)
    corner = [grid[k:k + n, j:j + n, i:i + n].ravel() for k in (0, 1) for j in (0, 1) for i in (0, 1)]
    tets = np.concatenate([np.stack([corner[0], corner[a], corner[a + b], corner[7]], 1) for a, b in ((1, 2), (2, 1), (1, 4), (4, 1), (2, 4), (4, 2))])
    sides = []
    for flat in (grid[0], grid[-1], grid[:, 0], grid[:, -1], grid[:, :, 0], grid[:, :, -1]):
        a, b, c, d = (flat[s].ravel() for s in (np.s_[:-1, :-1], np.s_[:-1, 1:], np.s_[1:, 1:], np.s_[1:, :-1]))
        sides += [np.stack([a, b, c], 1), np.stack([a, c, d], 1)]
    sides = np.concatenate(sides)
    x = np.stack(np.meshgrid(*[np.linspace(0, 1, n + 1)] * 3, indexing="ij"), -1).reshape(-1, 3)[:, ::-1]

    def u8(*values):
        return np.array(values, dtype="<u8").tobytes()

    def i4(*values):
        return np.array(values, dtype="<i4").tobytes()

    def elements(first, points):
        return np.column_stack([np.arange(first, first + len(points)), points + 1]).astype("<u8").tobytes()

    box = np.array([0, 0, 0, 1, 1, 1], dtype="<f8").tobytes()
    path.write_bytes(b"".join([
        b"$MeshFormat\n4.1 1 8\n", i4(1), b'\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 "wall"\n$EndPhysicalNames\n$Entities\n', u8(0, 0, 1, 1),
        i4(1), box, u8(1), i4(1), u8(0), i4(1), box, u8(0), u8(0), b"\n$EndEntities\n$Nodes\n", u8(1, len(x), 1, len(x)), i4(3, 1, 0), u8(len(x)),
        np.arange(1, len(x) + 1).astype("<u8").tobytes(), np.ascontiguousarray(x, "<f8").tobytes(), b"\n$EndNodes\n$Elements\n",
        u8(2, len(sides) + len(tets), 1, len(sides) + len(tets)), i4(2, 1, 2), u8(len(sides)), elements(1, sides),
        i4(3, 1, 4), u8(len(tets)), elements(1 + len(sides), tets), b"\n$EndElements\n"]))
    return len(tets)


def test_a_file_is_counted_without_holding_it(triad, tmp_path):
    """The process that reads has no more of a file in memory than its pages, which the system can drop: 40 bytes a tetrahedron, 32 a node. Arrays of
    points and cells would be 17 and 24 more at least."""
    bytes_of, cells = [], []
    for n in (10, 40):
        cells.append(write_tets(tmp_path / f"{n}.msh", n))
        (tmp_path / f"{n}.toml").write_text(CASE.format(file=tmp_path / f"{n}.msh"))
        bytes_of.append(peak(triad, "case", tmp_path / f"{n}.toml", "--check", "-n", "2"))
    file_size = (tmp_path / "40.msh").stat().st_size
    assert bytes_of[1] - bytes_of[0] < file_size + 6 * cells[1], (bytes_of, file_size, cells)
