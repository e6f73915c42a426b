"""Meshes from files for flux-corrected transport: those of Gmsh, structured zones of CGNS, damaged ones."""

import re
import subprocess
import sys

import numpy as np
import pytest

import outputs
from conftest import ROOT
from unstructured import SIDES, run, state, text_of  # noqa: F401
from msh import cubes, elements_of, write_mesh, write_msh

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
    # the first point of the first tetrahedron moves to the second one
    tet = [int(n) for n in lines[first_tet].split()[5:]]
    first_node = lines.index("$Nodes\n") + 1 + tet[0]
    at = np.array(lines[lines.index("$Nodes\n") + 1 + tet[1]].split()[1:], dtype=float)
    flat = " ".join(map(str, [tet[0], *at])) + "\n"
    damage = {
        "1 sides are in two patches, the first of them in xmin and xmax": good.replace(" ".join(triangles[1]) + "\n", twice),
        "of 144 cells of the mesh are left-handed or flat, the first cell 0 (a tetrahedron about": "".join(
            lines[:first_node] + [flat] + lines[first_node + 1:]),
        "cut off": good[:len(good) // 2],
        "its name is that of a Gmsh mesh, but it does not begin like one": "some words\n",
        "this is an STL surface: meshes of Gmsh, ": "solid cube\n",
        "elements of unknown type": "".join(lines[:first_tet] + ["1 99 2 1 1 1 2 3 4\n"] + lines[first_tet + 1:]),
        "a node that does not exist": "".join(lines[:first_tet] + ["1 4 2 9 7 1 2 3 100000\n"] + lines[first_tet + 1:]),
        "outer faces are in no patch of the file": "".join(
            line.replace(" 2 2 5 7 ", " 2 2 0 0 ") for line in lines),
        "versions 1, 2.0 to 2.2, 4.0 and 4.1": good.replace("2.2 0 8", "3.0 0 8"),
        "fewer nodes than it declares": good.replace("$Nodes\n63\n", "$Nodes\n6300000\n"),
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


def in_two_groups(text, version, surface, group):
    """The file with a surface (10 times its group) in another group too: 4.1 has a longer list, 2.2 each element once more."""
    if version == "4.1":
        one = f"\n{10 * surface}\n" + " ".join(["0.0"] * 6) + f"\n1\n{surface}\n"
        assert text.count(one) == 1
        return text.replace(one, one.replace(f"\n1\n{surface}\n", f"\n2\n{surface}\n{group}\n"))
    head, rest = text.split("$Elements\n")
    lines = rest.split("$End")[0].splitlines()[1:]
    more = [line.replace(f" 2 2 {surface} 7 ", f" 2 2 {group} 7 ") for line in lines if f" 2 2 {surface} 7 " in line]
    return f"{head}$Elements\n{len(lines) + len(more)}\n" + "\n".join(lines + more) + "\n$EndElements\n"


@pytest.mark.parametrize("version", ("4.1", "2.2"))
def test_a_surface_in_two_groups_is_refused_in_both_formats(run, tmp_path, version):
    """ymin, of 24 triangles, is in the group of zmax too; and where a group's only surface is in another one the words are the same."""
    path = tmp_path / "two.msh"
    x, tets, sides = cubes((6, 2, 2), (1, 0.3, 0.3))
    write_mesh(path, version, False, x, elements_of(tets, sides), SIDES)
    good = path.read_text()
    path.write_text(in_two_groups(good, version, 3, 6))
    result = run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **TUBE)
    surface = 30 if version == "4.1" else 7
    assert f"24 sides are in two patches, the first of them in ymin and zmax, of surface {surface}, at (0, 0, 0)" in result.stderr
    path.write_text(in_two_groups(good, version, 3, 7).replace('$PhysicalNames\n7\n', '$PhysicalNames\n8\n2 7 "all_walls"\n'))
    patches = {**TUBE, "patches": [*TUBE["patches"], "all_walls: slip"]}
    result = run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **patches)
    assert "24 sides are in two patches, the first of them in " in result.stderr and "all_walls" in result.stderr
    assert "no outer face" not in result.stderr


