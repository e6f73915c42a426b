"""Forces of a gas: exact budgets, what they are made of, the same across kills and ranks."""

import h5py
import numpy as np
import pytest

import outputs
from compressible_runs import runs
from outputs import sets

CASE = """[equations]
solver = "compressible"
[grid]
n = [16, 16, 16]
[initial]
kind = "taylor-green"
mach = 0.5
[time]
end = 10.0
dt = 0.02
max_steps = 12
[output]
report = false
slices = []
series_interval = 0
"""
NOISE = sets(forcing__kind="ornstein-uhlenbeck", forcing__solenoidal=0.5, forcing__amplitude=2.0,
             forcing__correlation_time=0.3, equations__viscosity=0.01)
LINEAR = sets(forcing__kind="linear", forcing__rate=0.5)


FORMULA = sets(**{"forcing.kind": "formula", "forcing.u": "0.3*sin(z + t) - 0.1*u*rho", "forcing.w": "p*cos(x)"})


@pytest.fixture
def run(run_case, tmp_path):
    return runs(run_case, tmp_path, CASE)


@pytest.mark.parametrize("force", [NOISE, LINEAR, FORMULA], ids=["noise", "linear", "formula"])
@pytest.mark.parametrize("flux", ["weno", "central"])
def test_budgets_of_a_forced_gas_close_to_rounding(run, force, flux):
    """Sums of 4096 points of size e, each rounded some times a step: 12 steps of a few eps e each."""
    s = outputs.series(run("a", *force, *sets(equations__flux=flux)))
    scale, steps = abs(s["energy"]).max(), len(s["t"]) - 1
    assert steps == 12 and min(s["injection"][1:]**2) > 0
    change = np.diff(s["energy"]) - np.diff(s["t"]) * (s["injection"] - s["cooling"])[1:]
    assert abs(change).max() < 50 * 2.2e-16 * scale
    internal = s["energy"] - s["kinetic_energy"]
    assert abs(internal - internal[0]).max() < 50 * 2.2e-16 * scale
    assert abs(s["mass_drift"]).max() < 12 * 20 * 2.2e-16
    assert abs(s["momentum_drift"]).max() < 12 * 20 * 2.2e-16
    assert s["injection"][0] == 0 and s["cooling"][0] == 0


def test_without_cooling_the_gas_keeps_what_the_force_gives(run):
    s = outputs.series(run("a", *NOISE, *sets(forcing__cooling="none")))
    assert (s["cooling"] == 0).all() and abs(s["injection"][1:]).min() > 0
    change = np.diff(s["energy"]) - np.diff(s["t"]) * s["injection"][1:]
    assert abs(change).max() < 50 * 2.2e-16 * abs(s["energy"]).max()


def test_a_linear_force_multiplies_the_velocity(run):
    """K grows by e^(2 A dt) in the force's part of a step, so what it gave is K (1 - e^(-2 A dt)) of the K it left."""
    s = outputs.series(run("a", *LINEAR))
    given = s["kinetic_energy"][1:] * -np.expm1(-2 * 0.5 * np.diff(s["t"])) / np.diff(s["t"])
    np.testing.assert_allclose(s["injection"][1:], given, rtol=1e-12)


