"""The compressible solver through the program: the same answer on any ranks, blocks and threads; restart."""

import shutil

import h5py
import numpy as np
import pytest

import outputs
from compressible import STATE, case, differ, run, state  # noqa: F401
from outputs import sets


# ---- ranks and blocks ----

@pytest.mark.limit(300)
def test_the_answer_is_the_same_on_any_ranks_and_blocks(run, case, tmp_path):
    """1e-13 a step: round-off of one evaluation of the stencils, whose order of operations may differ by place."""
    path, steps = case(), 5
    run(1, path, tmp_path / "one", steps)
    reference = state(tmp_path / "one")
    # every rank grid of 2, 3, 4 and 8 ranks that leaves blocks of 4 points
    grids = [(2, g) for g in ([2, 1, 1], [1, 2, 1], [1, 1, 2])] + [(3, [1, 3, 1]), (3, [1, 1, 3]), (3, [3, 1, 1])] + [
        (4, g) for g in ([4, 1, 1], [2, 2, 1], [2, 1, 2], [1, 2, 2], [1, 1, 4])] + [(8, [2, 2, 2]), (8, [4, 1, 2])]
    for ranks, blocks in grids:
        folder = tmp_path / f"{ranks}-{'x'.join(map(str, blocks))}"
        run(ranks, path, folder, steps, *sets(parallel__blocks=blocks))
        assert differ(state(folder), reference) <= steps * 1e-13, (ranks, blocks)
        shutil.rmtree(folder)


def test_the_answer_is_the_same_with_threads(run, case, tmp_path):
    path = case()
    run(1, path, tmp_path / "one", 4)
    run(2, path, tmp_path / "two", 4, threads=2)
    assert differ(state(tmp_path / "two"), state(tmp_path / "one")) <= 4e-13


def test_ranks_that_cannot_share_the_grid_are_refused_with_advice(run, case, tmp_path):
    result = run(3, case(n="10, 1, 1"), tmp_path / "run", 1, expect=65)
    assert "use 2 ranks" in result.stderr and not (tmp_path / "run").exists()
    result = run(2, case(), tmp_path / "run", 1, *sets(parallel__blocks=[1, 1, 1]), expect=65)
    assert "parallel.blocks" in result.stderr


def test_files_are_the_same_bytes_when_rank_0_writes_for_all(run, case, tmp_path):
    path = case(more="fields_interval = 0.01\n")
    for writer in ("direct", "gather"):
        run(3, path, tmp_path / writer, 2, *sets(output__writer=writer))
    for part, names in (("checkpoints/*/points.h5", STATE), ("fields/*.h5", ("rho", "u", "v", "w", "p"))):
        direct, gather = (sorted((tmp_path / w).glob(part))[-1] for w in ("direct", "gather"))
        with h5py.File(direct) as a, h5py.File(gather) as b:
            assert all(a[name][:].tobytes() == b[name][:].tobytes() for name in names)
    run(2, path, tmp_path / "gather", 3)  # and it is a good checkpoint


# ---- restart ----

@pytest.mark.parametrize("scheme", ["ssprk3", "rk4"])
def test_restart_continues_bit_for_bit(run, case, tmp_path, scheme):
    path, extra = case(), sets(time__scheme=scheme, time__dt=0.0, time__cfl=0.4)
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    run(2, path, whole, 8, *extra)
    for steps in (3, 8):
        run(2, path, halves, steps, *extra)
    assert outputs.rows(halves) == outputs.rows(whole)
    assert state(halves).tobytes() == state(whole).tobytes()


def test_restart_continues_on_other_ranks_and_in_other_precision(run, case, tmp_path):
    path = case()
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(2, path, whole, 8)
    for ranks, steps in ((4, 3), (1, 5), (3, 8)):
        run(ranks, path, parts, steps)
    assert differ(state(parts), state(whole)) <= 8e-13
    run(2, path, parts, 9, *sets(precision="single"))
    assert state(parts).dtype == np.float32
    run(2, path, parts, 10)
    assert state(parts).dtype == np.float64
    run(2, path, whole, 10)
    assert 0 < differ(state(parts), state(whole)) < 100 * np.finfo(np.float32).eps


def test_a_damaged_checkpoint_is_passed_over(run, case, mpirun, triad, tmp_path):
    path, folder = case(more="checkpoint_interval = 0.01\n"), tmp_path / "run"
    run(2, path, folder, 6)
    newest = outputs.checkpoints(folder)[-1]
    data = bytearray((newest / "points.h5").read_bytes())
    data[len(data) // 2] ^= 4
    (newest / "points.h5").write_bytes(data)
    assert "INVALID" in mpirun(1, triad, "info", newest, expect=65).stdout
    result = mpirun(1, triad, "run", path, "--dir", folder, *sets(time__max_steps=6), expect=0)
    assert f"{newest.name} is skipped" in result.stdout + result.stderr and "resumed from" in result.stdout


def test_a_checkpoint_of_modes_is_not_one_of_points(run, case, mpirun, triad, tmp_path):
    path = case(n="16, 16, 16")
    run(1, path, tmp_path / "gas", 1)
    hd = sets(equations__solver="hd", equations__viscosity=1e-2)
    result = run(1, path, tmp_path / "gas", 2, *hd, expect=65)
    assert "is of solver compressible" in result.stderr
    result = run(1, path, tmp_path / "other", 2, *hd, *sets(initial__kind="checkpoint", initial__file=str(tmp_path / "gas"),
                 initial__any_solver=True), expect=65)
    assert "compressible" in result.stderr


@pytest.mark.parametrize("keys", [{"initial.kind": "isentropic-vortex", "grid.length": [10.0, 10.0, 10.0]}, {"initial.kind": "entropy-wave"},
                                  {"initial.kind": "shock-vortex"}, {"equations.flux": "central"},
                                  {"equations.compatibility": "weno5-js-component"}],
                         ids=["vortex", "wave", "shock", "central", "compatibility"])
def test_a_resolved_case_is_the_same_flow(run, case, tmp_path, keys):
    """Numbers that a kind of start or a scheme has of its own stand in it as if they had been given."""
    run(1, case(n="12, 11, 1"), tmp_path / "a", 2, *sets(**keys))
    run(1, tmp_path / "a/case.resolved.toml", tmp_path / "b", 2)
    assert outputs.rows(tmp_path / "b") == outputs.rows(tmp_path / "a")