def test_partitioned_meshes_of_gmsh_are_the_whole_mesh(run, tmp_path):
    """Elements belong to pieces, in no group or a piece's, of surfaces in groups; a surface between partitions is in the group of its volume by
    number alone; ghost cells are copies. The same bits as of the file before."""
    path = tmp_path / "tube.msh"
    write_msh(path, "4.1", False)
    whole = run("tets", (1, 1, 1), "sod", grid__file=str(path), **TUBE)
    text = re.sub(r"(?m)^2 (\d0) 2$", r"2 1\1 2", path.read_text())
    box = "0.0 0.0 0.0 0.0 0.0 0.0"
    pieces = "".join(f"1{10 * i} 2 {10 * i} 1 {1 + i % 2} {box} {f'1 {i}' if i < 4 else 0} 0\n" for i in range(1, 7))
    pieces += f"200 3 7 2 1 2 {box} 1 3 0\n"
    text = text.replace("$EndEntities\n", f"$EndEntities\n$PartitionedEntities\n2\n1\n8 1\n1 0 7 1\n5 0 1 1 1 0 0 0 0\n{pieces}7 3 7 1 1 {box} 1 9 0\n$EndPartitionedEntities\n")
    head, elements = text.split("$Elements\n")
    blocks, n = elements.split("\n")[0].split()[:2]
    ghost = f"3 8 4\n1\n{int(n) + 1} 1 2 9 30\n"
    between = f"2 200 2\n1\n{int(n) + 2} 1 2 9\n"
    path.write_text(head + f"$Elements\n{int(blocks) + 2} {int(n) + 2} 1 {int(n) + 2}\n" + elements.split("\n", 1)[1].replace("$End", ghost + between + "$End"))
    assert np.array_equal(state(run("tets", (1, 1, 1), "sod", grid__file=str(path), **TUBE)), state(whole))


def test_patches_between_cells_are_skipped_and_named(run, tmp_path):
    """The plane x = 1/2 of the tube, 8 triangles, and x = 1/6 besides the outer side ymin: the flow is that without them, on any ranks; a case that gives
    the first a condition is refused with the reason."""
    x, tets, sides = cubes((6, 2, 2), (1, 0.3, 0.3))
    plain, path = tmp_path / "plain.msh", tmp_path / "inside.msh"
    write_mesh(plain, "2.2", False, x, elements_of(tets, sides), SIDES)

    def plane(at):
        found = {tuple(sorted(t[:k] + t[k + 1:])) for t in tets for k in range(4)}
        return [list(t) for t in sorted(found) if np.allclose(x[list(t), 0], at)]

    more = [(2, 7, t) for t in plane(0.5)] + [(2, 3, t) for t in plane(1 / 6)]
    assert len(more) == 16
    write_mesh(path, "2.2", False, x, elements_of(tets, sides) + more, [*SIDES, "interface"])
    expected = state(run("tets", (1, 1, 1), "sod", grid__file=str(plain), **TUBE))
    for ranks in (1, 3):
        folder = run("tets", (1, 1, 1), "sod", grid__file=str(path), ranks=ranks, **TUBE)
        text = (folder / "log.txt").read_text()
        assert text.count("8 faces of patch interface are between cells, not on the boundary, and are skipped with the patch") == 1
        assert text.count("8 faces of patch ymin are between cells, not on the boundary, and are skipped\n") == 1
        assert "interface" not in " ".join(outputs.series(folder))
        assert np.abs(state(folder) - expected).max() < 1e-13
    named = {**TUBE, "patches": [*TUBE["patches"], "interface: slip"]}
    result = run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **named)
    assert 'patch "interface" is inside the mesh, its 8 faces are between cells: remove it' in result.stderr


@pytest.mark.parametrize("version", ("4.1", "2.2"))
def test_sections_are_found_as_gmsh_finds_them(run, tmp_path, version):
    """Blanks and tabs behind the names of sections, and lines that end a section by another name."""
    path = tmp_path / "tube.msh"
    write_msh(path, version, False)
    whole = state(run("tets", (1, 1, 1), "sod", grid__file=str(path), **TUBE))
    path.write_text(re.sub(r"(?m)^(\$\w+)$", r"\1 \t", path.read_text()).replace("$EndNodes", "$EndNotes"))
    assert np.array_equal(state(run("tets", (1, 1, 1), "sod", grid__file=str(path), **TUBE)), whole)


