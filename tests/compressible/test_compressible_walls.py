"""Walls of a gas by formula: beside walls of numbers, the limit of conduction, Stokes' oscillating plates, ranks and restart; wrong ones."""

import subprocess

import numpy as np
import pytest

import outputs
from compressible_runs import last, runs
from outputs import sets
from verification import record

pytestmark = pytest.mark.quick

CASE = """[equations]
solver = "compressible"
flux = "central"
viscosity = {viscosity}
prandtl = 0.7
[grid]
n = {n}
length = [2.0, 1.0, 1.0]
[boundaries]
y = ["isothermal", "isothermal"]
[initial]
kind = "formula"
rho = "1.4"
p = "1"
[time]
end = {end}
[output]
report = false
slices = []
series_interval = 0
fields_interval = {end}
"""
PLANE = dict(n="[16, 12, 1]", viscosity=0.2, end=0.3)
WAVE = "1 + 0.2*cos(pi*x)"


@pytest.fixture
def run(run_case, tmp_path):
    return runs(run_case, tmp_path, CASE)


def walls(temperature=(), velocity=()):
    values = {"boundaries.wall_temperature_at": temperature, "boundaries.wall_velocity_at": velocity}
    return [word for key, texts in values.items() if texts
            for word in ("--set", f"{key}=[{', '.join(chr(34) + text + chr(34) for text in texts)}]")]


def test_formulas_without_variables_are_the_numbers(run):
    """Bit for bit: what is not given by formula is the number of the case."""
    numbers = run("numbers", "--set", "boundaries.wall_temperature=[1, 1, 1.2, 0.9, 1, 1]",
                  "--set", "boundaries.wall_velocity=[0,0,0, 0,0,0, 0.1,0,0, 0.3,0,0, 0,0,0, 0,0,0]", **PLANE)
    formulas = run("formulas", "--set", "boundaries.wall_temperature=[1, 1, 5, 0.9, 1, 1]",
                   "--set", "boundaries.wall_velocity=[0,0,0, 0,0,0, 0.1,0,0, 7,0,0, 0,0,0, 0,0,0]",
                   *walls(["", "", "1.2"], [""] * 9 + ["0.3 + 0*x*t"]), **PLANE)
    a, b = last(numbers), last(formulas)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def conduction(folder, n):
    """max |T - T_exact| of a gas that has come to rest: p is uniform, and T between the walls solves Laplace's equation."""
    f = last(folder)
    assert abs(f["u"]).max() < 1e-7 and abs(f["v"]).max() < 1e-7
    temperature = (1.4 * f["p"] / f["rho"])[0]
    x, y = 2.0 * np.arange(n[0]) / n[0], (np.arange(n[1]) + 0.5) / n[1]
    exact = 1 + 0.2 * np.cos(np.pi * x) * np.cosh(np.pi * (y - 0.5)).reshape(-1, 1) / np.cosh(np.pi / 2)
    return abs(temperature - exact).max()


def test_a_gas_between_walls_of_t_of_x_comes_to_the_limit_of_conduction(run):
    """Order 2 of the walls, half way between points: a quarter of the error, as far as it is of that order alone."""
    error = []
    for n in ((8, 6), (16, 12)):
        values = PLANE | dict(n=f"[{n[0]}, {n[1]}, 1]", end=9)
        error.append(conduction(run(f"{n[0]}", *walls(["", "", WAVE, WAVE]), **values), n))
    assert error[1] < 2e-3 and 3 < error[0] / error[1] < 8, error
    record("compressible-conduction", error[1], order=np.log2(error[0] / error[1]))


def test_plates_that_swing_drag_the_gas_as_stokes_has_it(run):
    """u = Re U exp(i w t) cosh(l (y - 1/2))/cosh(l/2), l^2 = i w/nu, after the start has died out as exp(-pi^2 nu t); slow, so that neither
    heating nor sound shows. Order 2 of the walls."""
    error, nu, w, speed, end = [], 0.2 / 1.4, 3.0, 1e-3, 9.0
    for n in (8, 16):
        folder = run(f"{n}", *walls(velocity=[""] * 6 + [f"{speed}*cos({w}*t)", "", "", f"{speed}*cos({w}*t)"]),
                     **PLANE | dict(n=f"[4, {n}, 1]", end=end))
        y, k = (np.arange(n) + 0.5) / n, np.sqrt(1j * w / nu)
        exact = speed * (np.exp(1j * w * end) * np.cosh(k * (y - 0.5)) / np.cosh(k / 2)).real
        error.append(abs(last(folder)["u"][0, :, 1] - exact).max() / speed)
    assert error[1] < 4e-3 and 3 < error[0] / error[1] < 6, error
    record("compressible-stokes", error[1], order=np.log2(error[0] / error[1]))


