"""Particles on any ranks and threads: no bit of them changes, nor one of the flow; round the box, in single precision."""

import shutil
import subprocess

import numpy as np
import pytest

from particles import data, group, head, run, same  # noqa: F401

MIXED = head(0.02, (12, 12, 10), end=0.8, dt=0.1, every=0.1, solver="boussinesq", checkpoint_interval=0.4) + (
    '[initial]\nkind = "random"\n' + group("a", count=300, sample=["vorticity", "theta"]) +
    group("h", count=101, kind="inertial", stokes_time=0.3, gravity=[0, 0, -1], interpolation="spline6", sample=["velocity"]) +
    group("b", count=64, start="lattice", kind="inertial", stokes_time=0.3, density_ratio=0.2, interpolation="linear"))


def test_ranks_and_threads_change_no_bit_and_particles_cross_their_boundaries(run):
    """On 7 ranks of 10 planes, most of them one plane thick: splines of order 6 reach over five of them."""
    one = run("one", MIXED)
    a = data(one)
    planes = lambda x: np.floor(x[:, 2] * 10 / (2 * np.pi)) % 10
    assert (planes(a["position"][0]) != planes(a["position"][-1])).mean() > 0.2
    for ranks, threads in ((1, 3), (2, 1), (7, 1)):
        same(one, run(f"on{ranks}-{threads}", MIXED, "--set", f"parallel.threads={threads}", ranks=ranks))


WATCHED = head(0.02, (12, 12, 6), end=0.8, dt=0.1, every=0.1) + '[initial]\nkind = "random"\n' + "".join(
    group(word, count=200, interpolation=word, **({"kind": "inertial", "stokes_time": 0.3} if word == "lagrange6" else {}))
    for word in ("linear", "spline4", "lagrange6", "lagrange8"))
WORDS = ("linear", "spline4", "lagrange6", "lagrange8")


def test_more_ranks_than_planes_change_no_bit_either(run):
    """6 planes on 2 ranks, and on 7, of which one has none: polynomials of 8 points reach over all of them and round the box."""
    one = run("one", WATCHED)
    for ranks, threads in ((1, 3), (2, 1), (7, 1)):
        same(one, run(f"on{ranks}-{threads}", WATCHED, "--set", f"parallel.threads={threads}", ranks=ranks), WORDS)


def test_the_points_of_a_step_are_those_of_a_pass_of_its_own(run):
    """A group with added mass wants the velocity before the stage's pass: then all groups take passes of their own."""
    heavy = group("x", count=1, kind="inertial", stokes_time=0.3, density_ratio=0.5)
    same(run("observed", WATCHED), run("apart", WATCHED + heavy), WORDS)


def test_particles_go_round_the_box(run):
    """A uniform flow carries them exactly: x + t on any ranks, three times round, unfolded."""
    text = head(end=20.0, dt=1.0, every=10.0, n=(8, 8, 8)) + '[initial]\nkind = "formula"\nw = "sin(x)"\n' + group(count=40)
    a, b = data(run("one", text)), data(run("three", text, ranks=3))
    assert np.array_equal(a["position"], b["position"])
    x = a["position"]
    assert np.allclose(x[-1, :, 2] - x[0, :, 2], 20 * np.sin(x[0, :, 0]), atol=0.2), "order 4 on 8 points: (1/7)^4"
    assert np.array_equal(x[-1, :, :2], x[0, :, :2]) and (abs(x[-1, :, 2] - np.pi) > 4 * np.pi).any()


def test_restart_on_other_ranks_is_bit_for_bit(run, tmp_path):
    """The last checkpoint is taken away, and rows behind the one before it are dropped and made again."""
    whole = run("whole", MIXED)
    again = tmp_path / "again"
    shutil.copytree(whole, again)
    shutil.rmtree(again / "checkpoints/step-00000008")
    run("again", MIXED, ranks=2)
    same(whole, again)
    for name in ("particles.h5", "modes.h5", "manifest.txt"):
        a, b = (d / "checkpoints/step-00000008" / name for d in (whole, again))
        assert a.read_bytes() == b.read_bytes(), name


def test_a_damaged_table_of_particles_is_not_trusted(run, mpirun, triad, tmp_path):
    d = run("damaged", MIXED)
    path = d / "checkpoints/step-00000008/particles.h5"
    raw = bytearray(path.read_bytes())
    raw[-100] ^= 1
    path.write_bytes(raw)
    told = subprocess.run([triad, "info", d / "checkpoints/step-00000008"], capture_output=True, text=True)
    assert "particles.h5: damaged: table" in told.stdout + told.stderr
    again = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", d)
    assert "step-00000008 is skipped" in again.stderr, again.stderr


def test_tracers_change_no_bit_of_the_flow(run):
    plain = head(0.01, end=0.4, dt=0.1).replace('dt = 0.1', 'cfl = 0.4') + '[initial]\nkind = "random"\n'
    with_them = run("with", plain + group(count=100))
    without = run("without", plain)
    step = sorted(p.name for p in (without / "checkpoints").glob("step-*"))[-1]
    assert (with_them / "checkpoints" / step / "modes.h5").exists()
    assert (with_them / "series.csv").read_text() == (without / "series.csv").read_text()


@pytest.mark.parametrize("solver, more", [("mhd", "resistivity = 0.02\nhall = 0.1"), ("boussinesq", "diffusivity = 0.02")])
def test_single_precision_and_shifted_grids_carry_them_too(run, solver, more):
    """In single, velocities are off by some hundred of its eps, 1e-7, and positions by those over t = 0.5; on any ranks the same."""
    text = head(0.02, (12, 12, 12), end=0.5, dt=0.05, every=0.25, solver=solver, more=more).replace(
        "[time]", 'dealiasing = "phase-shift"\n[time]') + '[initial]\nkind = "random"\n' + group(count=200) + group(
            "h", count=50, kind="inertial", stokes_time=0.2, density_ratio=0.5)
    double, single = run("double", text), run("single", text, "--set", "precision=single")
    same(single, run("ranks", text, "--set", "precision=single", ranks=3), ("a", "h"))
    for name in "ah":
        assert 0 < np.abs(data(double, name)["position"] - data(single, name)["position"]).max() < 2e-6
