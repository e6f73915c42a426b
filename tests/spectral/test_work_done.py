"""The work of forces, summed up in each step: exact where the law is known, the same across restarts, and enough to check a budget by."""

import sys

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


def test_a_force_whose_power_is_known_at_rows_only_leaves_the_column_empty(run_case):
    s = outputs.series(run_case(PERIODIC.format(solver="hd", start="taylor-green", steps=3), *sets(forcing__kind="abc")))
    assert np.isnan(s["work_done"]).all() and np.any(s["injection"])


def test_a_force_that_is_switched_off_keeps_the_work_that_it_has_done(run):
    folder = run("random", 5)
    run("random", 8, *sets(forcing__kind="none"), folder=folder)
    work = outputs.series(folder)["work_done"]
    assert work[5] > 0 and (work[5:] == work[5]).all()


# ---- the check of a report by it ----

def check_of(folder):
    from triad_plot import checks
    from triad_plot.run import Run
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
    from triad_plot.balance import Balance
    for rows in (0.05, 0.25):
        folder = run_case(CUBES.format(rows=rows, end=1.7, release=1.7, more=""))
        check = check_of(folder)
        assert check.verdict == "passed", check
        from triad_plot.series import Series
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
    assert check.verdict == "passed" and "cooling" in check.name and float(check.text.split()[0]) < 1e-9, check
