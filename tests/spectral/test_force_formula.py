"""Forces that are formulas: beside built-in ones, exact flows, budgets, ranks; and formulas that are wrong."""

import re

import numpy as np
import pytest

import outputs
from outputs import sets

CASE = """[equations]
solver = "{solver}"
viscosity = 0.05
[grid]
n = [12, 16, 14]
length = [5.0, "2pi", 6.0]
[initial]
kind = "random"
energy = 0.1
[time]
end = 100.0
dt = 0.02
max_steps = 10
scheme = "rk4"
[output]
report = false
slices = []
series_interval = 0
"""


@pytest.fixture
def run(triad, mpirun, tmp_path):
    """run(name, arguments.., solver, ranks): the folder of a run of that name, or the process that failed."""
    def start(name, *arguments, solver="hd", ranks=1, expect=0):
        case = tmp_path / "case.toml"
        case.write_text(CASE.format(solver=solver))
        done = mpirun(ranks, triad, "run", "-q", case, "--dir", tmp_path / name, *sets(forcing__kind="formula"), *arguments,
                      expect=expect, threads=1)
        return done if expect else tmp_path / name
    return start


def close(a, b, tolerance):
    a, b = outputs.series(a), outputs.series(b)
    for key in a:
        if "tail" in key or key == "step":
            continue
        size = max(1.0, np.nanmax(abs(b[key]), initial=0))
        np.testing.assert_allclose(a[key], b[key], rtol=0, atol=tolerance * size, err_msg=key)


STEADY = sets(**{"parameters.k": "2pi/5", "parameters.m": "2pi/6",
                 "forcing.u": "0.7*sin(k*x)*cos(y)*cos(m*z)", "forcing.v": "-0.7*k*cos(k*x)*sin(y)*cos(m*z)"})
LATE = sets(**{"parameters.k": "2pi/5", "parameters.m": "2pi/6",  # the same, though of t and of fields
               "forcing.u": "0.7*sin(k*x)*cos(y)*cos(m*z) + 0*sin(x*t)", "forcing.v": "-0.7*k*cos(k*x)*sin(y)*cos(m*z) + u^2 - u^2"})


@pytest.mark.parametrize("formulas", [STEADY, LATE], ids=["steady", "late"])
def test_a_formula_is_its_built_in_twin(run, formulas):
    """Ten steps keep what the two fields of 12 x 16 x 14 round differently."""
    twin = run("twin", *sets(forcing__kind="taylor-green", forcing__amplitude=0.7))
    close(run("formula", *formulas, ranks=2), twin, 1e-13)


@pytest.mark.parametrize("formulas", [STEADY, LATE], ids=["steady", "late"])
def test_a_formula_force_is_the_same_on_any_ranks_and_goes_on_bit_for_bit(run, formulas):
    same = [*formulas, *sets(parallel__reproducible=True)]
    whole, ranks = run("whole", *same), run("ranks", *same, ranks=3)
    assert outputs.rows(ranks) == outputs.rows(whole)
    run("halves", *same, *sets(time__max_steps=4))
    assert outputs.rows(run("halves", *same)) == outputs.rows(whole)


def test_drag_as_a_formula_is_the_drag_of_the_equations(run):
    """The one by Runge-Kutta, the other exactly: (rate dt)^5/120 of each step of rk4."""
    drag = run("drag", *sets(equations__drag=0.4, forcing__kind="none"))
    formula = run("formula", *sets(**{"forcing.u": "-0.4*u", "forcing.v": "-0.4*v", "forcing.w": "-0.4*w"}))
    a, b = outputs.series(drag), outputs.series(formula)
    np.testing.assert_allclose(b["energy"], a["energy"], rtol=10 * (0.4 * 0.02)**5)
    np.testing.assert_allclose(b["injection"], -2 * 0.4 * b["energy"], rtol=1e-13)


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4)])
def test_a_force_in_time_is_integrated_to_the_order_of_the_scheme(run, scheme, order):
    """u = U(t) sin z is an exact flow, dU/dt + nu k^2 U = cos(5 t): its own advection is nothing."""
    nu, k, w, t = 0.05, 2 * np.pi / 6, 5.0, 1.0
    exact = (nu * k**2 * np.cos(w * t) + w * np.sin(w * t) - nu * k**2 * np.exp(-nu * k**2 * t)) / ((nu * k**2)**2 + w**2)
    error = []
    for steps in (20, 40):
        folder = run(f"{steps}", *sets(initial__kind="rest", time__dt=1 / steps, time__end=1.0, time__max_steps=0,
                                       time__scheme=scheme, **{"parameters.k": "2pi/6", "forcing.u": "cos(5*t)*sin(k*z)"}))
        error.append(abs(np.sqrt(4 * outputs.series(folder)["energy"][-1]) - abs(exact)))
    assert error[1] < 2e-3 * abs(exact)
    assert np.log2(error[0] / error[1]) > order - 0.3