def test_meshes_without_cells_say_what_they_are(run, tmp_path):
    """A surface in space; elements of no dimension; a file that names no surface has one patch."""
    x, tets, sides = cubes((2, 2, 2), (1, 1, 1))
    path = tmp_path / "plane.msh"
    flat = [(2, 5, t) for t in sides["zmin"] + sides["xmin"]]
    for elements, words in ((flat, "a surface mesh without cells (16 triangles and quadrilaterals that are in no plane"),
                            ([(15, 0, [0])], "the file contains no tetrahedra, pyramids, prisms or hexahedra")):
        write_mesh(path, "4.1", False, x, elements, SIDES)
        assert words in run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **TUBE).stderr
    write_mesh(path, "4.1", False, x, [e for e in elements_of(tets, sides) if e[0] == 4], [])
    said = run("tets", (1, 1, 1), "sod", grid__file=str(path), expect=65, **TUBE).stderr
    assert 'the mesh has no patch "xmin" (there are outside)' in said


def test_names_of_patches_are_the_same_in_columns_and_figures(run, triad, tmp_path):
    """Letters of any script and hyphens stay; a name of signs alone is the surface's number; blanks and bytes that are not UTF-8 become _, in the case
    too. series.csv has a column for each, which triad-plot and the report read."""
    path = tmp_path / "tube.msh"
    x, tets, sides = cubes((6, 2, 2), (1, 0.3, 0.3))
    names = ["入口", "出口", "wall-1", "Außen wand", "*", "Einla?"]
    write_mesh(path, "2.2", False, x, elements_of(tets, sides), names)
    path.write_bytes(path.read_bytes().replace(b"Einla?", b"Einla\xdf"))
    typed = ["入口", "出口", "wall-1", "Außen wand", "surface-5", "Einla_"]
    folder = run("tets", (1, 1, 1), "sod", grid__file=str(path), **{**TUBE, "patches": [f"{name}: slip" for name in typed]})
    columns = [f"mass_out_{name.replace(' ', '_')}" for name in typed]
    assert set(columns) <= set(outputs.series(folder))
    plain = run("tets", (6, 2, 2), "sod", length=(1, 0.3, 0.3), **{**TUBE, "patches": [f"{side}: slip" for side in SIDES]})
    assert np.array_equal(state(folder), state(plain))
    sys.path.insert(0, str(ROOT / "tools"))
    from triad_plot.read import series
    read = series.Series(str(folder / "series.csv"))
    assert set(columns) <= set(read.columns) and read.units["mass_out_wall-1"] == "M"
    drawn = subprocess.run([ROOT / "tools/triad-plot", "series", folder, "mass_out_wall-1", "mass_out_入口", "-o", tmp_path / "drawn.svg"],
                           capture_output=True, text=True)
    assert drawn.returncode == 0, drawn.stderr
    assert (tmp_path / "drawn.svg").stat().st_size > 0


def test_files_of_other_formats_are_named(run, tmp_path):
    cases = {"a.cas": ('(0 "fluent")', "a Fluent case"), "b": ("MFEM mesh v1.0\n", "an MFEM mesh"), "c": ("version https://git-lfs", "a pointer of Git LFS"),
             "d.unv": ("    -1\n", "a UNV mesh"), "e.exo": ("CDF\1", "a NetCDF file (Exodus?)"), "f": ("<!DOCTYPE html>", "a web page")}
    for name, (text, words) in cases.items():
        (tmp_path / name).write_text(text)
        said = run("tets", (1, 1, 1), "sod", grid__file=str(tmp_path / name), expect=65, **TUBE).stderr
        assert re.search(f"{name}: this is {re.escape(words)}[^:]*: meshes of Gmsh, .*CGNS can be read", said), said
    for name, text, words in (("g.vtu", "junk", "its name is that of a VTK file, but it does not begin like one"), ("h.mesh", "", "the file is empty"),
                              ("faces", "FoamFile\n{", "this is one file of an OpenFOAM mesh (name the folder of the case instead)"),
                              ("i.med", "\x89HDF\r\n\x1a\n" + 9 * "x", "this is a MED mesh of Salome"), ("j.bdf", "$ a comment\nBEGIN BULK\n", "a Nastran mesh")):
        (tmp_path / name).write_text(text, encoding="latin-1")
        said = run("tets", (1, 1, 1), "sod", grid__file=str(tmp_path / name), expect=65, **TUBE).stderr
        assert f"{name}: {words}" in said or words in said, said


def test_no_cut_or_changed_byte_of_a_mesh_does_harm(run, tmp_path, triad):
    """Binary 4.1 cut anywhere is refused; with a byte changed it is read, or refused with 65; never a crash."""
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
        assert not i % 2 or result.returncode == 65 or b"$End" in data[-16:], (i, result.returncode)
