"""Particles in a gas: velocities at them, settling, boundaries of the box, ranks and restart."""

import shutil
import subprocess

import numpy as np
import pytest

import particles
from particles import data, group, run, same, start_at  # noqa: F401

SWIRL = ("0.3*sin(2*pi*z)", "0.2*cos(2*pi*x)", "0.3*sin(2*pi*y)")


def case(u="0.5", v="-0.25", w="0.1", end=0.4, initial='p = "1"', n=(16, 12, 16)):
    start = f'[initial]\nkind = "formula"\nu = "{u}"\nv = "{v}"\nw = "{w}"\n{initial}\n'
    return particles.case('solver = "compressible"', f"n = {list(n)}\nlength = [1.0, 1.0, 1.0]", f"end = {end}\ndt = 0.02", start, 0.1,
                          checkpoint_interval=0.2)


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


@pytest.mark.parametrize("ratio", ["inf", 0.2])
def test_spheres_leave_a_vortex_or_gather_in_it_as_theory_says(run, tmp_path, ratio):
    """An isentropic vortex that turns as u = i w z exp(-r^2/2 b^2), z = x + i y from its axis, with rho^(gamma - 1) = 1 - (gamma - 1)/gamma w^2 b^2/2
    exp(-r^2/b^2) and p = rho^gamma, is steady. Near its axis Du/Dt = -w^2 z, and z'' = (i w z - z')/tau - mass w^2 z: z ~ exp(s t), s^2 +
    s/tau + mass w^2 - i w/tau = 0. At r = b/20, where heavy ones end, the vortex departs from that by 1/800; WENO leaves some 1e-3 of its speed."""
    w, b, tau, r0 = 2.0, 0.1, 0.3, 0.002
    r2, rho = "((x-0.5)^2+(y-0.5)^2)", f"(1-0.4/1.4*{w * w * b * b / 2}*exp(-((x-0.5)^2+(y-0.5)^2)/{b * b}))^2.5"
    text = case(f"-{w}*(y-0.5)*exp(-{r2}/{2 * b * b})", f"{w}*(x-0.5)*exp(-{r2}/{2 * b * b})", "0", 1.5,
                f'rho = "{rho}"\np = "({rho})^1.4"', (64, 64, 1))
    keys = start_at(tmp_path / "start.h5", [[0.5 + r0, 0.5, 0.5], [0.5, 0.5 - r0, 0.5]])
    a = data(run("vortex", text + group(kind="inertial", stokes_time=tau, density_ratio=ratio, interpolation="lagrange6", **keys),
                 "--set", "time.dt=0.005"))
    mass = 0 if ratio == "inf" else 3 / (2 * ratio + 1)
    s = np.roots([1, 1 / tau, mass * w * w - 1j * w / tau])
    for i, z0 in enumerate((r0, -1j * r0)):
        c = np.linalg.solve([[1, 1], s], [z0, 1j * w * z0])  # it starts with the gas
        path = (a["position"][:, i, 0] - 0.5) + 1j * (a["position"][:, i, 1] - 0.5)
        exact = (c[:, None] * np.exp(s[:, None] * a["t"])).sum(0)
        assert np.abs(path - exact).max() < 3e-3 * np.abs(exact).max()
    assert np.abs(path[-1]) > 1.5 * r0 if ratio == "inf" else np.abs(path[-1]) < 0.8 * r0, "heavy ones leave, light ones gather"


@pytest.mark.parametrize("word, order", [("lagrange4", 2), ("lagrange6", 4)])
def test_a_sphere_of_the_gas_density_is_a_tracer(run, word, order):
    """R = 1 with V = u at the start: V = u stays the solution whatever moves the gas, here pressure and what swirls carry. Du/Dt is the
    derivative of the polynomials along the path, whose slopes jump by h^(m - 1) from cell to cell: a step over that errs by a share of it, of
    which there are 1/h, so that order m - 2 is left, of a small number; a heavy sphere leaves."""
    off = {}
    for n in (8, 16):
        d = run(f"n{n}", case(*SWIRL, end=0.2) + group("t", count=100, interpolation=word) + group(
            "r", count=100, interpolation=word, kind="inertial", stokes_time=0.1, density_ratio=1) + group(
            "h", count=100, interpolation=word, kind="inertial", stokes_time=0.1), "--set", f"grid.n=[{n},{n},{n}]", "--set", "time.dt=0.0025")
        off[n] = [np.sqrt(((data(d, k)["position"][-1] - data(d, "t")["position"][-1])**2).mean()) for k in "rh"]
    assert off[16][0] < 0.02 * off[16][1], off
    assert np.log2(off[8][0] / off[16][0]) > order - 0.6, off