def test_what_forces_put_in_closes_the_budget(run):
    """E(10) - E(0) against the integral of injection - dissipation by Simpson's rule, h^4/180 (b - a) f'''' of steps of 0.02."""
    s = outputs.series(run("a", *sets(**{"forcing.u": "0.5*v + 0.3*sin(2*t)*cos(2*pi*z/6)", "forcing.w": "-0.2*w*u"})))
    f, h = s["injection"] - s["dissipation"], 0.02
    integral = h / 3 * (f[0] + 4 * f[1:-1:2].sum() + 2 * f[2:-2:2].sum() + f[-1])
    assert abs(s["energy"][-1] - s["energy"][0] - integral) < 1e-7 * s["energy"][0]


SPLIT = [  # sums of what is of points times what is of time, and of fields times what is of time
    ("hd", {"forcing.u": "0.4*sin(2*pi*z/6 - 3*t) + 0.3*cos(3*t)", "forcing.v": "(1 + t)^2*cos(k*x)/(2 + t)", "forcing.w": "-0.3*sin(y)"}),
    ("hd", {"forcing.u": "0.5*v - 0.3*u*cos(t)", "forcing.v": "-(u - w)/2", "forcing.w": "-0.5*v*2 + 0.2*sin(k*x)*sin(t)"}),
    ("boussinesq", {"forcing.u": "theta*0.3", "forcing.theta": "-0.5*w + 0.2*t*cos(y) + 0.1*t"}),
    ("mhd", {"forcing.bx": "0.5*sin(2*pi*z/6)*t - 0.2*bx", "forcing.w": "0.3*bz - 0.2*w"})]


@pytest.mark.parametrize("solver, formulas", SPLIT, ids=["waves", "fields", "theta", "magnetic"])
def test_a_force_by_its_modes_is_the_one_at_points(run, solver, formulas):
    """The same formulas plus 0 u^2, which only points can tell: ten steps round differently."""
    k = sets(**{"parameters.k": "2pi/5"})
    modes = run("modes", *k, *sets(**formulas), solver=solver, ranks=2)
    close(modes, run("points", *k, *sets(**{key: f"{text} + 0*u^2" for key, text in formulas.items()}), solver=solver), 1e-13)


def test_a_force_by_its_modes_takes_shifted_grids_and_goes_on_bit_for_bit(run):
    same = [*sets(**SPLIT[1][1], parallel__reproducible=True, grid__dealiasing="phase-shift"), *sets(**{"parameters.k": "2pi/5"})]
    whole = run("whole", *same)
    run("halves", *same, *sets(time__max_steps=4))
    assert outputs.rows(run("halves", *same)) == outputs.rows(whole)
    assert outputs.rows(run("ranks", *same, ranks=3)) == outputs.rows(whole)
    refused = run("refused", *sets(**{"forcing.u": "u*v", "grid.dealiasing": "phase-shift"}), expect=65)
    assert "which shifts the points" in refused.stderr


