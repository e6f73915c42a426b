"""Meshes from files for flux-corrected transport: those of Gmsh, structured zones of CGNS, damaged ones."""

import re
import subprocess

import numpy as np
import pytest

import outputs
from fct import SIDES, run, state, text_of  # noqa: F401
from msh import write_msh

TUBE = {"patches": ["xmin: outflow", "xmax: outflow", "ymin: slip", "ymax: slip", "zmin: slip", "zmax: slip"], "end": 0.05}


@pytest.mark.parametrize("version", ("4.1", "2.2"))
@pytest.mark.parametrize("binary", (False, True))
def test_a_mesh_of_gmsh_is_the_mesh_that_it_describes(run, tmp_path, version, binary):
    """The same cells in the same order as those made here: the same bits, from tetrahedra of second order too, and of patches
    whose names differ late or whose surfaces are turned round."""
    made = run("tets", (6, 2, 2), "sod", length=(1, 0.3, 0.3), **TUBE)
    for curved in (False, True):
        path = tmp_path / f"tube-{curved}.msh"
        before = "the_same_forty_letters_before_the_side__" if curved else ""
        write_msh(path, version, binary, curved=curved, before=before, turned=curved)
        named = {**TUBE, "patches": [before + patch for patch in TUBE["patches"]]}
        read = run("tets", (1, 1, 1), "sod", grid__file=str(path), ranks=1 + curved, **named)
        if curved:
            assert np.abs(state(read) - state(made)).max() < 1e-13
        else:
            assert np.array_equal(state(read), state(made))


def test_structured_zones_of_cgns_are_one_mesh(run, triad, tmp_path):
    """Eight blocks turned every way, joined at all their faces: a gas at rest stays, and the box that walls leave is as large as it was
    made; on any ranks."""
    case = tmp_path / "blocks.toml"
    case.write_text('[equations]\nsolver = "multiblock"\n[grid]\nn = [8, 6, 6]\nsmooth = 0.03\nblocks = [2, 2, 2]\nturned = true\n'
                    '[initial]\nkind = "stream"\n[time]\nend = 1\n')
    made = subprocess.run([triad, "grid", case, "--write", tmp_path / "blocks.cgns"], capture_output=True, text=True)
    patches = [f"{side}: slip" for side in SIDES]
    if made.returncode == 69:
        (tmp_path / "blocks.cgns").write_text("")
        result = run("tets", (1, 1, 1), "uniform", grid__file=str(tmp_path / "blocks.cgns"), patches=patches, expect=69)
        assert "libcgns-dev" in result.stderr
        pytest.skip("a build without CGNS")
    folder = run("tets", (1, 1, 1), "uniform", grid__file=str(tmp_path / "blocks.cgns"), patches=patches, ranks=2, end=0.1)
    assert state(folder).shape[1] == 8 * 6 * 6
    assert np.abs(state(folder)[1:4]).max() < 1e-13
    assert abs(outputs.series(folder)["mass"][-1] - 1) < 1e-13  # density 1, a unit box


def test_damaged_meshes_are_refused_with_their_place(run, tmp_path):
    path = tmp_path / "bad.msh"
    write_msh(path, "2.2", False)
    good = path.read_text()
    lines = good.splitlines(keepends=True)
    first_tet = next(i for i, line in enumerate(lines) if line.split()[1:2] == ["4"] and len(line.split()) == 9)
    triangles = [line.split() for line in lines if line.split()[1:2] == ["2"] and len(line.split()) == 8]
    # the second triangle is the first once more, in another patch
    twice = " ".join([*triangles[1][:3], "2", triangles[1][4], *triangles[0][5:]]) + "\n"
    turned = lines[first_tet].split()
    turned[5:7] = turned[6:4:-1]
    damage = {
        "1 sides are in two patches, the first of them in xmin and xmax": good.replace(" ".join(triangles[1]) + "\n", twice),
        "1 of 144 cells of the mesh are left-handed or flat, the first cell 0 (a tetrahedron about": "".join(
            lines[:first_tet] + [" ".join(turned) + "\n"] + lines[first_tet + 1:]),
        "cut off": good[:len(good) // 2],
        "no mesh": "solid cube\n",
        "are not known": "".join(lines[:first_tet] + ["1 99 2 1 1 1 2 3 4\n"] + lines[first_tet + 1:]),
        "a node that there is not": "".join(lines[:first_tet] + ["1 4 2 9 7 1 2 3 100000\n"] + lines[first_tet + 1:]),
        "outer faces are in no patch of the file": "".join(
            line.replace(" 2 2 5 ", " 2 2 0 ") for line in lines),
        "versions 4.1 and 2.2": good.replace("2.2 0 8", "1.0 0 8"),
        "announced": good.replace("$Nodes\n63\n", "$Nodes\n6300000\n"),
    }
    for words, text in damage.items():
        path.write_text(text)
        result = run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **TUBE)
        assert words == "cut off" or words in result.stderr, (words, result.stderr)
        assert "bad.msh" in result.stderr or "left-handed" in words
    path.write_text(damage["outer faces are in no patch of the file"])
    said = [re.search(r"bad\.msh: .*", run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, ranks=n, **TUBE).stderr)[0]
            for n in (1, 3)]  # the cells of all ranks are counted, and the first of all is named
    assert said[0] == said[1], said
    result = run("tets", (1, 1, 1), "sod", grid__file=str(tmp_path / "none.msh"), expect=66, **TUBE)
    assert "none.msh" in result.stderr


def test_no_cut_or_changed_byte_of_a_mesh_does_harm(run, tmp_path, triad):
    """Binary 4.1 cut anywhere, or with a byte changed: read, or refused with 65; never a crash."""
    path = tmp_path / "mesh.msh"
    write_msh(path, "4.1", True, n=(2, 1, 1))
    good = path.read_bytes()
    case = tmp_path / "case.toml"
    case.write_text(text_of("tets", (1, 1, 1), "sod", patches=TUBE["patches"], end=0.01))
    random = np.random.default_rng(5)
    for i in range(40):
        data = bytearray(good[:random.integers(len(good))] if i % 2 else good)
        if not i % 2:
            data[random.integers(len(data))] = random.integers(256)
        path.write_bytes(data)
        result = subprocess.run([triad, "run", "-q", case, "--dir", tmp_path / f"run{i}", "--set", f"grid.file={path}"],
                                capture_output=True, text=True, timeout=60)
        assert result.returncode in (0, 65, 80), (i, result.returncode, result.stderr)