def test_a_sphere_of_the_gas_density_is_a_tracer_at_a_wall_too(run):
    """Cells between planes of symmetry, whose acceleration is mirrored as the velocity is: as above, to 2 % of what a heavy one leaves by, of the tenth
    of the box next to the walls."""
    text = case("0.3*sin(2*pi*x)*cos(pi*z)", "0", "-0.6*cos(2*pi*x)*sin(pi*z)", end=0.2) + '[boundaries]\nz = ["reflecting", "reflecting"]\n'
    inertial = dict(count=200, kind="inertial", stokes_time=0.1)
    d = run("wall", text + group("t", count=200) + group("r", density_ratio=1, **inertial) + group("h", **inertial), "--set", "time.dt=0.005")
    x = {k: data(d, k)["position"] for k in "trh"}
    near = np.abs(x["t"][0][:, 2] - 0.5) > 0.4
    off = [np.sqrt(((x[k][-1] - x["t"][-1])[near]**2).mean()) for k in "rh"]
    assert near.sum() > 20 and off[0] < 0.02 * off[1], off


MIXED = case(*SWIRL) + group("l", count=30, kind="inertial", stokes_time=0.2, density_ratio=0.5) + group(count=80) + group("h", count=41, kind="inertial", stokes_time=0.2, gravity=[0, 0, -1], interpolation="lagrange6")


def test_ranks_and_a_restart_change_no_bit(run, tmp_path):
    whole = run("whole", MIXED)
    first = data(whole)["position"]
    assert (np.floor(first[0] * 2) != np.floor(first[-1] * 2)).any(-1).mean() > 0.05, "they cross the blocks' boundaries"
    shutil.copytree(whole, tmp_path / "again")
    shutil.rmtree(sorted((tmp_path / "again/checkpoints").glob("step-*"))[-1])
    for d in (run("three", MIXED, ranks=3), run("again", MIXED, ranks=2)):
        same(whole, d, "ahl")


def test_pairs_between_walls_keep_their_distance(run):
    """2000 of them 0.05 apart: of one in 40 the second would lie beyond a wall."""
    text = case("0", "0", "0", end=0.02, n=(8, 8, 8)) + '[boundaries]\ny = ["reflecting", "reflecting"]\nz = ["reflecting", "reflecting"]\n'
    x = data(run("pairs", text + group(count=2000, start="pairs", separation=0.05)))["position"][0]
    assert np.allclose(np.linalg.norm(x[1::2] - x[::2], axis=1), 0.05, rtol=1e-9)
    assert x[:, 1:].min() >= 0 and x[:, 1:].max() <= 1


@pytest.mark.parametrize("n", [8, 9])
def test_blocks_no_wider_than_their_halos_keep_those_that_go_round(run, n):
    """Two blocks of 4 points, or 5 and 4: from one end of the box to the other is no further than within a block and its halo. A point in 4 steps."""
    text = case("0.5", "0.4", "0.6", end=1.0, n=(n, n, n)) + group(count=200, interpolation="lagrange6") + group("b", count=200)
    one = run("one", text)
    assert (np.floor(data(one)["position"][-1]).astype(int) != 0).any(-1).mean() > 0.5
    same(one, run("two", text, ranks=2), "ab")


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
    ({"count": 5, "kind": "inertial", "stokes_time": 0.1, "density_ratio": 2.0, "more": '[forcing]\nkind = "ornstein-uhlenbeck"\n'}, "between the steps"),
    ({"count": 5, "sample": ["vorticity"]}, "velocity alone"), ({"count": 5, "interpolation": "spline4"}, "lagrange4"),
    ({"count": 5, "kind": "inertial", "stokes_time": 0.009}, "time.dt = 0.02 is more than twice 0.009"),
    ({"count": 5, "boundary": "bounce"}, "reenter")])
def test_what_a_gas_does_not_have_is_refused(triad, tmp_path, keys, told):
    more = keys.pop("more", "")
    (tmp_path / "case.toml").write_text(case() + more + group(**keys))
    done = subprocess.run([triad, "case", "--check", tmp_path / "case.toml"], capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr and "case.toml:" in done.stderr, done.stderr
