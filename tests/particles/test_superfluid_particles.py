"""Tracers of a superfluid: they go with the current over the density, where there is a density."""

import shutil

import numpy as np
import pytest

import particles
from particles import data, group, run, same, start_at  # noqa: F401

WAVE = ("cos(2*x-y+3*z)", "sin(2*x-y+3*z)")
LATTICE = ("sin(x)", "sin(y)")  # vortices at the corners of squares of side pi, of alternating sign
# sums of few waves, everywhere dense
CALM = ("1+0.2*cos(x)-0.1*sin(y+z)", "0.3*sin(x+y)+0.2*cos(z)")


def case(psi, n=(16, 16, 16), c=1.0, xi=0.5, end=1.0, scheme="rk4", every=1.0):
    return particles.case(f'solver = "gpe"\nsound_speed = {c}\nhealing_length = {xi}', f"n = {list(n)}", f'end = {end}\nscheme = "{scheme}"',
                          '[initial]\nkind = "formula"\npsi_re = "%s"\npsi_im = "%s"\n' % psi, every)


@pytest.mark.parametrize("scheme, word", [("rk2", "spline4"), ("rk4", "lagrange6"), ("split2", "linear"), ("split2", "spline6")])
def test_a_plane_wave_moves_tracers_by_its_wavenumber(run, scheme, word):
    """psi = exp(i k.x) flows with 2 alpha k, alpha = c xi/sqrt 2, and is a solution. Its derivative at a particle is i k times its own value
    there, whatever the interpolation: round-off in the phase is all that is left, some eps a step."""
    a = data(run("wave", case(WAVE, scheme=scheme, every=0.5) + group(count=100, interpolation=word)))
    u = np.sqrt(2) * 0.5 * np.array([2, -1, 3])
    assert np.allclose(a["velocity"], u, atol=1e-11) and len(a["t"]) == 3
    assert np.allclose(a["position"] - a["position"][0], np.multiply.outer(a["t"], np.tile(u, (100, 1))), atol=1e-11)


@pytest.mark.parametrize("word, order", [("linear", 2), ("spline4", 4), ("spline6", 6), ("lagrange6", 6)])
def test_velocities_have_the_order_of_the_interpolation(run, word, order):
    """psi = sin x + i sin y and the velocity of its phase, on 12 and 24 points: k dx is 0.52 and 0.26: images are (k dx/(2 pi - k dx))^m, which is 1.12 m in place of m. Lines of vortices, where the density is
    below its least part, are left out."""
    error = []
    for n in (12, 24):
        a = data(run(f"n{n}", case(LATTICE, (n, n, n), end=0.001) + group(
            count=400, interpolation=word, least_density=1e-3, sample=["density"])))
        x, y = a["position"][0, :, 0], a["position"][0, :, 1]
        rho = np.sin(x)**2 + np.sin(y)**2
        far = rho > 0.05
        u = np.sqrt(2) * 0.5 * np.stack([-np.sin(y) * np.cos(x), np.sin(x) * np.cos(y), 0 * x], -1) / rho[:, None]
        error.append(np.sqrt(np.mean((a["velocity"][0] - u)[far]**2)))
        off = np.abs(a["density"][0] - rho).max()
        assert off < 3 * (0.55 if n == 12 else 0.28)**order, "of the fields, whose error is below (k dx)^order"
    assert order - 0.4 < np.log2(error[0] / error[1]) < order + 1.2, error


def test_below_the_least_density_velocities_are_currents_over_it(run, tmp_path):
    """Within a core |u| = 2 alpha |x| rho/least: towards 0 at the vortex, where j/rho goes to infinity; at a place of more than the
    least density nothing changes."""
    r = np.array([1e-6, 0.05, 0.1, 0.2, 0.35, 0.6])
    places = np.stack([r, 0 * r, 1 + 0 * r], -1)
    keys = start_at(tmp_path / "p.h5", places)
    a = data(run("core", case(LATTICE, (32, 32, 8), end=0.001) + group(interpolation="spline6", least_density=0.1, **keys)))
    rho, current = np.sin(r)**2, np.sqrt(2) * 0.5 * np.sin(r)
    expected = current / np.maximum(rho, 0.1)
    assert np.allclose(a["velocity"][0][:, 1], expected, atol=1e-6) and np.abs(a["velocity"][0][:, [0, 2]]).max() < 1e-6
    assert np.argmax(expected) == 4 and (rho[:4] < 0.1).all() and (rho[4:] > 0.1).all()


