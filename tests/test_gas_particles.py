"""Particles in a gas: velocities at them, settling, boundaries of the box, ranks and restart."""

import shutil
import subprocess

import h5py
import numpy as np
import pytest

from test_particles import group, run  # noqa: F401

CASE = """[equations]
solver = "compressible"
[grid]
n = [16, 12, 16]
length = [1.0, 1.0, 1.0]
[initial]
kind = "formula"
u = "%s"
v = "%s"
w = "%s"
p = "1"
[time]
end = %s
dt = 0.02
[output]
particles_interval = 0.1
checkpoint_interval = 0.2
slices = []
report = false
spectra_interval = 0
[parallel]
reproducible = true
threads = 1
"""
SWIRL = ("0.3*sin(2*pi*z)", "0.2*cos(2*pi*x)", "0.3*sin(2*pi*y)")


def case(u="0.5", v="-0.25", w="0.1", end=0.4):
    return CASE % (u, v, w, end)


def data(folder, name="a"):
    with h5py.File(folder / "particles" / f"{name}.h5") as f:
        return {k: f[k][:] for k in ("t", "position", "velocity") + (("fluid_velocity",) if "fluid_velocity" in f else ())}


@pytest.mark.parametrize("word, order", [("linear", 2), ("lagrange4", 4), ("lagrange6", 6)])
def test_velocities_at_particles_have_the_order_of_the_polynomial(run, word, order):
    """Of the first row, against the formula, on 16 and on 32 points a wave."""
    error = []
    for n in (16, 32):
        d = run(f"n{n}", case(*SWIRL, end=0.02) + group(count=200, interpolation=word), "--set", f"grid.n=[{n},{n},{n}]")
        a = data(d)
        x, y, z = 2 * np.pi * a["position"][0].T
        error.append(np.abs(a["velocity"][0] - np.stack([0.3 * np.sin(z), 0.2 * np.cos(x), 0.3 * np.sin(y)], -1)).max())
    assert order - 0.4 < np.log2(error[0] / error[1]) < order + 0.4, error


def test_a_uniform_gas_carries_tracers_and_spheres_settle_in_it(run):
    """X = X_0 + U t; with V_0 = U, V - U = tau g (1 - exp(-t/tau)); ssprk3 leaves (dt/tau)^3/24 of that, 1e-5."""
    d = run("uniform", case() + group(count=50) + group("h", count=50, kind="inertial", stokes_time=0.3, gravity=[0, 0, -1], sample=["velocity"]))
    a, h = data(d), data(d, "h")
    u = np.array([0.5, -0.25, 0.1])
    assert np.allclose(a["position"] - a["position"][0], u * a["t"][:, None, None], atol=1e-12)
    slip = -0.3 * (1 - np.exp(-h["t"] / 0.3))
    assert np.allclose(h["velocity"] - h["fluid_velocity"], slip[:, None, None] * [0, 0, 1], atol=2e-5)
    assert np.allclose(h["fluid_velocity"], u, atol=1e-12)


MIXED = case(*SWIRL) + group(count=80) + group("h", count=41, kind="inertial", stokes_time=0.2, gravity=[0, 0, -1], interpolation="lagrange6")


def test_ranks_and_a_restart_change_no_bit(run, tmp_path):
    whole = run("whole", MIXED)
    first = data(whole)["position"]
    assert (np.floor(first[0] * 2) != np.floor(first[-1] * 2)).any(-1).mean() > 0.05, "they cross the blocks' boundaries"
    shutil.copytree(whole, tmp_path / "again")
    shutil.rmtree(sorted((tmp_path / "again/checkpoints").glob("step-*"))[-1])
    for d in (run("three", MIXED, ranks=3), run("again", MIXED, ranks=2)):
        for name in "ah":
            one, two = data(whole, name), data(d, name)
            assert all(np.array_equal(one[k], two[k]) for k in one), (d, name)


@pytest.mark.parametrize("word", ["auto", "reflect", "absorb", "reenter"])
def test_boundaries_reflect_absorb_or_let_in_again(run, word):
    """A gas at rest between planes of symmetry; spheres that fall by 0.4 x 2 - for 0.15 time of response - fall as in the last
    test, and meet the floor z = 0 or do not. A mirrored one has come up from it; one that is taken stays; one that comes in
    again is where it would have been, plus 1."""
    text = case("0", "0", "0") + '[boundaries]\nz = ["reflecting", "reflecting"]\n' + group(
        count=60, kind="inertial", stokes_time=0.15, gravity=[0, 0, -10], boundary=word)
    a = data(run(word, text, "--set", "time.dt=0.01"))
    z = a["position"][:, :, 2]
    assert (z >= 0).all() and (z <= 1).all()
    fall = -10 * 0.15 * (a["t"] - 0.15 * (1 - np.exp(-a["t"] / 0.15)))
    free = z[0] + fall[:, None]
    through = free[-1] < 0
    assert 5 < through.sum() < 55 and np.allclose(z[:, ~through], free[:, ~through], atol=1e-4)
    if word == "absorb":
        assert (z[-1, through] == 0).all() and (a["velocity"][-1, through] == 0).all()
    elif word == "reenter":
        assert np.allclose(z[-1, through], free[-1, through] + 1, atol=1e-4)
    else:
        assert (z[-1, through] > 0).any() and (a["velocity"][:, through, 2] > 0).any()


@pytest.mark.parametrize("keys, told", [
    ({"count": 5, "kind": "inertial", "stokes_time": 0.1, "density_ratio": 2.0}, "heavy"),
    ({"count": 5, "sample": ["vorticity"]}, "velocity alone"), ({"count": 5, "interpolation": "spline4"}, "lagrange4"),
    ({"count": 5, "boundary": "bounce"}, "reenter")])
def test_what_a_gas_does_not_have_is_refused(triad, tmp_path, keys, told):
    (tmp_path / "case.toml").write_text(case() + group(**keys))
    done = subprocess.run([triad, "case", "--check", tmp_path / "case.toml"], capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr and "case.toml:" in done.stderr, done.stderr
