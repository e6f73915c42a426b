"""Subgrid models on a staggered mesh: nu_t and the drain of a random flow by numpy; laminar flow between walls; the budget;
ranks and restarts; refusals."""

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets

CASE = """
[equations]
solver = "staggered"
viscosity = 0.01
[grid]
n = {n}
length = {length}
stretch = {stretch}
[boundaries]
y = ["{y}", "{y}"]
[initial]
kind = "formula"
{start}
[forcing]
{forcing}
[closure]
model = "{model}"
[time]
end = {end}
{dt}
[output]
series_interval = 0
slices = []
report = false
{output}
"""
BOX = (2.0, 3.0, 4.0)
N = (12, 10, 8)
FLOW = """u = "sin(pi*x) * cos(2*pi*y/3) + 0.3*cos(pi*z)"
v = "cos(pi*x) * sin(2*pi*y/3) + 0.5*sin(pi*(x - z))"
w = "sin(2*pi*y/3 - pi*x) + 0.2*cos(pi*z/2)"
"""


def write(path, model, n=N, length=BOX, stretch=(0, 0, 0), y="periodic", start=FLOW, forcing="", end=0.2, dt="dt = 0.02", output=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CASE.format(model=model, n=list(n), length=list(map(float, length)), stretch=list(map(float, stretch)), y=y, start=start,
                                forcing=forcing, end=end, dt=dt, output=output))
    return path


def next_to(f, axis, step=1):
    return np.roll(f, -step, axis={0: 2, 1: 1, 2: 0}[axis])


def centre_gradients(u, h):
    """g[a, b] at centres: a difference of faces, or the mean of four edges; periodic and uniform."""
    g = np.empty((3, 3, *u[0].shape))
    for a in range(3):
        for b in range(3):
            if a == b:
                g[a, b] = (next_to(u[a], a) - u[a]) / h[a]
                continue
            edge = (u[a] - next_to(u[a], b, -1)) / h[b]
            g[a, b] = (edge + next_to(edge, a) + next_to(edge, b) + next_to(next_to(edge, a), b)) / 4
    return g


def drain(u, nu, h):
    """Sum of nu_t times squared rates of strain, cell by cell and edge by edge."""
    total = sum(2 * nu * ((next_to(u[a], a) - u[a]) / h[a])**2 for a in range(3))
    for a in range(3):
        for b in range(a):
            at_edge = (nu + next_to(nu, a, -1) + next_to(nu, b, -1) + next_to(next_to(nu, a, -1), b, -1)) / 4
            total = total + at_edge * ((u[a] - next_to(u[a], b, -1)) / h[b] + (u[b] - next_to(u[b], a, -1)) / h[a])**2
    return total.mean()


@pytest.mark.parametrize("model", ["smagorinsky", "vreman", "wale", "sigma"])
def test_columns_and_drain_are_those_of_numpy(triad, mpirun, tmp_path, model):
    import test_closure  # the models at points
    path = write(tmp_path / "case.toml", model, end=0.02, output="fields_interval = 10\nfaces = true")
    mpirun(2, triad, "run", path, "--dir", tmp_path / "run", expect=0)
    s, h = outputs.series(tmp_path / "run"), [size / n for size, n in zip(BOX, N)]
    with h5py.File(sorted((tmp_path / "run/fields").glob("*.h5"))[0]) as f:
        u = [f[name][:] for name in ("u_face", "v_face", "w_face")]
    nu = test_closure.viscosity(model, centre_gradients(u, h), h)
    tolerance = 1e-6 if model == "sigma" else 1e-11
    assert s["eddy_viscosity_mean"][0] == pytest.approx(nu.mean(), rel=tolerance)
    assert s["eddy_viscosity_max"][0] == pytest.approx(nu.max(), rel=tolerance)
    assert s["sgs_dissipation"][0] == pytest.approx(drain(u, nu, h), rel=tolerance)
    assert nu.max() > 1e-3


