"""Particles: fields at them against sums over the modes, paths against theory and other integrations."""

import subprocess

import numpy as np
import pytest

from particles import ABC, CELLS, REST, data, group, head, run, start_at  # noqa: F401


def rk4(rate, y, end, steps):
    """An integration of the test's own, with steps so short that its error is round-off's."""
    h = end / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def abc(p, a=1.0, b=0.7, c=0.43):
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    return np.stack([a * np.sin(z) + c * np.cos(y), b * np.sin(x) + a * np.cos(z), c * np.sin(y) + b * np.cos(x)], -1)


@pytest.mark.parametrize("word, order", [("linear", 2), ("spline4", 4), ("spline6", 6), ("lagrange6", 6), ("lagrange8", 8)])
def test_interpolation_of_exact_modes_has_its_order(run, triad, tmp_path, word, order):
    """Modes of a sphere of radius 5 on 16 and 32 points, against their sums at the places (triad query): the errors' ratio is
    2^order where k dx is small, and up to 3/2 of that in the exponent's favour at the largest, k dx = 2: (1/6)^m against
    (1/2.14)^m, where the images are no longer far. Polynomials leave at least (2 sin(k dx/2))^m of a mode, times a number: 0.82 m at
    k dx = 2."""
    error = []
    for n in (16, 32):
        text = head(0.01, (n, n, n), end=0.01, dt=0.01, every=0.01) + '[initial]\nkind = "random"\nwavenumber = 2\n' + group(
            count=300, interpolation=word, sample=["vorticity", "gradient"]).replace("'", '"')
        d = run(f"n{n}", text.replace("[time]", "radius = 5\n[time]"), "--set", "output.keep=2")
        a = data(d)
        np.savetxt(tmp_path / "p.csv", a["position"][-1] % (2 * np.pi), delimiter=",", fmt="%.17g", header="x,y,z", comments="")
        out = subprocess.run([triad, "query", d, "--at", tmp_path / "p.csv", "--what", "velocity,gradient"], capture_output=True,
                             text=True, check=True).stdout.splitlines()
        names = [line for line in out if not line.startswith("#")][0].split(",")
        exact = np.array([[float(w) for w in line.split(",")] for line in out if line[0] in "0123456789-"])
        u = exact[:, [names.index(w) for w in "uvw"]]
        error.append(np.sqrt(np.mean((a["velocity"][-1] - u)**2) / np.mean(u**2)))
        curl = np.stack([a["gradient"][-1][:, 2, 1] - a["gradient"][-1][:, 1, 2], a["gradient"][-1][:, 0, 2] - a["gradient"][-1][:, 2, 0],
                         a["gradient"][-1][:, 1, 0] - a["gradient"][-1][:, 0, 1]], -1)
        assert np.allclose(curl, a["vorticity"][-1], atol=1e-12 * abs(curl).max()), "the same modes, by the same weights"
        assert np.allclose(np.trace(a["gradient"][-1], axis1=1, axis2=2), 0, atol=1e-12 * abs(curl).max())
    found = np.log2(error[0] / error[1])
    assert (0.8 * order if word.startswith("lagrange") else order - 0.3) < found < 1.5 * order, error


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4)])
def test_tracers_of_a_steady_flow_follow_its_paths_with_the_order_of_the_scheme(run, scheme, order):
    """An ABC flow without viscosity, against an integration of the test's own. Splines of order 6 on 32 points leave
    (1/31)^6 = 1e-9 of the velocity."""
    error = []
    for dt in (0.2, 0.1):
        a = data(run(f"dt{dt}", head(n=(32, 32, 32), end=2.0, dt=dt, scheme=scheme, every=1.0) + ABC +
                     group(count=60, interpolation="spline6")))
        assert np.array_equal(a["id"], np.arange(60)) and np.allclose(a["t"], [0, 1, 2])
        error.append(np.abs(a["position"][-1] - rk4(abc, a["position"][0], 2.0, 400)).max())
        assert np.abs(a["velocity"][-1] - abc(a["position"][-1])).max() < 1e-8
    assert order - 0.4 < np.log2(error[0] / error[1]) < order + 1.2, error
    assert error[1] < 10 * 0.1**order


def test_time_reversal_brings_tracers_back(run, tmp_path):
    """u -> -u, t -> -t: the places of the end, in the flow the other way, come back to their start within twice the error of
    rk4 at this dt, 1e-6."""
    first = run("there", head(n=(16, 16, 16), end=1.0, dt=0.05) + ABC + group(count=50))
    back = run("back", head(n=(16, 16, 16), end=1.0, dt=0.05) + ABC + "amplitude = -1\n" +
               group(start="file", file=str(first / "particles/a.h5")))
    assert np.abs(data(back)["position"][-1] - data(first)["position"][0]).max() < 1e-5
    assert np.abs(data(first)["position"][-1] - data(first)["position"][0]).max() > 0.5


