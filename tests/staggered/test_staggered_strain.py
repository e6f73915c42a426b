"""A box of the staggered solver that a mean strain moves: rapid distortion of one Fourier mode, budgets, restart."""

import math

import h5py
import numpy as np
import pytest

import outputs
from staggered import fields, run, state  # noqa: F401

RATES, START, END, T, NU = np.array([0.5, -0.3, -0.2]), 0.2, 1.0, 1.2, 0.01
LENGTH, PERIODS = np.array([1.0, 2.0, 1.5]), np.array([1, 2, 1])
STRAIN = f"[strain]\nrates = {RATES.tolist()}\nstart = {START}\nend = {END}\n"


def lengths(t):
    return LENGTH * np.exp(RATES * (min(max(t, START), END) - START))


def distorted(amplitude, n=None, steps=2000):
    """Amplitudes at T of u_i = a_i cos(k . x), by Runge and Kutta's fourth order: da_i/dt = -S_i a_i - k_i P - nu k^2 a_i with P
    such that k . a = 0 while dk_i/dt = -S_i k_i. n: with differences' wavenumbers, 2 sin(k h/2)/h, of so many cells."""
    def wave(t):
        if n is None:
            return 2 * math.pi * PERIODS / lengths(t)
        return 2 * np.sin(math.pi * PERIODS / n) * n / lengths(t)

    def rate(t, a, s):
        k = wave(t)
        return -s * a + 2 * k * (s * k * a).sum() / (k @ k) - NU * (k @ k) * a

    a, k = np.array(amplitude, dtype=float), wave(0)
    a -= k * (k @ a) / (k @ k)
    for begin, end, s in ((0, START, 0 * RATES), (START, END, RATES), (END, T, 0 * RATES)):
        dt = (end - begin) / steps
        for i in range(steps):
            t = begin + i * dt
            r1 = rate(t, a, s)
            r2 = rate(t + dt / 2, a + dt / 2 * r1, s)
            r3 = rate(t + dt / 2, a + dt / 2 * r2, s)
            r4 = rate(t + dt, a + dt * r3, s)
            a = a + dt / 6 * (r1 + 2 * r2 + 2 * r3 + r4)
    return a


AMPLITUDE = 1e-6 * np.array([1.0, -0.4, 0.7])


@pytest.fixture
def mode(run, tmp_path):
    """mode(n, dt): amplitudes at T of the mode that starts with AMPLITUDE at the centres, and so with its mean over two of
    them, cos(k h/2) times as much, on faces."""
    def start(n, dt, **values):
        n = np.array(n)
        z, y, x = np.meshgrid(*((np.arange(m) + 0.5) / m for m in n[::-1]), indexing="ij")
        path = tmp_path / f"mode-{n[0]}.h5"
        with h5py.File(path, "w") as f:
            for name, a in zip("uvw", AMPLITUDE):
                f[name] = a * np.cos(2 * math.pi * (PERIODS[0] * x + PERIODS[1] * y + PERIODS[2] * z))
        folder = run("file", n.tolist(), T, length=LENGTH.tolist(), viscosity=NU, time=f"dt = {dt}", more=STRAIN, ranks=2,
                     initial__file=str(path), solver__tolerance=1e-13, output__series_interval=T, **values)
        found = []
        for axis, u in enumerate(state(folder)[:3]):
            phase = [(np.arange(m) + (0 if i == axis else 0.5)) / m * PERIODS[i] for i, m in enumerate(n)]
            total = phase[2][:, None, None] + phase[1][:, None] + phase[0]
            found.append(2 * (u * np.cos(2 * math.pi * total)).mean())
        return np.array(found)
    return start


def size(a):
    return np.abs(a).max()


@pytest.mark.parametrize("pressure", ["auto", "pcg-polynomial"])
def test_a_mode_is_distorted_as_the_differences_wavenumbers_say(mode, pressure):
    """Of order two in the step, and to 1e-6 with steps of 1/800."""
    n = np.array([12, 16, 8])
    exact = distorted(AMPLITUDE * np.cos(math.pi * PERIODS / n), n)
    errors = [size(mode(n, dt, solver__pressure=pressure) - exact) / size(exact) for dt in (0.02, 0.01, 0.005)]
    slopes = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    assert all(1.9 < slope < 2.1 for slope in slopes), errors
    if pressure == "auto":
        assert size(mode(n, 1 / 800) - exact) < 1e-6 * size(exact)


def test_a_mode_is_distorted_as_rapid_distortion_theory_says_with_order_two_in_h(mode):
    exact = distorted(AMPLITUDE)
    assert size(exact - distorted(AMPLITUDE, steps=1000)) < 1e-12 * size(exact)
    errors = [size(mode(factor * np.array([8, 16, 8]), 0.01) - exact) / size(exact) for factor in (1, 2, 4)]
    slopes = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    assert all(1.8 < slope < 2.2 for slope in slopes), errors


