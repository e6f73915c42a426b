"""target.grid = "follow": the run goes on on the grid that the flow needs, with the modes that it had, as a stop and a start with another
grid.n would, and so again after a restart."""
import numpy as np
import pytest

import outputs
from following import CASE, at_times, changes


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    return path


def run(mpirun, triad, case, at, *sets, ranks=1, expect=0):
    words = [word for value in sets for word in ("--set", value)]
    return mpirun(ranks, triad, "run", "-q", case, "--dir", at, *words, expect=expect)


def rows(at):
    """Rows of the series by step; where a run ended and went on the same row stands once."""
    return {row.split(",")[0]: row for row in outputs.rows(at)[1:]}


def test_energy_and_dissipation_are_those_of_the_fixed_grid_for_fewer_points(mpirun, triad, case, tmp_path):
    follow, fixed = tmp_path / "follow", tmp_path / "fixed"
    run(mpirun, triad, case, follow)
    found = changes(follow)
    sizes = [before[0] for _, before, _ in found] + [found[-1][2][0]]
    largest = max(sizes[1:])
    run(mpirun, triad, case, fixed, "target.grid=fixed", "target.kmax_eta=0", f"grid.n=[{largest},{largest},{largest}]")
    ours, theirs = outputs.series(follow), outputs.series(fixed)
    times = np.linspace(0.05, 11.9, 198)
    for column in ("energy", "dissipation"):
        there = at_times(theirs, column, times)
        # what a grid does not hold, and the error of its longer steps: both within the wish for k_max eta
        assert np.abs(at_times(ours, column, times) - there).max() < 1e-3 * there.max(), column

    # it grows as the vortex breaks up, and shrinks as it decays; each change in the log, the series and the case
    assert any(a < b for a, b in zip(sizes, sizes[1:])) and sizes[-1] < largest and sizes[1] < 40
    log = (follow / "log.txt").read_text()
    for step, before, after in found:
        assert f"target: grid.n was {list(before)}, is {list(after)} from step {step}" in log
        row = np.flatnonzero(ours["step"] == step)[0]
        assert ours["points_most"][row] == before[0] and ours["points_most"][row + 1] == after[0]
    assert f"n = {list(found[-1][2])}" in (follow / "case.resolved.toml").read_text()
    resolved = ours["kmax_eta"][1:] > 0.93 * 2.0
    assert np.all(resolved | (ours["u_tail"][1:] < 5e-3)), "a look every five steps"
    assert ours["points_most"][-1] == sizes[-1] and "points_most" not in theirs
    assert np.sum(ours["points_most"][1:]**3) < 0.75 * largest**3 * (len(theirs["step"]) - 1)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_stop_anywhere_changes_no_bit(mpirun, triad, case, tmp_path, ranks):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(mpirun, triad, case, whole, "time.max_steps=60", ranks=ranks)
    found = changes(whole)
    assert len(found) > 2 and found[1][0] > 0
    # at the step of a change, before it is made; and behind it
    for step in [step + more for step, _, _ in found[1:3] for more in (0, 2)] + [60]:
        run(mpirun, triad, case, parts, f"time.max_steps={step}", ranks=3 - ranks if step % 3 == 0 else ranks)
    assert changes(parts) == found
    assert outputs.same_bits(whole, parts)
    assert rows(whole) == rows(parts)


def test_older_checkpoints_bring_their_grid_back(mpirun, triad, case, tmp_path):
    at = tmp_path / "run"
    run(mpirun, triad, case, at, "time.max_steps=60", "output.keep=100")
    whole = outputs.modes(at)
    found = changes(at)
    for folder in outputs.checkpoints(at):
        if int(folder.name[5:]) > found[1][0]:
            (folder / "manifest.txt").unlink()
    kept = rows(at)
    run(mpirun, triad, case, at, "time.max_steps=60")
    again = outputs.modes(at)
    assert all(again[f].tobytes() == whole[f].tobytes() for f in ("kx", "kz", "u", "v", "w"))
    assert changes(at) == found and rows(at) == kept