def test_a_sphere_settles_with_its_velocity(run):
    """At rest V = tau g' (1 - exp(-t/tau)), to rounding, X = tau g' (t - tau (1 - exp(-t/tau))), g' = g (R - 1)/(R + 1/2); rk4 leaves
    (dt/tau)^4/120 a time tau of the path, about 5e-6."""
    tau, g = 0.5, np.array([0.3, 0.0, -1.0])
    d = run("settle", head(end=2.0, dt=0.1, every=1.0) + REST +
            group("heavy", count=20, kind="inertial", stokes_time=tau, gravity=g.tolist()) +
            group("light", count=20, kind="inertial", stokes_time=tau, gravity=g.tolist(), density_ratio=0.25))
    for name, share in (("heavy", 1), ("light", (0.25 - 1) / (0.25 + 0.5))):
        a = data(d, name)
        for t, x, v in zip(a["t"], a["position"], a["velocity"]):
            grown = 1 - np.exp(-t / tau)
            assert np.allclose(v, share * tau * g * grown, atol=1e-13)
            assert np.allclose(x - a["position"][0], share * tau * g * (t - tau * grown), atol=1e-5)


@pytest.mark.parametrize("scheme", ["rk2", "rk3", "rk4"])
def test_steps_longer_than_the_response_time_leave_a_sphere_with_the_fluid(run, scheme):
    """A steady shear w = sin(x), in which a sphere that starts with the fluid stays with it, and gravity across z, where it falls with tau g: exactly, with
    steps of any length. Splines of order 6 on 16 points, (1/15)^6, make u and so its path."""
    tau, g = 0.02, 0.25
    text = head(n=(16, 16, 16), end=2.0, dt=0.2, every=1.0, scheme=scheme) + '[initial]\nkind = "formula"\nw = "sin(x)"\n'
    a = data(run("long", text + group(count=30, kind="inertial", stokes_time=tau, gravity=[0, g, 0], interpolation="spline6")))
    x, t = a["position"], a["t"][1:, None]
    assert np.allclose(x[1:, :, 2] - x[0, :, 2], np.sin(x[0, :, 0]) * t, atol=1e-6)
    assert np.allclose(a["velocity"][1:, :, 1], tau * g * (1 - np.exp(-t / tau)), atol=1e-14)
    assert np.allclose(x[2, :, 1] - x[1, :, 1], tau * g, atol=1e-6), "exp(-1/0.02) of what it was to begin with is left"


def test_a_sphere_falls_aside_in_a_frame_that_turns(run):
    """At rest in a frame that turns by Omega along z, with w = V_x + i V_y: dw/dt = g' - w/tau - 2 i Omega w, of which w = g' (1 - exp(-s t))/s with
    s = 1/tau + 2 i Omega; rk4 leaves (2 Omega dt)^4/120 of that a turn."""
    tau, omega = 0.5, 1.5
    d = run("aside", head(end=2.0, dt=0.05, every=0.5, more=f"rotation = [0, 0, {omega}]") + REST +
            group("heavy", count=5, kind="inertial", stokes_time=tau, gravity=[1, 0, 0]) +
            group("light", count=5, kind="inertial", stokes_time=tau, gravity=[1, 0, 0], density_ratio=0.25))
    s = 1 / tau + 2j * omega
    for name, share in (("heavy", 1), ("light", (0.25 - 1) / (0.25 + 0.5))):
        a = data(d, name)
        w = share * (1 - np.exp(-s * a["t"])) / s
        assert np.allclose(a["velocity"], np.stack([w.real, w.imag, 0 * w.real], -1)[:, None], atol=1e-5)


def test_light_inertia_leaves_a_tracer_by_its_response_time(run):
    """In a steady flow V = u - tau (1 - mass) Du/Dt + O(tau^2): how far a heavy sphere leaves a tracer is linear in tau."""
    text = head(n=(16, 16, 16), end=0.5, dt=0.01, every=0.5) + ABC + group("tracer", count=60)
    for tau in (0.08, 0.04, 0.02):
        text += group(f"h{int(tau * 100)}", count=60, kind="inertial", stokes_time=tau)
    d = run("light", text)
    off = [np.abs(data(d, f"h{n}")["position"][-1] - data(d, "tracer")["position"][-1]).max() for n in (8, 4, 2)]
    assert 1.6 < off[0] / off[1] < 2.3 and 1.8 < off[1] / off[2] < 2.2, off


