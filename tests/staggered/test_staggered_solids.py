"""Solids of the staggered solver: masks, regions of fluid that they part, bad ones named."""

import h5py
import numpy as np
import pytest

from staggered import run, state  # noqa: F401

PLATES = '[solids]\nkind = "boxes"\nboxes = [3, 0, 0, 1, 10, 8, 8, 0, 0, 2, 10, 8]\n'


@pytest.mark.parametrize("pressure", ["cg", "pcg-polynomial", "pcg-transform"])
@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_fluid_between_plates_stays_at_rest_and_each_region_has_its_own_mean(run, pressure, ranks):
    """Hydrostatic: p = f x + a constant, that of no mean in either region; the one across the periodic boundary too."""
    more = PLATES + '[forcing]\nkind = "pressure-gradient"\namplitude = 2\n'
    u, v, w, p = state(run("rest", (12, 10, 8), 0.02, length=(12, 10, 8), more=more, ranks=ranks, solver__pressure=pressure,
                           solver__tolerance=1e-12))
    assert max(np.abs(u).max(), np.abs(v).max(), np.abs(w).max()) < 1e-11
    for cells, x in (([4, 5, 6, 7], [0, 1, 2, 3]), ([10, 11, 0, 1, 2], [0, 1, 2, 3, 4])):
        assert np.abs(p[:, :, cells] - 2 * (np.array(x) - np.mean(x))).max() < 1e-9


def labels(solid):
    """Number of the region of each cell of a periodic box, by flooding; -1 in solids."""
    found = np.full(solid.shape, -1)
    for start in zip(*np.nonzero(~solid)):
        if found[start] >= 0:
            continue
        number, todo = found.max() + 1, [start]
        found[start] = number
        while todo:
            cell = todo.pop()
            for axis in range(3):
                for step in (-1, 1):
                    near = list(cell)
                    near[axis] = (near[axis] + step) % solid.shape[axis]
                    near = tuple(near)
                    if not solid[near] and found[near] < 0:
                        found[near] = number
                        todo.append(near)
    return found


@pytest.fixture
def mask(tmp_path):
    """Two thirds solid at random, without cells that are closed off: a path of the file, and the mask."""
    solid = np.random.default_rng(5).random((8, 10, 12)) < 0.66
    alone = ~solid
    for axis in range(3):
        for step in (-1, 1):
            alone &= np.roll(solid, step, axis)
    solid |= alone
    with h5py.File(tmp_path / "mask.h5", "w") as f:
        f["solid"] = solid.astype("u1")
    return str(tmp_path / "mask.h5"), solid


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_a_mask_parts_the_fluid_into_the_regions_that_flooding_finds(run, mask, ranks):
    path, solid = mask
    folder = run("random", (12, 10, 8), 0.05, ranks=ranks, solids__kind="file", solids__file=path, solver__tolerance=1e-10,
                 viscosity=0.1)
    u, v, w, p = state(folder)
    region = labels(solid)
    assert region.max() > 15
    assert np.abs(p).max() > 1e-3 and not p[solid].any()
    for number in range(region.max() + 1):
        assert abs(p[region == number].mean()) < 1e-12 * np.abs(p).max()
    for component, axis in ((u, 2), (v, 1), (w, 0)):
        closed = solid | np.roll(solid, 1, axis)
        assert not component[closed].any() and component[~closed].any()


def test_a_mask_of_boxes_is_these_boxes(run, tmp_path):
    solid = np.zeros((8, 10, 12))
    solid[2:5, 3:6, 4:8] = 1
    with h5py.File(tmp_path / "mask.h5", "w") as f:
        f["solid"] = solid
    values = dict(ranks=2, viscosity=0.05)
    boxes = run("random", (12, 10, 8), 0.05, more='[solids]\nkind = "boxes"\nboxes = [4, 3, 2, 4, 3, 3]\n', **values)
    masked = run("random", (12, 10, 8), 0.05, solids__kind="file", solids__file=str(tmp_path / "mask.h5"), **values)
    assert np.array_equal(state(boxes), state(masked))


def test_a_mask_of_another_grid_is_named(run, mask):
    result = run("rest", (12, 10, 9), 0.1, expect=65, solids__kind="file", solids__file=mask[0])
    assert "8 x 10 x 12 cells (z, y, x), but the grid has 9 x 10 x 12" in result.stderr


@pytest.mark.parametrize("changes, message", [
    (dict(more='[solids]\nkind = "random-cubes"\ncount = 500\nside = 4\n'), "-0.toml:17: solids.count = 500: "),
    (dict(more='[solids]\nkind = "boxes"\nboxes = [0, 11, 0, 1, 1, 1]\n'), "-0.toml:17: solids.boxes: box 0 has cells 11 to 11"),
    (dict(more='[solids]\nkind = "random-cubes"\ncount = 1\nside = 10\n'), "-0.toml:18: solids.side = 10: a cube overlaps its own"),
    (dict(solver__tolerance=1e-18), "--set: solver.tolerance = 1e-18 is too small: in double precision residuals cannot fall below 3.6e-15"),
    (dict(more='[boundaries]\nx = ["inflow", "outflow"]\n[solids]\nkind = "boxes"\nboxes = [0, 4, 0, 12, 1, 8, 0, 9, 0, 12, 1, 8]\n'),
     "solids divide the fluid"),
    (dict(more='[solids]\nkind = "boxes"\nboxes = [0,0,0, 3,3,1, 0,0,2, 3,3,1, 0,0,1, 3,1,1, 0,2,1, 3,1,1, 0,1,1, 1,1,1, '
               '2,1,1, 1,1,1]\n'), "enclose 1 cells of fluid, the first at (1, 1, 1)"),
])
def test_bad_solids_are_named_with_their_place(run, changes, message):
    result = run("rest", (12, 10, 8), 0.1, expect=65, ranks=2, **changes)
    assert message in result.stderr + result.stdout