def test_a_background_by_formula_is_that_of_the_equations(run):
    """N^2 = 2.25 by theta' = (2.25/1 - 1) w besides N = 1: theta is 1.5 times that of N = 1.5, which no operation but rounding sees."""
    start = sets(**{"initial.kind": "formula", "initial.u": "sin(z)*cos(y)", "initial.w": "0.5*cos(2*pi*x/5)"})
    whole = outputs.series(run("whole", *start, *sets(forcing__kind="none", equations__buoyancy_frequency=1.5), solver="boussinesq"))
    parts = outputs.series(run("parts", *start, *sets(**{"forcing.theta": "(2.25 - 1)*w", "equations.buoyancy_frequency": 1.0}),
                               solver="boussinesq"))
    np.testing.assert_allclose(parts["kinetic_energy"], whole["kinetic_energy"], rtol=1e-13)
    np.testing.assert_allclose(parts["potential_energy"], 2.25 * whole["potential_energy"], rtol=1e-12, atol=1e-15)
    assert whole["potential_energy"][-1] > 1e-4


@pytest.mark.parametrize("solver, formulas", [("boussinesq", {"forcing.theta": "0.5*w"}),
                                              ("mhd", {"forcing.bx": "0.5*sin(2*pi*z/6)*w", "forcing.by": "bx"})])
def test_other_fields_are_driven_too(run, solver, formulas):
    s = outputs.series(run("a", *sets(**formulas), solver=solver))
    still = outputs.series(run("b", *sets(forcing__kind="none"), solver=solver))
    which = "potential_energy" if solver == "boussinesq" else "magnetic_energy"
    assert abs(s["injection"]).max() > 1e-4 or which == "magnetic_energy"
    change = np.diff(s["energy"]) - 0.02 * (s["injection"] - s["dissipation"])[:-1]
    assert abs(s[which] - still[which]).max() > 1e-6 or abs(s["injection"]).max() > 1e-6
    assert abs(change).max() < 0.02**2 * 10 * s["energy"].max()


@pytest.mark.parametrize("formula, told", [
    ({"forcing.u": "1/x"}, "forcing.u is infinite at x = 0, y = 0, z = 0"),
    ({"forcing.v": "sqrt(3-y) + 0*u*u"}, "forcing.v is not a number at x = 0, y = 3.14159, z = 0, t = 0"),
    ({"forcing.v": "log(0.015-t)"}, "forcing.v is"),
    ({"forcing.w": "sin(x)/(t-0.02)"}, "forcing.w is"),
    ({"forcing.w": "u/t"}, "forcing.w is infinite at t = 0"),
    ({"forcing.w": "sin(theta)"}, 'column 5: unknown name "theta"'),
    ({"forcing.w": "(" * 200 + "1" + ")" * 200}, "nested too deeply"),
    ({"forcing.scalars": ["1"]}, "equations.scalars has 0 scalars"),
    ({}, "requires a formula")])
def test_a_wrong_formula_ends_with_65_and_the_place(run, formula, told):
    done = run("bad", *sets(**formula), ranks=2, expect=65)
    assert done.stderr.count(told) == 1, done.stderr


@pytest.mark.parametrize("u, least, most", [
    ("exp(-4*((x-2.5)^2+(y-3)^2+(z-3)^2))*cos(t)", 0.95, 1.25),  # all modes; of some ranks and for marks a bit more
    ("sin(z)*cos(t) + cos(20*y)", 0, 0.02), ("1", 0, 0.02)])     # one or two of them
def test_the_table_of_memory_counts_lists_of_modes(triad, mpirun, tmp_path, u, least, most):
    """Of each mode that is held: three places, its weight, and for each of the three fields its decay, the force, and that of the part
    that cos t multiplies, 3 + 1 + 3 (1 + 2 + 2) numbers; besides a byte for each of the layout, for a while."""
    (tmp_path / "case.toml").write_text(CASE.format(solver="hd"))
    done = mpirun(1, triad, "case", "--check", tmp_path / "case.toml",
                  *sets(forcing__kind="formula", forcing__u=u, grid__n=[64, 60, 62]), expect=0)
    told = re.search(r"^  forcing +([0-9.]+) (B|kB|MB)", done.stdout, re.M)
    bytes_of = float(told[1]) * {"B": 1, "kB": 1e3, "MB": 1e6}[told[2]]
    held = 2 / 3 * np.pi * np.prod([(n - 1) // 3 for n in (64, 60, 62)])  # half of the ellipsoid
    marks = 2 * held * 1.5                                                 # its columns, each as long as the longest
    assert least * 19 * 8 * held < bytes_of - marks * (least > 0) < most * 19 * 8 * held + marks, (told[0], held)