@pytest.mark.parametrize("ratio, omega", [("inf", 0), (0.2, 0), ("inf", 0.8), (0.2, -0.8)])
def test_spheres_leave_a_vortex_or_gather_in_it_as_theory_says(run, tmp_path, ratio, omega):
    """Near the centre of a cell u = i r z, z = x + i y, r = +-1, Du/Dt = -z: z'' = (i r z - z')/tau - mass z - 2 i Omega (z' - mass i r z) in a frame
    that turns, which changes nothing of a plane flow, has z ~ exp(s t), s^2 + (1/tau + 2 i Omega) s + mass (1 + 2 Omega r) - i r/tau = 0. The cell
    departs from that by r^2 = 1e-6 of the distance."""
    tau, mass = 0.3, 0 if ratio == "inf" else 3 / (2 * ratio + 1)
    centre = np.array([np.pi / 2, np.pi / 2, 1.0])
    keys = start_at(tmp_path / "start.h5", [centre + [1e-3, 0, 0], centre + [0, -1e-3, 0]])
    d = run("vortex", head(n=(32, 32, 2), end=2.0, dt=0.02, every=0.5, more=f"rotation = [0, 0, {omega}]") + CELLS +
            group(kind="inertial", stokes_time=tau, density_ratio=ratio, interpolation="spline6", **keys))
    a = data(d)
    spin = np.sign(a["velocity"][0, 0, 1])  # sin x cos y, -cos x sin y about (pi/2, pi/2)
    s = np.roots([1, 1 / tau + 2j * omega, mass * (1 + 2 * omega * spin) - 1j * spin / tau])
    for i, z0 in enumerate((1e-3, -1e-3j)):
        v0 = 1j * spin * z0  # it starts with the fluid
        c = np.linalg.solve([[1, 1], s], [z0, v0])
        path = (a["position"][:, i, 0] - centre[0]) + 1j * (a["position"][:, i, 1] - centre[1])
        exact = (c[:, None] * np.exp(s[:, None] * a["t"])).sum(0)
        assert np.abs(path - exact).max() < 1e-3 * np.abs(exact).max()
    away = np.abs(path[-1]) > 1.2e-3
    assert omega or (away if ratio == "inf" else np.abs(path[-1]) < 0.9e-3), "heavy ones leave, light ones gather"


def test_a_place_anywhere_stays_as_likely(run):
    """Tracers of an incompressible flow: 4000 in 64 cells, chi^2 of 63 degrees of freedom is above 103 once in 1000."""
    a = data(run("uniform", head(n=(16, 16, 16), end=3.0, dt=0.1, every=3.0) + ABC + group(count=4000)))
    for x in a["position"][[0, -1]]:
        cells = (x % (2 * np.pi) // (np.pi / 2)).astype(int).clip(0, 3)
        counts = np.bincount(cells @ [16, 4, 1], minlength=64)
        assert ((counts - 62.5)**2 / 62.5).sum() < 103
    assert np.abs(a["position"][0].mean(0) - np.pi).max() < 4 * 2 * np.pi / np.sqrt(12 * 4000)


def test_pairs_are_at_their_distance(run):
    a = data(run("pairs", head(end=0.1) + REST + group(count=200, start="pairs", separation=0.01)))
    apart = a["position"][0, 1::2] - a["position"][0, ::2]
    assert np.allclose(np.linalg.norm(apart, axis=1), 0.01, rtol=1e-9)
    assert np.abs(apart.mean(0)).max() < 4 * 0.01 / np.sqrt(3 * 100), "their directions are random"


ABC_FORCE = 'kind = "abc"\namplitude = 2.0'


@pytest.mark.parametrize("solver, more, force", [
    ("hd", "rotation = [0, 0, 1.0]", ABC_FORCE), ("mhd", "resistivity = 0.05", ABC_FORCE), ("hd", "", 'kind = "linear"\nrate = 1.5'),
    ("boussinesq", "diffusivity = 0.05\nbuoyancy_frequency = 2.0", 'kind = "formula"\nu = "2*sin(z)"\nv = "3*cos(x)*cos(t)"')])
def test_a_sphere_of_the_fluids_density_is_a_tracer(run, solver, more, force):
    """With R = 1 and V = u at the start, V = u stays the solution of (71) whatever makes the fluid accelerate: viscosity, waves, the
    Lorentz force, a force. Splines of order 6 on 24 points, where the largest modes have k dx = 2, leave 1e-3 of the
    acceleration; without it (R infinite) the two part by tau Du/Dt t."""
    text = head(0.05, (24, 24, 24), end=0.6, dt=0.02, every=0.3, solver=solver, more=more) + (
        '[initial]\nkind = "random"\nwavenumber = 2\n[forcing]\n' + force + "\n")
    keys = {"count": 100, "interpolation": "spline6"}
    d = run("equal", text + group("t", **keys) + group("r", kind="inertial", stokes_time=0.3, density_ratio=1, **keys) +
            group("h", kind="inertial", stokes_time=0.3, **keys))
    part = {name: np.sqrt(((data(d, name)["position"][-1] - data(d, "t")["position"][-1])**2).mean()) for name in "rh"}
    assert part["h"] > 0.02 and part["r"] < 2e-3 * part["h"], part