def test_modes_are_kept_and_what_is_dropped_is_empty(mpirun, triad, case, tmp_path):
    def at_once(name, *sets):
        run(mpirun, triad, case, tmp_path / name, "initial.kind=random", "initial.wavenumber=2", "initial.seed=3", "time.dt=1e-9",
            "time.max_steps=1", *sets)
        return outputs.by_wavenumber(outputs.modes(tmp_path / name), "u"), tmp_path / name

    whole, _ = at_once("whole", "target.grid=fixed", "target.kmax_eta=0")
    shrunk, at = at_once("shrunk", "target.kmax_eta=0.1", "target.empty=1e-2")
    step, _, after = changes(at)[0]
    assert step == 0 and after[0] < 40
    scale = max(map(abs, whole.values()))
    # a step of 1e-9 moves a mode by that much of it at the most
    assert all(abs(shrunk[k] - whole[k]) < 1e-7 * scale for k in shrunk) and len(shrunk) > 50
    lost = sum(abs(whole[k])**2 * (np.array(k)**2).sum() for k in whole if k not in shrunk)
    assert lost < 1e-2 * sum(abs(u)**2 * (np.array(k)**2).sum() for k, u in whole.items())
    whole, _ = at_once("fuller", "target.grid=fixed", "target.kmax_eta=0", "initial.wavenumber=9")
    grown, at = at_once("grown", "target.kmax_eta=50", "initial.wavenumber=9")
    assert changes(at)[0][2][0] > 40
    assert all(abs(grown[k] - whole[k]) < 1e-7 * scale for k in whole)


@pytest.mark.parametrize("more", [
    ("equations.solver=mhd", "equations.resistivity=0.02", "initial.kind=random", "grid.n=[24,12,24]", "grid.length=[6.28,3.14,6.28]"),
    ("equations.solver=boussinesq", "equations.diffusivity=0.002", "initial.kind=random", "initial.wavenumber=5",
     "equations.viscosity=0.002", "grid.n=[24,24,24]"),
    ("initial.kind=random", "grid.n=[32,32,1]", "equations.scalars=[0.001]"),
    ("precision=single", "grid.n=[24,24,24]", "grid.dealiasing=phase-shift", "initial.kind=random", "initial.wavenumber=7",
     "equations.viscosity=0.001")])
def test_other_equations_boxes_and_planes(mpirun, triad, case, tmp_path, more):
    at = tmp_path / "run"
    run(mpirun, triad, case, at, *more, "time.max_steps=12", "target.kmax_eta=1.2", "target.n_most=48")
    found = changes(at)
    assert found
    for _, before, after in found:
        for a, b in zip(before, after):
            assert (a == 1) == (b == 1)
        assert after[0] == after[0] // 2 * 2 and (after[1] == 1 or abs(after[1] - after[0] * before[1] / before[0]) <= 3)
    assert outputs.series(at)["points_most"].max() <= 48


def test_limits(mpirun, triad, case, tmp_path):
    at = tmp_path / "run"
    said = mpirun(1, triad, "run", case, "--dir", at, "--set", "target.kmax_eta=9", "--set", "target.n_most=44", "--set", "time.end=4",
                  "--set", "target.n_least=36", expect=0)
    assert (said.stdout + said.stderr).count("target.n_most = 44 does not allow a finer grid") == 1
    assert {a[0] for _, _, a in changes(at)} <= {36, 40, 42} and outputs.series(at)["points_most"][-1] == 42


def test_a_grid_beyond_the_memory_is_refused_and_the_checkpoint_stands(mpirun, triad, case, tmp_path):
    at = tmp_path / "run"
    said = run(mpirun, triad, case, at, "initial.kind=random", "initial.wavenumber=9", "grid.n=[24,24,24]", "target.n_least=4096",
               "time.max_steps=3", expect=71)
    assert "Possible here: grid.n = [" in said.stderr and "memory" in said.stderr, said
    assert [folder.name for folder in outputs.checkpoints(at)] == ["step-00000000"]
    assert not (at / "case.changes.csv").exists()
    run(mpirun, triad, case, at, "initial.kind=random", "initial.wavenumber=9", "grid.n=[24,24,24]", "target.n_most=32",
        "time.max_steps=3")


WRONG = [(("target.kmax_eta=0",), "requires target.kmax_eta"), (("equations.viscosity=0",), "requires equations.viscosity"),
         (("grid.radius=9",), "remove grid.radius"), (("grid.truncation=none",), 'grid.truncation "sphere" or "box"'),
         (('output.means=["series"]',), "output.means requires a fixed grid"), (("target.n_least=64", "target.n_most=48"), "is below"),
         (("target.grid=fixed",), 'or target.grid = "follow"'), (("target.empty=2",), "target.empty"),
         (("forcing.kind=random", "forcing.hold=kmax_eta", "forcing.hold_value=1"), "controls k_max eta by the grid")]


@pytest.mark.parametrize("sets, told", WRONG)
def test_what_does_not_go_together_ends_with_65(mpirun, triad, case, tmp_path, sets, told):
    assert told in run(mpirun, triad, case, tmp_path / "run", *sets, expect=65).stderr