def test_energy_changes_by_production_and_dissipation(run):
    series = outputs.series(run("random", (16, 16, 16), T, length=LENGTH.tolist(), viscosity=0.005, time="dt = 0.005",
                                more=STRAIN, solver__tolerance=1e-11, initial__amplitude=0.2))
    rate = np.diff(series["energy"]) / np.diff(series["t"])
    balance = series["injection"] - series["dissipation"]  # the production is in the injection
    assert np.array_equal(series["injection"], series["production"])
    middle = (series["t"][1:] + series["t"][:-1]) / 2
    # the strain begins and ends at once: the mean of both ends of a step says nothing where it does
    within = (np.abs(middle - START) > 0.006) & (np.abs(middle - END) > 0.006)
    assert np.abs(rate - (balance[1:] + balance[:-1]) / 2)[within].max() < 2e-3 * series["dissipation"].max()
    strained = (series["t"] > START + 1e-9) & (series["t"] < END - 1e-9)
    assert np.abs(series["production"][strained]).min() > 0 and not series["production"][~strained & (series["t"] < START - 1e-9)].any()
    assert series["divergence"].max() < 1e-8


def test_files_of_fields_have_the_box_as_it_is(run):
    folder = run("random", (12, 16, 8), T, length=LENGTH.tolist(), time="dt = 0.05", more=STRAIN, output__fields_interval=T)
    f = fields(folder)
    for name, length, n in zip("xyz", lengths(T), (12, 16, 8)):
        assert np.abs(f[name] - (np.arange(n) + 0.5) / n * length).max() < 1e-14


def test_restart_in_each_phase_repeats_a_strained_run_bit_for_bit(run, tmp_path):
    values = dict(length=LENGTH.tolist(), time="dt = 0.05", viscosity=0.005, more=STRAIN, ranks=2, initial__amplitude=0.2)
    whole = run("random", (12, 16, 8), T, **values)
    parts = tmp_path / "parts"
    for steps in (2, 4, 9, 20, 22, 24):
        run("random", (12, 16, 8), T, folder=parts, time__max_steps=steps, **values)
    assert np.array_equal(state(parts), state(whole))
    assert outputs.rows(parts) == outputs.rows(whole)


@pytest.mark.parametrize("more, message", [
    ("[strain]\nrates = [0.5, -0.4, 0]\nend = 1\n", "changes the volume"),
    ("[strain]\nrates = [0.5, -0.5, 0]\nstart = 1\nend = 1\n", "must be later than"),
    ('[strain]\nrates = [0.5, -0.5, 0]\nend = 1\n[boundaries]\nz = ["wall", "wall"]\n', "strain requires periodic boundaries"),
    ('[strain]\nrates = [0.5, -0.5, 0]\nend = 1\n[solids]\nkind = "random-cubes"\n', "at most strain.start"),
    ('[strain]\nrates = [0.5, -0.5, 0]\nend = 1\n[solver]\ndiffusion = "implicit"\n', 'use "explicit"'),
])
def test_bad_strains_are_named(run, more, message):
    result = run("rest", (12, 10, 8), 0.1, more=more, expect=65)
    assert message in result.stderr + result.stdout


def test_work_of_a_strain_closes_the_budget_with_rows_far_apart(run):
    """The energy changes by work_done less the integral of the dissipation, to second order in the step: also over the end of the
    strain, where the production jumps to 0. The work is the same however far apart rows are."""
    about = {"length": (1, 1, 1), "more": STRAIN, "viscosity": NU, "initial__u": "sin(2*pi*y)"}    # of which no term is nonlinear
    left = []
    for dt in (0.01, 0.005):
        s = outputs.series(run("formula", (4, 12, 4), 1.4, **about, time=f"dt = {dt}"))
        spent = np.concatenate([[0], np.cumsum(np.diff(s["t"]) * (s["dissipation"][1:] + s["dissipation"][:-1]) / 2)])
        first, last = np.searchsorted(s["t"], (START - 1e-9, END - 1e-9))
        assert s["t"][[first, last]] == pytest.approx((START, END)) and s["production"][last] == 0 != s["production"][last - 1]
        assert (s["work_done"][:first + 1] == 0).all() and (s["work_done"][last:] == s["work_done"][last]).all()
        rest = s["energy"] - s["work_done"] + spent
        left.append(abs(rest[first:] - rest[first]).max())
    assert left[1] < left[0] / 3 and left[1] < 1e-3 * abs(s["work_done"][last]), left
    seldom = outputs.series(run("formula", (4, 12, 4), 1.4, **about, time="dt = 0.005", output__series_interval=0.5))
    assert seldom["work_done"][-1] == s["work_done"][-1]
