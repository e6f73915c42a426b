"""A run that starts from the checkpoint of another: what goes on in it, and what it says of the rest."""

import numpy as np
import pytest

import particles
from outputs import series, sets
from particles import ABC, data, group, head, run  # noqa: F401

TWO = group("tracers", count=40) + group("heavy", count=30, kind="inertial", stokes_time=0.3)


def branch(folder, keeps_time=True):
    return sets(initial__kind="checkpoint", initial__file=str(folder), initial__keep_time=keeps_time)


def trunk(run, groups, **keys):
    return run("trunk", head(0.02, (12, 12, 12), end=1.0, dt=0.05, every=0.1, **keys) + ABC + groups)


@pytest.mark.parametrize("ranks", [1, 3])
def test_particles_go_on_in_a_branch_as_in_the_run_it_left(run, ranks):
    """Half-way checkpoints: the second half of the paths, velocities of heavy ones too, with the same numbers, is that of the whole."""
    whole = trunk(run, TWO, checkpoint_interval=0.5)
    left = sorted((whole / "checkpoints").glob("step-*"))[0]
    text = head(0.02, (12, 12, 12), end=1.0, dt=0.05, every=0.1) + TWO.replace("count = 40", "count = 40") + ABC
    went = run("branch", text, *branch(left), ranks=ranks)
    for name in ("tracers", "heavy"):
        a, b = data(whole, name), data(went, name)
        assert b["t"][0] == pytest.approx(0.5) and len(b["t"]) == 6
        assert np.allclose(b["position"], a["position"][5:], rtol=0, atol=1e-12)
        assert np.allclose(b["velocity"], a["velocity"][5:], rtol=0, atol=1e-11)
    again = run("branch", text, *branch(left), *sets(time__end=1.2))
    assert len(data(again, "heavy")["t"]) == 8, "a branch is resumed from its own checkpoint, and its rows go on"


def test_particles_go_on_on_a_finer_grid_at_the_time_that_begins(run):
    whole = trunk(run, TWO)
    went = run("branch", head(0.02, (16, 16, 16), end=0.1, dt=0.05, every=0.1) + ABC + TWO, *branch(whole, keeps_time=False))
    for name in ("tracers", "heavy"):
        assert np.allclose(data(went, name)["position"][0], data(whole, name)["position"][-1], rtol=0, atol=1e-13)


def said(run, mpirun, triad, tmp_path, text, *more):
    (tmp_path / "case.toml").write_text(text)
    result = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "other", *more, expect=0)
    return result.stdout + result.stderr


def test_groups_that_differ_are_warned_of_by_name(run, mpirun, triad, tmp_path):
    whole = trunk(run, TWO)
    text = head(0.02, (12, 12, 12), end=0.1, dt=0.05, every=0.1) + ABC
    groups = group("fresh", count=7) + group("heavy", count=30)   # tracers of the name that heavy ones had
    words = said(run, mpirun, triad, tmp_path, text + groups, *branch(whole))
    assert words.count("warning: particles fresh: the checkpoint has no group of this name") == 1
    assert words.count("warning: particles heavy: the checkpoint has inertial particles of this name, not tracers") == 1
    assert words.count("warning: particles tracers of the checkpoint are not in this case") == 1


def test_as_many_go_on_as_the_checkpoint_has(run, mpirun, triad, tmp_path):
    whole = trunk(run, group("tracers", count=40))
    text = head(0.02, (12, 12, 12), end=0.1, dt=0.05, every=0.1) + ABC + group("tracers", count=9)
    words = said(run, mpirun, triad, tmp_path, text, *branch(whole, False))
    assert "has 40 particles, the case 9" in words
    assert data(tmp_path / "other", "tracers")["position"].shape[1] == 40
    assert "warning: particles" not in said(run, mpirun, triad, tmp_path, text, *branch(whole, False), *sets(time__end=0.2))
    assert np.array_equal(data(tmp_path / "other", "tracers")["position"][0], data(whole, "tracers")["position"][-1])


def test_particles_of_a_file_go_on_without_it(run, tmp_path):
    import h5py
    with h5py.File(tmp_path / "there.h5", "w") as f:
        f["position"] = np.random.default_rng(1).uniform(0, 6, (11, 3))
    one = group("a", start="file", file=str(tmp_path / "there.h5"))
    whole = trunk(run, one)
    went = run("branch", head(0.02, (12, 12, 12), end=1.1, dt=0.05, every=0.1) + ABC + one, *branch(whole))
    assert np.array_equal(data(went)["position"][0], data(whole)["position"][-1])


def test_a_case_that_adds_or_leaves_out_all_particles_is_not_warned(run, mpirun, triad, tmp_path):
    bare = trunk(run, "")
    text = head(0.02, (12, 12, 12), end=0.1, dt=0.05, every=0.1) + ABC
    assert "warning: particles" not in said(run, mpirun, triad, tmp_path, text + group("a", count=5), *branch(bare, False))


def test_a_gas_takes_its_particles_along(run):
    gas = particles.case('solver = "compressible"', "n = [12, 12, 8]", "end = 0.2\ndt = 0.01", every=0.1)
    start = '[initial]\nkind = "formula"\nu = "0.3*sin(y)"\nv = "0.2"\n'
    whole = run("trunk", gas + start + TWO, *sets(output__checkpoint_interval=0.1))
    left = sorted((whole / "checkpoints").glob("step-*"))[0]
    went = run("branch", gas + start + TWO, *branch(left), ranks=2)
    for name in ("tracers", "heavy"):
        assert np.allclose(data(went, name)["position"], data(whole, name)["position"][1:], rtol=0, atol=1e-12)


def test_a_random_force_goes_on_from_its_state(run):
    """With the time the branch is the second half of the run. Without it the state is that of the checkpoint too: the power in its first row
    does not depend on the seed, from which only later numbers are drawn."""
    force = '[forcing]\nkind = "ornstein-uhlenbeck"\namplitude = 0.5\ncorrelation_time = 2.0\nseed = 5\n'
    text = head(0.02, (12, 12, 12), end=1.0, dt=0.05) + ABC + force
    whole = run("trunk", text, *sets(output__checkpoint_interval=0.5, output__series_interval=0.0))
    left = sorted((whole / "checkpoints").glob("step-*"))[0]
    a, b = series(whole), series(run("branch", text, *branch(left), *sets(output__series_interval=0.0)))
    assert b["injection"] == pytest.approx(a["injection"][10:], rel=1e-9)
    assert b["energy"] == pytest.approx(a["energy"][10:], rel=1e-12)
    power = [series(run(f"seed{seed}", text, *branch(left, False), *sets(time__end=0.1, forcing__seed=seed)))["injection"][0]
             for seed in (5, 6)]
    assert power[0] == power[1]


def test_a_force_of_another_band_and_scalars_left_out_are_warned_of(run, mpirun, triad, tmp_path):
    force = '[forcing]\nkind = "ornstein-uhlenbeck"\namplitude = 0.5\ncorrelation_time = 2.0\n'
    whole = run("trunk", head(0.02, (12, 12, 12), end=0.1, dt=0.05, more="scalars = [0.01, 0.02]") + ABC + force)
    words = said(run, mpirun, triad, tmp_path, head(0.02, (12, 12, 12), end=0.1, dt=0.05, more="scalars = [0.01]") + ABC + force,
                 *branch(whole), *sets(forcing__k_range=[1.0, 3.0]))
    assert "warning: the checkpoint has scalar2, which this case does not use: dropped" in words
    assert "warning: the force starts from a new state" in words
