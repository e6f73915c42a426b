"""Subgrid models of a gas: nu_t and its drain by numpy, what is conserved, the budget of the kinetic energy, ranks, refusals."""

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets

CASE = """
[equations]
solver = "compressible"
flux = "{flux}"
viscosity = 1e-5
[grid]
n = [18, 16, 20]
length = [2.0, 3.0, 4.0]
[initial]
kind = "formula"
rho = "1 + 0.1*sin(pi*x)"
u = "0.2*sin(pi*x)*cos(2*pi*y/3) + 0.05*cos(pi*z)"
v = "0.2*cos(pi*x)*sin(2*pi*y/3) + 0.1*sin(pi*(x - z))"
w = "0.2*sin(2*pi*y/3 - pi*x) + 0.04*cos(pi*z/2)"
p = "0.714 + 0.05*cos(2*pi*y/3)"
[closure]
model = "{model}"
[time]
end = {end}
dt = {dt}
[output]
series_interval = 0
slices = []
report = false
{output}
"""
LENGTH, N = (2.0, 3.0, 4.0), (18, 16, 20)


def write(path, model, flux="central", end=0.05, dt=0.01, output=""):
    path.write_text(CASE.format(model=model, flux=flux, end=end, dt=dt, output=output))
    return path


def slope(f, axis, h):
    """Of order four."""
    a = {0: 2, 1: 1, 2: 0}[axis]
    return (8 * (np.roll(f, -1, a) - np.roll(f, 1, a)) - (np.roll(f, -2, a) - np.roll(f, 2, a))) / (12 * h)


@pytest.mark.parametrize("model", ["smagorinsky", "vreman", "wale", "sigma"])
def test_columns_are_those_of_numpy(triad, mpirun, tmp_path, model):
    import test_closure  # the models at points
    path = write(tmp_path / "case.toml", model, end=0.01, output="fields_interval = 10")
    mpirun(2, triad, "run", path, "--dir", tmp_path / "run", expect=0)
    s, h = outputs.series(tmp_path / "run"), [size / n for size, n in zip(LENGTH, N)]
    with h5py.File(sorted((tmp_path / "run/fields").glob("*.h5"))[0]) as f:
        rho, u = f["rho"][:], [f[name][:] for name in "uvw"]
    g = np.array([[slope(v, axis, h[axis]) for axis in range(3)] for v in u])
    nu, div = test_closure.viscosity(model, g, h), g[0, 0] + g[1, 1] + g[2, 2]
    tolerance = 1e-6 if model == "sigma" else 1e-10
    assert s["eddy_viscosity_mean"][0] == pytest.approx(nu.mean(), rel=tolerance)
    assert s["eddy_viscosity_max"][0] == pytest.approx(nu.max(), rel=tolerance)
    drain = (rho * nu * (test_closure.strain2(g) - 2 / 3 * div**2)).mean()
    assert s["sgs_dissipation"][0] == pytest.approx(drain, rel=tolerance)
    # central fluxes take the dissipation at faces, which see shorter waves
    assert s["sgs_dissipation"][0] == pytest.approx(s["dissipation"][0], rel=0.1)


@pytest.mark.parametrize("flux", ["central", "weno"])
def test_budget_closes_and_sums_are_conserved(triad, mpirun, tmp_path, flux):
    """d kinetic/dt = pressure_dilatation - dissipation with what the closure takes, which becomes heat."""
    path = write(tmp_path / "case.toml", "smagorinsky", flux=flux, end=0.4)
    mpirun(3, triad, "run", path, "--dir", tmp_path / "run", threads=2, expect=0)
    s = outputs.series(tmp_path / "run")
    assert abs(s["mass_drift"][-1]) < 1e-14 and abs(s["energy_drift"][-1]) < 1e-13 and s["momentum_drift"][-1] < 1e-14
    simpson = np.array([1, *[4, 2] * 19, 4, 1]) * 0.01 / 3
    change = simpson @ (s["pressure_dilatation"] - s["dissipation"])
    drain = simpson @ s["sgs_dissipation"]
    assert drain > 0.9 * (simpson @ s["dissipation"])
    if flux == "central":
        assert s["kinetic_energy"][-1] - s["kinetic_energy"][0] == pytest.approx(change, abs=0.01 * drain)


def test_ranks_and_restarts_give_the_same_bits(triad, mpirun, tmp_path):
    path = write(tmp_path / "case.toml", "sigma", end=10.0)
    path.write_text(path.read_text().replace("dt = 0.01", "cfl = 0.5"))
    for run, parts in (("whole", ((1, 1, 9),)), ("parts", ((2, 2, 4), (3, 1, 9)))):
        for ranks, threads, steps in parts:
            mpirun(ranks, triad, "run", path, "--dir", tmp_path / run, *sets(time__max_steps=steps), threads=threads, expect=0)
    assert outputs.rows(tmp_path / "parts") == outputs.rows(tmp_path / "whole")


def test_eddy_viscosity_limits_the_step(triad, mpirun, tmp_path):
    path = write(tmp_path / "case.toml", "smagorinsky", end=0.05)
    path.write_text(path.read_text().replace("dt = 0.01", "cfl = 0.5").replace('"smagorinsky"', '"smagorinsky"\nsmagorinsky_constant = 1.5'))
    mpirun(1, triad, "run", path, "--dir", tmp_path / "run", expect=0)
    s, h = outputs.series(tmp_path / "run"), [size / n for size, n in zip(LENGTH, N)]
    rate = (1e-5 + s["eddy_viscosity_max"][0]) * sum(1 / x**2 for x in h) * 6.34 / 2.5
    assert s["dt"][1] < 0.5 / rate and (np.diff(s["kinetic_energy"]) < 0).all()


def test_closures_are_refused_where_they_do_not_work(triad, mpirun, tmp_path):
    path = write(tmp_path / "case.toml", "wale")
    for keys, word in ((sets(boundaries__x=["reflecting", "reflecting"]), "periodic"), (sets(equations__viscosity=0.0), "equations.viscosity")):
        done = mpirun(1, triad, "case", path, *keys)
        assert done.code == 65 and "closure.model" in done.stderr and word in done.stderr, done
