"""The work of forces, summed up in each step: exact where the law is known, the same across restarts, and enough to check a budget by."""

import sys

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets

sys.path.insert(0, str(ROOT / "tools"))

PERIODIC = """[equations]
solver = "{solver}"
viscosity = 0.02
[grid]
n = [12, 12, 12]
[initial]
kind = "{start}"
[time]
end = 100
dt = 0.02
max_steps = {steps}
[output]
series_interval = 0
report = false
slices = []
"""
STIRRED = sets(forcing__kind="stirring", forcing__amplitude=2.0, forcing__interval=0.05, forcing__pushes=4, forcing__restore=0.1)
FORCES = {
    "random": ("hd", sets(forcing__kind="random", forcing__power=0.2)),
    "constant-power": ("hd", sets(forcing__kind="constant-power", forcing__power=0.2)),
    "noise": ("hd", sets(forcing__kind="ornstein-uhlenbeck", forcing__amplitude=0.5, forcing__correlation_time=0.3)),
    "constant-energy": ("mhd", sets(forcing__kind="constant-energy")),
    "stirring": ("staggered", STIRRED),
    "gradient": ("staggered", sets(forcing__kind="pressure-gradient", forcing__amplitude=0.7)),
    "formulas": ("staggered", sets(forcing__kind="formula", forcing__u="sin(y)*cos(3*t)", forcing__v="-0.2*v")),
    "gas": ("compressible", sets(forcing__kind="ornstein-uhlenbeck", forcing__amplitude=0.5, forcing__correlation_time=0.3)),
}


@pytest.fixture
def run(run_case):
    def go(name, steps=12, *more, folder=None):
        solver, force = FORCES[name]
        return run_case(PERIODIC.format(solver=solver, start="taylor-green", steps=steps), *force, *more, folder=folder)
    return go


