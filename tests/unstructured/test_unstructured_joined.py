"""Bricks on both sides of a rank boundary: they stay in their zones, and the flow is that of one rank and of lists."""

import re

import numpy as np
import pytest

import outputs
from unstructured import PERIODIC, SIDES, run, state  # noqa: F401
from msh import write_mesh

BLAST = {"initial__energy": 10, "initial__radius": 0.3, "initial__centre": [0.47, 0.4, 0.53], "end": 100, "time__max_steps": 40}  # of no symmetry


def apart(one, other):
    one, other = state(one), state(other)
    return (np.abs(one - other) / np.abs(other).max(axis=1, keepdims=True)).max()


def zoned(folder):
    """How many cells of all ranks are in structured zones."""
    return int(re.search(r"(\d+) cells in structured zones", (folder / "log.txt").read_text())[1])


@pytest.mark.parametrize("n", ((16, 9, 10), (9, 16, 10), (10, 9, 16)))
def test_bricks_beside_another_rank_stay_bricks(run, n):
    """Cut across each axis: all cells stay in zones, the flow is that of lists on one rank, and of one zone; mass crosses the cut by the same
    number on both sides, so that none is lost. The same bits on more threads."""
    bar = {**BLAST, "length": [1 if m == 16 else 0.25 for m in n], "initial__radius": 0.1,
           "initial__centre": [0.47 if m == 16 else 0.11 + 0.001 * m for m in n]}
    lists = run("hexes", n, "blast", **bar, grid__structured="none")
    two = run("hexes", n, "blast", **bar, ranks=2)
    assert zoned(two) == np.prod(n)
    assert apart(two, lists) < 1e-12 and apart(two, run("hexes", n, "blast", **bar)) < 1e-12
    assert np.abs(outputs.series(two)["mass_drift"]).max() < 1e-14
    assert np.array_equal(state(run("hexes", n, "blast", **bar, ranks=2, threads=2)), state(two))


@pytest.mark.parametrize("more", ({"ranks": 4}, {"ranks": 8}, {"ranks": 2, "equations__low_order": "hllc", "grid__loops": "colours"},
                                  {"ranks": 2, "equations__transport": "high"}, {"ranks": 2, "equations__limited": ["density"]},
                                  {"ranks": 2, "patches": PERIODIC}))
def test_joined_and_other_sides_give_one_flow(run, more):
    """A zone between several ranks is joined to one of them, and sees the others by lists; so it is between periodic ends."""
    alone = {key: value for key, value in more.items() if key != "ranks"}
    assert apart(run("hexes", (12, 11, 16), "blast", **BLAST, **more), run("hexes", (12, 11, 16), "blast", **BLAST, **alone)) < 1e-12


def test_bricks_between_tetrahedra_and_another_rank(run):
    """Gradients are means over neighbours here. Of the hexahedra, half of all cubes, one layer goes by lists, at the joint with tetrahedra."""
    bar = {**BLAST, "length": (1, 0.25, 0.25), "initial__radius": 0.2, "initial__centre": [0.4, 0.1, 0.13], "time__max_steps": 8}
    cut = run("hybrid", (48, 8, 8), "blast", **bar, ranks=10)
    assert zoned(cut) == (48 // 2 - 1) * 8 * 8
    assert apart(cut, run("hybrid", (48, 8, 8), "blast", **bar, grid__structured="none")) < 1e-12


def write_bricks(path, x):
    """Hexahedra between planes x[0], x[1], x[2] of each axis."""
    n = [len(planes) - 1 for planes in x]
    at = np.arange(np.prod([m + 1 for m in n])).reshape([m + 1 for m in reversed(n)])
    points = np.stack(np.meshgrid(*reversed(x), indexing="ij")[::-1], -1).reshape(-1, 3)
    elements, sides = [], {0: (0, 3, 7, 4), 1: (1, 2, 6, 5), 2: (0, 1, 5, 4), 3: (3, 2, 6, 7), 4: (0, 1, 2, 3), 5: (4, 5, 6, 7)}
    for k, j, i in np.ndindex(*reversed(n)):
        c = [at[k + d, j + b, i + a] for d in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for side, quad in sides.items():
            if (i, j, k)[side // 2] == (n[side // 2] - 1 if side % 2 else 0):
                elements.append((3, side + 1, [c[q] for q in quad]))
        elements.append((5, 9, c))
    write_mesh(path, "4.1", True, points, elements)


@pytest.mark.parametrize("axis", range(3))
def test_bricks_of_many_lengths_are_joined(run, tmp_path, axis):
    """No two layers alike, so that numbers of layers are asked for in their order on both sides of the cut, and by how far cells across it are."""
    x = [np.cumsum(np.r_[0, 1 + 0.3 * np.sin(2.3 * np.arange(m) + a)]) for a, m in enumerate((9, 10, 11))]
    x[axis] = np.cumsum(np.r_[0, 1 + 0.3 * np.sin(2.3 * np.arange(20))])
    x = [planes / planes[-1] * (1 if a == axis else 0.25) for a, planes in enumerate(x)]
    path = tmp_path / "bricks.msh"
    write_bricks(path, x)
    bar = {**BLAST, "initial__radius": 0.1, "initial__centre": [0.47 if a == axis else 0.11 + 0.01 * a for a in range(3)], "grid__file": str(path),
           "patches": [f"{side}: slip" for side in SIDES]}
    lists = run("hexes", (1, 1, 1), "blast", **bar, grid__structured="none")
    two = run("hexes", (1, 1, 1), "blast", **bar, ranks=2)
    assert zoned(two) == (len(x[0]) - 1) * (len(x[1]) - 1) * (len(x[2]) - 1)
    assert apart(two, lists) < 1e-12


def test_joined_zones_go_on_bit_for_bit(run):
    """What other ranks see of bricks is made anew of the state."""
    box = {**BLAST, "time__dt": 0.001}
    whole = run("hexes", (9, 10, 16), "blast", ranks=2, **box | {"time__max_steps": 9})
    part = run("hexes", (9, 10, 16), "blast", ranks=2, **box | {"time__max_steps": 4})
    run("hexes", (9, 10, 16), "blast", ranks=2, folder=part, **box | {"time__max_steps": 9})
    assert np.array_equal(state(part), state(whole))