def test_walls_by_formula_are_the_same_on_any_ranks_and_go_on_bit_for_bit(run):
    moving = [*walls(["", "", f"{WAVE} + 0.1*sin(9*t)", "1 + y*x^2/100"], [""] * 6 + ["0.1*cos(pi*x)*t"]), *sets(time__cfl=0.4)]
    whole, ranks = run("whole", *moving, **PLANE), run("ranks", *moving, ranks=3, **PLANE)
    a, b = last(whole), last(ranks)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    run("halves", *moving, *sets(time__max_steps=7), **PLANE)
    assert outputs.rows(run("halves", *moving, **PLANE)) == outputs.rows(whole)


@pytest.mark.parametrize("arguments, told", [
    (walls(["1 + x"]), "value 1 of 1 belongs to the lower end of boundaries.x, which is not an isothermal wall"),
    (walls(velocity=[""] * 7 + ["sin(x)"]), "value 8 of 8 is the velocity normal to a wall, which must be 0"),
    (walls(["", "", "1 + q"]), 'unknown name "q"'),
    (walls(["", "", "", "", "", "", "1"]), "boundaries.wall_temperature_at"),
])
def test_wrong_walls_end_with_65(triad, tmp_path, arguments, told):
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(**PLANE))
    done = subprocess.run([triad, "case", case, *arguments], capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr, done.stderr


def test_a_wall_that_gets_too_cold_ends_with_65_and_the_place(run):
    done = run("cold", *walls(["", "", "1 - 20*t*step(x - 1)"]), ranks=2, expect=65, **PLANE)
    assert "boundaries.wall_temperature_at is -" in done.stderr and "but a temperature must be positive" in done.stderr
    assert "y = 0, z = 0, t = " in done.stderr


CLOSED = """[equations]
solver = "compressible"
flux = "{flux}"
viscosity = 0.02
[grid]
n = {n}
length = [1.0, 1.0, 1.0]
[boundaries]
{sides}
wall_velocity = [{velocity}]
[initial]
kind = "formula"
rho = "1 + 0.3*exp(-20*((x - 0.4)^2 + (y - 0.4)^2 + (z - 0.4)^2))"
p = "1/1.4 + 0.5*exp(-20*((x - 0.6)^2 + (y - 0.6)^2 + (z - 0.6)^2))"
u = "y*z"
v = "z"
w = "x"
[time]
end = 0.2
cfl = 0.5
[output]
report = false
slices = []
series_interval = 0.2
spectra_interval = 0
"""


@pytest.mark.parametrize("axis, ranks", (("x", 1), ("y", 2), ("z", 3)))
@pytest.mark.parametrize("flux", ("weno", "central", "hybrid"))
def test_nothing_passes_a_wall(run_case, tmp_path, flux, axis, ranks):
    """Mass holds to rounding between walls of every kind, still or moving; energy between those without heat that do no work."""
    n, along = [12 if a == axis else 6 for a in "xyz"], "xyz".index(axis)
    for kinds, moving in (("reflecting", "adiabatic"), 0), (("isothermal", "isothermal"), 0), (("isothermal", "adiabatic"), 1):
        velocity = [float(moving and c != along) for _ in range(6) for c in range(3)]
        folder = run_case(CLOSED.format(flux=flux, n=n, sides=f"{axis} = {list(kinds)}", velocity=", ".join(map(str, velocity))),
                          "--set", f"parallel.blocks={[ranks if a == axis else 1 for a in 'xyz']}", ranks=ranks,
                          folder=tmp_path / f"{kinds[0]}{moving}")
        series = outputs.series(folder)
        assert abs(series["mass_drift"][-1]) < 1e-13, (kinds, moving)
        if "isothermal" not in kinds:
            assert abs(series["energy_drift"][-1]) < 1e-13, kinds