def velocity(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return np.array([f[name][:] for name in ("u", "v", "w")])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_noise_has_the_share_of_solenoidal_modes_asked_for(run, share):
    """The first force of a gas at rest, u = a dt to rounding of a step in which sound travels 1e-5 of a cell. n pairs of modes
    have 4 n numbers across k and 2 n along: of mean squares s and 1 - s the scatter is s (2/(4 n))^(1/2) and likewise."""
    folder = run("a", *NOISE, *sets(initial__kind="uniform", time__dt=1e-6, time__max_steps=1, time__end=1e-6, output__fields_interval=1e-6,
                                    forcing__k_range=[1.0, 3.0], forcing__solenoidal=share))
    modes = np.fft.fftn(velocity(folder) / 1e-6, axes=(1, 2, 3)) / 16**3
    k = np.array(np.meshgrid(*[np.fft.fftfreq(16, 1 / 16)] * 3, indexing="ij"))[::-1]
    size = np.sqrt((k**2).sum(axis=0))
    along = (k * modes).sum(axis=0) / np.maximum(size, 1)
    total, dilatational = (abs(modes)**2).sum(), (abs(along)**2).sum()
    outside = (abs(modes[:, (size > 3.01) | (size < 0.99)])**2).sum()
    pairs = ((size <= 3.01) & (size > 0.99)).sum() / 2
    assert outside < 1e-9 * total
    across_error, along_error = share * np.sqrt(1 / (2 * pairs)), (1 - share) * np.sqrt(1 / pairs)
    assert abs(dilatational / 4 - (1 - share)) < 5 * along_error + 1e-9
    assert abs((total - dilatational) / 4 - share) < 5 * across_error + 1e-9


@pytest.mark.parametrize("force", [NOISE, FORMULA], ids=["noise", "formula"])
def test_a_forced_gas_goes_on_bit_for_bit_and_is_the_same_on_any_ranks(run, force):
    whole, ranks = run("whole", *force), run("ranks", *force, ranks=3)
    run("halves", *force, *sets(time__max_steps=5))
    halves = run("halves", *force)
    assert outputs.rows(halves) == outputs.rows(whole)
    assert outputs.rows(ranks) == outputs.rows(whole)


def test_a_force_of_some_ranks_limits_the_step_of_all_of_them(run):
    """Shear, driven more at x about 1.5 than elsewhere and to and fro as steps go, in so cold a gas that the force limits them: (cfl h/a)^(1/2) of
    the largest a, which the block of larger x does not meet, and which a step has of the velocity before its last half."""
    same = [*sets(**{"initial.kind": "uniform", "initial.state": [1.0, 0.0, 0.0, 0.0, 0.01], "forcing.kind": "formula", "time.dt": 0,
                     "forcing.v": "(0.2 + 2*exp(-4*(x - 1.5)^2))*(sin(z)*cos(10*t) - 0.3*v)", "time.max_steps": 6, "forcing.cooling": "none",
                     "equations.flux": "central"})]
    whole = run("whole", *same)
    s = outputs.series(whole)
    assert len(s["t"]) == 7 and abs(s["dt"][1] / np.sqrt(0.5 * 2 * np.pi / 16 / 2.2) - 1) < 0.03
    assert outputs.rows(run("ranks", *same, *sets(parallel__blocks=[2, 1, 1]), ranks=2)) == outputs.rows(whole)
    run("halves", *same, *sets(time__max_steps=4))
    assert outputs.rows(run("halves", *same)) == outputs.rows(whole)


def test_a_formula_accelerates_to_second_order_in_time(run):
    """u = sin(z) U(t), w = 0 and uniform rho and p are exact while nothing else acts: dU/dt = cos(3 t) - 0.5 U."""
    exact = (0.5 * np.cos(3) + 3 * np.sin(3) - 0.5 * np.exp(-0.5)) / (0.25 + 9)
    error = []
    for steps in (20, 40):
        s = outputs.series(run(f"{steps}", *sets(**{
            "grid.n": [1, 1, 16], "initial.kind": "uniform", "initial.state": [1.0, 0.0, 0.0, 0.0, 10.0], "time.dt": 1 / steps, "time.end": 1.0,
            "time.max_steps": 0, "forcing.kind": "formula", "forcing.u": "cos(3*t)*sin(z) - 0.5*u", "forcing.cooling": "none"})))
        error.append(abs(np.sqrt(4 * s["kinetic_energy"][-1]) - abs(exact)))
    assert error[1] < 2e-3 and abs(np.log2(error[0] / error[1]) - 2) < 0.2, error


@pytest.mark.parametrize("formula, told", [({"forcing.u": "1/(x-x)"}, "forcing.u is infinite at x = 0"),
                                           ({"forcing.v": "log(0.05-t)"}, "forcing.v is"),
                                           ({"forcing.v": "theta"}, 'unknown name "theta"'), ({}, "requires a formula")])
def test_a_wrong_formula_ends_with_65(run, formula, told):
    done = run("bad", *sets(forcing__kind="formula", **formula), ranks=2, expect=65)
    assert done.stderr.count(told) == 1, done.stderr


def test_a_force_wants_a_periodic_box(run):
    done = run("a", *NOISE, *sets(boundaries__x=["reflecting", "reflecting"]), expect=65)
    assert "requires a periodic box, but boundaries.x is not" in done.stderr
    done = run("b", *NOISE, *sets(forcing__k_range=[30.0, 40.0]), expect=65)
    assert done.stderr.count("the band contains no mode of this grid") == 1