@pytest.mark.parametrize("name", FORCES)
def test_work_done_survives_a_restart_bit_for_bit(run, name):
    whole = run(name)
    parts = run(name, 5)
    parts = run(name, 12, folder=parts)
    assert (whole / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()
    assert np.any(outputs.series(whole)["work_done"][1:])


@pytest.mark.parametrize("name", ["random", "constant-power"])
def test_a_force_of_constant_power_has_done_that_power_times_the_time(run, name):
    s = outputs.series(run(name))
    np.testing.assert_allclose(s["work_done"], 0.2 * s["t"], rtol=1e-13)


def test_a_constant_acceleration_has_done_its_size_times_the_way(run):
    """The same for every path: the work is the scalar product of the acceleration and the displacement."""
    s = outputs.series(run("gradient"))
    np.testing.assert_allclose(s["work_done"], 0.7 * s["displacement_x"], rtol=1e-12)
    assert s["work_done"][-1] > 0


@pytest.mark.parametrize("name, lost", [("noise", None), ("constant-energy", None), ("gas", "heat_removed")])
def test_with_a_row_for_each_step_it_is_the_sum_of_powers(run, name, lost):
    s = outputs.series(run(name))
    for column, rate in (("work_done", "injection"), (lost, "cooling")) if lost else (("work_done", "injection"),):
        np.testing.assert_allclose(s[column][1:], np.cumsum(s["dt"] * s[rate])[1:], rtol=1e-12, atol=1e-18)


def test_work_of_formulas_is_of_second_order_in_the_step(run):
    """Trapezoidal, so that half the step leaves a quarter of the error; beside steps a quarter as long."""
    ends = [outputs.series(run("formulas", 10 * k, *sets(time__dt=0.04 / k)))["work_done"][-1] for k in (1, 2, 8)]
    assert abs(ends[1] - ends[2]) < abs(ends[0] - ends[2]) / 3 and abs(ends[2]) > 1e-3


# Forces whose power is measured at both ends of a step, in flows with an exact solution: every product of the velocity is a
# gradient or 0. Arguments, then the power in such a flow for viscosity NU, and a bound of its second derivative.
NU, RATE, END, DT = 0.3, 0.4, 0.48, 0.04
SHEAR = sets(initial__kind="formula", **{"initial.u": "sin(y)"})


def swinging(t):
    c = 1j * (np.exp(2j * t) - np.exp(-NU * t)) / (2j + NU)
    return (c * np.conj(1j * np.exp(2j * t))).real / 2


def varying(t):
    u = (NU * np.cos(3 * t) + 3 * np.sin(3 * t) - NU * np.exp(-NU * t)) / (NU**2 + 9)
    return np.cos(3 * t) * u / 2


def growing(t):
    return RATE * np.exp(2 * (RATE - NU) * t) / 2


MEASURED = {
    "abc": (sets(forcing__kind="abc", forcing__amplitude=0.7), lambda t: 3 * 0.7**2 / NU * (1 - np.exp(-NU * t))),
    # the other modes that it drives act on it by a part of the square of its own velocity, 1e-6
    "taylor-green": (sets(forcing__kind="taylor-green", forcing__amplitude=0.001),
                     lambda t: 0.001**2 / 4 / (3 * NU) * (1 - np.exp(-3 * NU * t))),
    "formula of points": (sets(forcing__kind="formula", **{"forcing.u": "cos(3*t)*sin(y)"}), varying),
    "formula at points": (sets(forcing__kind="formula", **{"forcing.u": "sin(y + 2*t + 0*x*t)"}), swinging),
    "formula of fields": ([*SHEAR, *sets(forcing__kind="formula", **{"forcing.u": f"{RATE}*u"})], growing),
    "linear": ([*SHEAR, *sets(forcing__kind="linear", forcing__rate=RATE)], growing),
    "file": (sets(forcing__kind="file", forcing__file="modes.h5"), lambda t: 0.3**2 / NU * (1 - np.exp(-NU * t)) / 2),
}
STEPS = sets(equations__viscosity=NU, time__dt=DT, time__end=END, time__scheme="rk4")


@pytest.fixture
def measured(run_case, tmp_path):
    """The run of a name of MEASURED."""
    with h5py.File(tmp_path / "modes.h5", "w") as f:  # 0.3 sin z along x
        f["t"], f["k"], f["f"] = np.array([0.0, 1.0]), [(0, 0, 1)], np.full((2, 1, 1, 1), 1.0) * [[[(0, -0.15), (0, 0), (0, 0)]]]

    def go(name, *more, **options):
        arguments = [a.replace("modes.h5", str(tmp_path / "modes.h5")) for a in MEASURED[name][0]]
        return run_case(PERIODIC.format(solver="hd", start="rest", steps=10000), *STEPS, *arguments, *more, **options)
    return go


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("ranks", [1, 3])
def test_measured_power_gives_the_work_of_an_exact_flow(measured, name, ranks):
    """Trapezoidal: within dt^2/12 of the integral of |P''| from the exact integral, at every row."""
    s, power = outputs.series(measured(name, ranks=ranks)), MEASURED[name][1]
    fine = np.linspace(0, END, 96001)
    p = power(fine)
    exact = np.concatenate([[0], np.cumsum((p[1:] + p[:-1]) / 2 * (fine[1] - fine[0]))])
    bend = np.concatenate([[0], np.cumsum(abs(np.diff(np.gradient(p, fine))))])  # the integral of |P''|
    small = 1e-6 * abs(p).max()
    np.testing.assert_allclose(s["injection"], power(s["t"]), atol=small)
    error = abs(s["work_done"] - np.interp(s["t"], fine, exact))
    assert (error <= 1.05 * DT**2 / 12 * np.interp(s["t"], fine, bend) + small * s["t"]).all(), error
    assert s["work_done"][-1] > 0.1 * END * abs(p).max()


@pytest.mark.parametrize("name", MEASURED)
def test_measured_work_survives_a_restart_bit_for_bit(measured, name):
    whole = measured(name)
    parts = measured(name, *sets(time__max_steps=5))
    parts = measured(name, folder=parts)
    assert (whole / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()


def test_rows_of_any_distance_have_the_same_work(measured):
    often, seldom = measured("formula at points"), measured("formula at points", *sets(output__series_interval=0.16))
    assert outputs.rows(seldom)[1:] == outputs.rows(often)[1::4]


def test_the_budget_of_a_steady_force_closes_with_rows_far_apart(run_case):
    """Taylor-Green's force drives other modes through the nonlinear term; rows every 0.5, in which the power changes by half."""
    folder = run_case(PERIODIC.format(solver="hd", start="taylor-green", steps=10000),
                      *sets(forcing__kind="taylor-green", time__end=4.0, output__series_interval=0.5))
    check = check_of(folder)
    assert check.verdict == "passed", check


def test_a_force_that_is_switched_off_keeps_the_work_that_it_has_done(run):
    folder = run("random", 5)
    run("random", 8, *sets(forcing__kind="none"), folder=folder)
    work = outputs.series(folder)["work_done"]
    assert work[5] > 0 and (work[5:] == work[5]).all()


# ---- the check of a report by it ----

def check_of(folder):
    from triad_plot.read.run import Run
    from triad_plot.report import checks
    return checks.budget(Run(str(folder)))


CUBES = """[equations]
solver = "staggered"
viscosity = 0.01
[grid]
n = [16, 16, 16]
length = [1, 1, 1]
[solids]
kind = "random-cubes"
count = 3
side = 4
release = {release}
[forcing]
kind = "stirring"
amplitude = 4
interval = 0.3
pushes = 4
restore = 0.5
[initial]
kind = "rest"
[time]
end = {end}
cfl = 0.8
dt_max = 0.05
[output]
series_interval = {rows}
report = false
slices = []
{more}
"""


def test_the_budget_of_stirred_flow_closes_whatever_the_distance_of_rows(run_case):
    """Energy is conserved by the scheme but for what the force does and viscosity takes: rows every 0.05 and 0.25, pushes of 0.3."""
    from triad_plot.compute.balance import Balance
    for rows in (0.05, 0.25):
        folder = run_case(CUBES.format(rows=rows, end=1.7, release=1.7, more=""))
        check = check_of(folder)
        assert check.verdict == "passed", check
        from triad_plot.read.series import Series
        assert Balance(Series(str(folder / "series.csv"))).unaccounted() > 0.02, "the integral between rows alone is that far off"


def test_solids_that_become_fluid_are_left_out_of_the_budget_by_name(run_case):
    """Three cubes fill 5 % of the box: the mean energy falls by that when they are released in the midst of the stirring."""
    check = check_of(run_case(CUBES.format(rows=0.05, end=1.2, release=0.62, more="")))
    assert check.verdict == "passed" and "solids become fluid at t = 0.62" in check.text, check


def test_a_strain_does_not_spoil_the_budget(run_case):
    more = "[strain]\nrates = [0.5, -0.5, 0]\nstart = 0.4\nend = 1.0\n"
    check = check_of(run_case(CUBES.format(rows=0.05, end=1.5, release=1.5, more=more).replace('kind = "random-cubes"', 'kind = "none"')))
    assert check.verdict == "passed" and "strain changes" in check.text, check


def test_a_gas_is_checked_against_its_cooling(run_case):
    solver, force = FORCES["gas"]
    folder = run_case(PERIODIC.format(solver=solver, start="taylor-green", steps=40), *force, *sets(output__series_interval=0.2))
    check = check_of(folder)
    assert check.verdict == "passed" and "cooling" in check.name and float(check.text.split()[1]) < 1e-9, check