def test_laminar_flow_between_walls_is_left_alone_or_braked_by_formula(triad, mpirun, tmp_path):
    """Poiseuille's flow: as without a model with WALE, sigma and Vreman; with Smagorinsky as a column of cells by numpy."""
    nu, n = 0.01, 32
    start = 'u = "0.5*y*(2 - y)*2"'
    for model in ("none", "wale", "sigma", "vreman", "smagorinsky"):
        path = write(tmp_path / model / "case.toml", model, n=(4, n, 4), length=(1, 2, 1), y="wall", start=start,
                     forcing=f'kind = "formula"\nu = "{2 * nu}"', end=0.5 if model != "smagorinsky" else 2, dt="dt = 0.02")
        mpirun(1, triad, "run", path, "--dir", tmp_path / model / "run", expect=0, timeout=100)
        s = outputs.series(tmp_path / model / "run")
        if model == "none":
            without = s
        elif model != "smagorinsky":
            assert (s["eddy_viscosity_max"] < 1e-14).all()
            np.testing.assert_allclose(s["energy"], without["energy"], rtol=1e-13)
        if model != "smagorinsky":
            continue
        # cells in a row: the gradient of a cell is the mean of its two sides, nu_t of a side that of its two cells
        h = 2 / n
        ell2, centre = 0.17**2 * (h / 16)**(2 / 3), (np.arange(n) + 0.5) * h
        u = centre * (2 - centre)

        def rate(u):
            g = np.diff(np.concatenate([[-u[0]], u, [-u[-1]]])) / h
            cell = ell2 * abs(g[1:] + g[:-1]) / 2
            side = (np.concatenate([[cell[0]], cell]) + np.concatenate([cell, [cell[-1]]])) / 2
            return np.diff((nu + side) * g) / h + 2 * nu
        for _ in range(2000):
            dt = 1e-3
            middle = u + dt / 2 * rate(u)
            u = u + dt * rate(middle)
        assert s["energy"][0] - s["energy"][-1] == pytest.approx(s["energy"][0] - (u * u).mean() / 2, rel=1e-3)
        assert s["energy"][-1] < 0.995 * s["energy"][0]


@pytest.mark.parametrize("y, stretch", [("periodic", 0), ("wall", 1.5)])
def test_budget_closes(triad, mpirun, tmp_path, y, stretch):
    """dE/dt = injection - dissipation with the drain, of a stretched mesh between walls too."""
    path = write(tmp_path / "case.toml", "smagorinsky", n=(12, 14, 8), stretch=(0, stretch, 0), y=y, end=0.2, dt="dt = 0.0025")
    mpirun(3, triad, "run", path, "--dir", tmp_path / "run", expect=0)
    s = outputs.series(tmp_path / "run")
    simpson = np.array([1, *[4, 2] * 39, 4, 1]) * 0.0025 / 3
    assert len(s["t"]) == 81
    assert s["energy"][0] - s["energy"][-1] == pytest.approx(simpson @ s["dissipation"], rel=3e-4)
    assert simpson @ s["sgs_dissipation"] > 0.3 * (simpson @ s["dissipation"]) and "kmax_eta" in s


def test_ranks_and_restarts_give_the_same_bits(triad, mpirun, tmp_path):
    path = write(tmp_path / "case.toml", "sigma", y="wall", end=10.0, dt="cfl = 0.5", output="[parallel]\nreproducible = true")
    for run, parts in (("whole", ((1, 1, 9),)), ("parts", ((2, 2, 4), (3, 1, 9)))):
        for ranks, threads, steps in parts:
            mpirun(ranks, triad, "run", path, "--dir", tmp_path / run, *sets(time__max_steps=steps), threads=threads, expect=0)
    assert outputs.rows(tmp_path / "parts") == outputs.rows(tmp_path / "whole")
    names = ("u", "v", "w")
    assert (outputs.points(tmp_path / "parts", names) == outputs.points(tmp_path / "whole", names)).all()


def test_closures_are_refused_where_they_do_not_work(triad, mpirun, tmp_path):
    path = write(tmp_path / "case.toml", "wale")
    for keys, word in ((sets(equations__temperature=True), "temperature"), (sets(solids__kind="boxes", solids__boxes=[0, 1, 0, 1, 0, 1]), "solids")):
        done = mpirun(1, triad, "case", path, *keys)
        assert done.code == 65 and "closure.model" in done.stderr and word in done.stderr, done
    path.write_text(path.read_text().replace('"wale"', '"spectral"'))
    done = mpirun(1, triad, "case", path)
    assert done.code == 65 and "closure.model" in done.stderr, done