def test_tracers_circle_a_vortex_with_its_circulation(run, tmp_path):
    """A lattice of straight vortices, relaxed first. Far from the core the phase is that of the lemniscate sine, whose zeros are the lattice: sl(z)
    = z (1 - z^4/10 + ..), z = 2 1.31103 r/pi, so that the speed at r is Gamma/(2 pi r), Gamma = 4 pi alpha, but for 0.4 z^4, which
    changes its sign four times a turn; and a radius by no more than that share of it: 1.2 % at 0.5."""
    c, xi = 1.0, 0.15
    size = dict(n=(48, 48, 2), c=c, xi=xi)
    still = run("still", case(LATTICE, end=1.5, **size), "--set", "equations.imaginary_time=true", "--set", "time.cfl=0.5")
    turn = 2 * np.pi * np.arange(8) / 8
    places = np.stack([0.5 * np.cos(turn), 0.5 * np.sin(turn), 1 + 0 * turn], -1)
    text = case(LATTICE, end=2.0, every=0.25, **size) + group(interpolation="spline6", **start_at(tmp_path / "p.h5", places))
    a = data(run("turning", text, "--set", "initial.kind=checkpoint", "--set", f"initial.file={still}"))
    z = a["position"][..., 0] + 1j * a["position"][..., 1]
    assert abs(abs(z) / 0.5 - 1).max() < 0.012, "circles"
    angle = np.unwrap(np.angle(z), axis=0)
    rate = np.polyfit(a["t"], (angle - angle[0]).mean(1), 1)[0]
    alpha = c * xi / np.sqrt(2)
    assert abs(rate / (4 * np.pi * alpha / (2 * np.pi * 0.5**2)) - 1) < 0.005, rate
    assert np.abs(a["position"][..., 2] - 1).max() < 1e-12


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4), ("split2", 2)])
def test_places_have_the_order_of_the_scheme(run, scheme, order):
    """Three steps, each half of the one before: what they differ by falls by 2^order. split2 truncates after each
    step what its exact half makes at the points, which is of first order, and small where the field is resolved."""
    x = [data(run(f"dt{i}", case(CALM, (12, 12, 12), xi=0.8, end=0.8, scheme=scheme, every=0.8) + group(
        count=30, interpolation="spline6"), "--set", f"time.dt={0.04 / 2**i}"))["position"][-1] for i in range(3)]
    off = [np.abs(a - b).max() for a, b in zip(x, x[1:])]
    assert order - 0.4 < np.log2(off[0] / off[1]) < order + 0.6, off


@pytest.mark.parametrize("scheme", ["rk3", "split2"])
def test_ranks_and_a_restart_change_no_bit(run, tmp_path, scheme):
    text = case(CALM, (12, 12, 10), xi=0.5, end=0.4, scheme=scheme, every=0.1) + group("a", count=200, sample=["density"]) + group(
        "b", count=100, interpolation="lagrange8", start="pairs", separation=0.01)
    step = ("--set", "time.dt=0.02", "--set", "output.checkpoint_interval=0.2")
    one = run("one", text, *step)
    for ranks in (2, 3):
        same(one, run(f"on{ranks}", text, *step, ranks=ranks), ("a", "b"))
    again = tmp_path / "again"
    shutil.copytree(one, again)
    shutil.rmtree(again / "checkpoints/step-00000020")
    same(one, run("again", text, *step, ranks=2), ("a", "b"))
    assert (data(one)["position"][-1] != data(one)["position"][0]).any()


@pytest.mark.parametrize("keys, told", [
    (dict(kind="inertial", stokes_time=0.1), "a superfluid has no viscosity"),
    (dict(sample=["vorticity"]), "this flow has velocity and density"),
    (dict(least_density=0), "out of range")])
def test_what_a_superfluid_does_not_have_is_refused(run, keys, told):
    result = run("bad", case(WAVE) + group(count=5, **keys), expect=65)
    assert told in result.stderr and "case.toml:" in result.stderr, result.stderr
