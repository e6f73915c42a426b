"""Subgrid models of spectral flows, compared with numpy: eddy viscosity, drain, the dynamic coefficient of a random field;
shear that must be left alone, or braked by a formula; budgets; ranks and restarts; refusals."""

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH, case
from conftest import ROOT
from outputs import sets

N = (18, 16, 20)
POINTS = ("smagorinsky", "vreman", "wale", "sigma", "dynamic-smagorinsky")
MODELS = (*POINTS, "spectral")
PRANDTL = 0.6
GRADIENT = [0.3, 0.0, -0.2]   # of the undisturbed scalar
START = 'kind = "random"\nspectrum = "power-law"\nk_range = [1, 5]\nslope = -1\n'


def write(folder, model, solver="hd", keys="", output="", closure="", start=START, n=N, end=0.0, dt=0.02, grid="", precision="double"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "case.toml"
    text = case(solver, f"viscosity = 0.01\n{keys}", n, f"slices = []\nreport = false\nseries_interval = 0\n{output}", start, end, dt,
                grid=grid, precision=precision)
    path.write_text(text + f'[closure]\nmodel = "{model}"\n{closure}\n')
    return path


# ---- numpy: one point, one field ----

def strain2(g):
    s = (g + np.swapaxes(g, 0, 1)) / 2
    return 2 * (s * s).sum((0, 1))


def viscosity(model, g, width):
    """nu_t at points from g[i, j, ...] = du_i/dx_j, by other formulas than the program's: singular values by LAPACK, invariants
    by matrices."""
    delta2 = np.prod(width)**(2 / 3)
    if model == "smagorinsky":
        return 0.17**2 * delta2 * np.sqrt(strain2(g))
    if model == "vreman":
        b = np.einsum("m,im...,jm...->ij...", np.square(width), g, g)
        second = b[0, 0] * b[1, 1] - b[0, 1]**2 + b[0, 0] * b[2, 2] - b[0, 2]**2 + b[1, 1] * b[2, 2] - b[1, 2]**2
        return 0.07 * np.sqrt(second / (g * g).sum((0, 1)))
    if model == "wale":
        h = np.einsum("ik...,kj...->ij...", g, g)
        d = (h + np.swapaxes(h, 0, 1)) / 2 - np.einsum("ij,kk...->ij...", np.eye(3), h) / 3
        dd = (d * d).sum((0, 1))
        return 0.55**2 * delta2 * dd**1.5 / ((strain2(g) / 2)**2.5 + dd**1.25)
    s = np.linalg.svd(np.moveaxis(g, (0, 1), (-2, -1)), compute_uv=False)
    a, b, c = np.moveaxis(s, -1, 0)
    return 1.35**2 * delta2 * c * (a - b) * (b - c) / a**2


class Box:
    """Derivatives and the test filter of fields [z][y][x]."""

    def __init__(self, n, length):
        self.integer = [np.fft.fftfreq(m, 1 / m) for m in n]
        self.top = [(m - 1) // 3 for m in n]
        self.k = [2 * np.pi * i / size for i, size in zip(self.integer, length)]
        self.width = [np.pi / (2 * np.pi * top / size) for top, size in zip(self.top, length)]

    def along(self, axis, values):
        return values.reshape([-1 if axis == a else 1 for a in (2, 1, 0)])

    def slope(self, f, axis):
        return np.fft.ifftn(1j * self.along(axis, self.k[axis]) * np.fft.fftn(f)).real

    def gradient(self, u):
        return np.array([[self.slope(f, axis) for axis in range(3)] for f in u])

    def hat(self, f):
        radius2 = sum((self.along(a, self.integer[a]) / (self.top[a] / 2))**2 for a in range(3))
        return np.fft.ifftn(np.where(radius2 <= 1 + 1e-9, np.fft.fftn(f), 0)).real

    def truncated(self, f):
        radius2 = sum((self.along(a, self.integer[a]) / self.top[a])**2 for a in range(3))
        return np.fft.ifftn(np.where(radius2 <= 1 + 1e-9, np.fft.fftn(f), 0)).real


def dynamic(box, u):
    """<L:M>/<M:M>, tensors with all nine components and their trace removed."""
    def weighted(v):
        g = box.gradient(v)
        return np.sqrt(strain2(g)) * (g + np.swapaxes(g, 0, 1)) / 2
    hat = np.array([box.hat(f) for f in u])
    w, wh = weighted(u), weighted(hat)
    delta2 = np.prod(box.width)**(2 / 3)
    lm = mm = 0
    trace = sum(box.hat(u[i] * u[i]) - hat[i]**2 for i in range(3)) / 3
    for i in range(3):
        for j in range(3):
            leonard = box.hat(u[i] * u[j]) - hat[i] * hat[j] - (trace if i == j else 0)
            m = 2 * delta2 * (box.hat(w[i, j]) - 4 * wh[i, j])
            lm, mm = lm + (leonard * m).mean(), mm + (m * m).mean()
    return lm / mm


def fields(run):
    with h5py.File(sorted((run / "fields").glob("*.h5"))[0]) as f:
        return {name: f[name][:] for name in f if isinstance(f[name], h5py.Dataset) and f[name].ndim == 3}


@pytest.fixture(scope="module", params=MODELS)
def first(request, launcher, triad, tmp_path_factory):
    """A random field with a scalar at t = 0 and after one short step: model, series, fields, spectra."""
    folder = tmp_path_factory.mktemp("closure")
    path = write(folder, request.param, keys=f"scalars = [0.02]\nscalar_gradients = {GRADIENT}", output="spectra_interval = 10\nfields_interval = 10", end=1e-4, dt=1e-4)
    launcher(1, triad, "run", path, "--dir", folder / "run", expect=0)
    return request.param, outputs.series(folder / "run"), fields(folder / "run"), outputs.spectra(folder / "run")[0][1]


@pytest.mark.parametrize("first", POINTS, indirect=True)
def test_columns_are_those_of_numpy(first):
    model, series, f, _ = first
    box = Box(N, LENGTH)
    u = np.array([f[name] for name in "uvw"])
    g = box.gradient(u)
    if model == "dynamic-smagorinsky":
        c = dynamic(box, u)
        assert series["closure_coefficient"][0] == pytest.approx(c, rel=1e-11)
        assert series["closure_clipped"][0] == (c < 0)
        nu = max(c, 0) * np.prod(box.width)**(2 / 3) * np.sqrt(strain2(g))
    else:
        nu = viscosity(model, g, box.width)
    slope2 = sum(s * (s + mean) for s, mean in zip((box.slope(f["scalar1"], axis) for axis in range(3)), GRADIENT))
    tolerance = 1e-6 if model == "sigma" else 1e-11  # half the digits where two singular values meet
    assert series["eddy_viscosity_mean"][0] == pytest.approx(nu.mean(), rel=tolerance)
    assert series["eddy_viscosity_max"][0] == pytest.approx(nu.max(), rel=tolerance)
    assert series["sgs_dissipation"][0] == pytest.approx((nu * strain2(g)).mean(), rel=tolerance)
    assert series["scalar1_sgs_dissipation"][0] == pytest.approx((nu / PRANDTL * slope2).mean(), rel=tolerance)


def test_transfer_of_the_closure_is_minus_its_drain(first):
    _, series, _, spectra = first
    assert spectra["T_sgs"].sum() == pytest.approx(-series["sgs_dissipation"][0], rel=1e-12)
    assert spectra["T_S1_sgs"].sum() == pytest.approx(-series["scalar1_sgs_dissipation"][0], rel=1e-12)
    assert abs(spectra["T"].sum()) < 1e-12 * abs(spectra["T"]).sum(), "the resolved transfer is without the closure"
    # what a short step does to the energies is what the columns say
    for energy, drain in (("energy", "dissipation"), ("scalar1_variance", "scalar1_dissipation")):
        rate = np.diff(series[energy])[0] / np.diff(series["t"])[0]
        end = series[drain][1]
        if "closure_coefficient" in series:  # a step keeps the coefficient of its start
            c = series["closure_coefficient"]
            end -= series[drain.replace("dissipation", "sgs_dissipation")][1] * (1 - c[0] / c[1])
        made = series["scalar1_production"][:2].mean() if energy == "scalar1_variance" else 0
        assert rate == pytest.approx(made - (series[drain][0] + end) / 2, rel=2e-5), energy


def test_dissipation_includes_the_closure(first):
    _, series, f, _ = first
    box = Box(N, LENGTH)
    u = np.array([f[name] for name in "uvw"])
    viscous = 0.01 * (box.gradient(u)**2).sum((0, 1)).mean()
    assert series["dissipation"][0] == pytest.approx(viscous + series["sgs_dissipation"][0], rel=1e-11)


# ---- one flow ----

def test_plane_shear_is_braked_by_smagorinsky_alone(triad, mpirun, tmp_path):
    """u = sin y: a factor exp(-nu t) with Vreman, WALE and sigma; the formula's stress with Smagorinsky."""
    start = 'kind = "formula"\nu = "sin(2*pi*y/5)"\n'
    for model in ("vreman", "wale", "sigma", "smagorinsky"):
        path = write(tmp_path / model, model, start=start, end=0.2, dt=0.02)
        mpirun(1, triad, "run", path, "--dir", tmp_path / model / "run", expect=0)
        s = outputs.series(tmp_path / model / "run")
        k = 2 * np.pi / 5
        if model != "smagorinsky":
            np.testing.assert_allclose(s["energy"], 0.25 * np.exp(-2 * 0.01 * k**2 * s["t"]), rtol=1e-12)
            assert (s["eddy_viscosity_max"] < 1e-14).all(), model
            continue
        ell2 = 0.17**2 * np.prod(Box(N, LENGTH).width)**(2 / 3)
        slope = k * np.cos(2 * np.pi * np.arange(N[1]) / N[1])
        assert s["eddy_viscosity_max"][0] == pytest.approx(ell2 * k, rel=1e-13)
        assert s["sgs_dissipation"][0] == pytest.approx(ell2 * (abs(slope)**3).mean(), rel=1e-13)
        # the stress ell^2 |cos| cos on the same points, advanced by small steps
        u, y = np.sin(2 * np.pi * np.arange(N[1]) / N[1]), 2 * np.pi / 5 * np.fft.fftfreq(N[1], 1 / N[1])

        def rate(v):
            g = np.fft.ifft(1j * y * np.fft.fft(v)).real
            top = abs(np.fft.fftfreq(N[1], 1 / N[1])) <= (N[1] - 1) // 3
            return np.fft.ifft(np.where(top, 1j * y * np.fft.fft(ell2 * abs(g) * g + 0.01 * g), 0)).real
        for _ in range(200):
            h = 1e-3
            a = rate(u)
            b = rate(u + h / 2 * a)
            c = rate(u + h / 2 * b)
            u = u + h / 6 * (a + 2 * b + 2 * c + rate(u + h * c))
        assert s["energy"][-1] == pytest.approx((u * u).mean() / 2, rel=1e-7)


def test_spectral_viscosity_drains_the_flux_of_an_inertial_range(triad, mpirun, tmp_path):
    """nu_t(k) mode by mode; it takes 0.957 of eps on E = C_K eps^(2/3) k^(-5/3), eps from E(k_c)."""
    start = 'kind = "random"\nspectrum = "power-law"\nk_range = [1, 15]\nslope = -1.6666666666666667\n'
    path = write(tmp_path, "spectral", start=start, n=(48, 48, 48), output="spectra_interval = 10\nfields_interval = 10", end=1e-3, dt=1e-3)
    path.write_text(path.read_text().replace('length = ["2pi", 5.0, "3pi"]', ""))
    mpirun(1, triad, "run", path, "--dir", tmp_path / "run", threads=2, expect=0)
    s, spectra, f = outputs.series(tmp_path / "run"), outputs.spectra(tmp_path / "run")[0][1], fields(tmp_path / "run")
    cut = 15
    at_cut = spectra["E"][14] * (14 / cut)**(5 / 3)  # of the last whole shell
    axis = np.fft.fftfreq(48, 1 / 48)
    k = np.sqrt(axis[:, None, None]**2 + axis[:, None]**2 + axis**2)
    energy = sum(abs(np.fft.fftn(f[name]) / 48**3)**2 for name in "uvw") / 2
    with np.errstate(divide="ignore"):
        nu = np.sqrt(at_cut / cut) * 1.4**-1.5 * (0.441 + 15.2 * np.exp(-3.03 * cut / k))
    drain = 2 * nu * k**2 * energy
    assert s["sgs_dissipation"][0] == pytest.approx(drain.sum(), rel=1e-10)
    shell = np.rint(k).astype(int)
    np.testing.assert_allclose(-spectra["T_sgs"], np.bincount(shell.ravel(), drain.ravel())[:16], rtol=1e-9, atol=1e-12)
    assert s["eddy_viscosity_max"][0] == pytest.approx(0.712 * np.sqrt(at_cut / cut), rel=4e-3)
    x = (np.arange(100000) + 0.5) / 100000
    flux = 2 * 1.4**1.5 * x**(1 / 3) * 1.4**-1.5 * (0.441 + 15.2 * np.exp(-3.03 / x))
    assert flux.mean() == pytest.approx(0.955, abs=0.001)
    # with the energy of each shell at its middle; the modes of low shells have more than s^2 on average, 5 % in all
    eps, middle = (at_cut * cut**(5 / 3) / 1.4)**1.5, np.arange(1, 15)
    at_middle = 2 * np.sqrt(at_cut / cut) * 1.4**-1.5 * (0.441 + 15.2 * np.exp(-3.03 * cut / middle)) * middle**2 * spectra["E"][1:15]
    held = flux[(x > 0.5 / cut) & (x < 14.5 / cut)].mean() * 14 / 15
    assert at_middle.sum() / eps == pytest.approx(held, rel=0.01)
    assert drain[shell < 15].sum() == pytest.approx(at_middle.sum(), rel=0.08)


@pytest.mark.parametrize("model", ["sigma", "spectral"])
def test_budget_of_stratified_flow_closes(triad, mpirun, tmp_path, model):
    path = write(tmp_path, model, solver="boussinesq", keys="buoyancy_frequency = 2.0\ndiffusivity = 0.01",
                 start=START + "potential_energy = 0.2", end=0.2, dt=0.01, closure="turbulent_prandtl = 0.5")
    path.write_text(path.read_text().replace("[time]", '[time]\nscheme = "rk4"'))
    mpirun(2, triad, "run", path, "--dir", tmp_path / "run", threads=2, expect=0)
    s = outputs.series(tmp_path / "run")
    simpson = np.array([1, *[4, 2] * 9, 4, 1]) * 0.01 / 3
    taken = simpson @ s["dissipation"]
    assert s["energy"][0] - s["energy"][-1] == pytest.approx(taken, rel=1e-5)
    assert simpson @ s["theta_sgs_dissipation"] > 0.05 * taken
    potential = simpson @ (s["buoyancy_flux"] - s["diffusive_dissipation"] - s["theta_sgs_dissipation"])
    assert s["potential_energy"][-1] - s["potential_energy"][0] == pytest.approx(potential, rel=1e-5)


def test_ranks_threads_and_restarts_give_the_same_bits(triad, mpirun, tmp_path):
    """On any ranks with parallel.reproducible, for the coefficient of a dynamic model at the middle of its interval too."""
    for model in ("dynamic-smagorinsky", "spectral"):
        path = write(tmp_path / model, model, closure="interval = 4" if model[0] == "d" else "", end=10.0)
        exact = sets(parallel__reproducible=True)
        whole, parts = tmp_path / model / "whole", tmp_path / model / "parts"
        mpirun(1, triad, "run", path, "--dir", whole, *exact, *sets(time__max_steps=11), expect=0)
        for ranks, threads, steps in ((3, 1, 6), (2, 2, 11)):
            mpirun(ranks, triad, "run", path, "--dir", parts, *exact, *sets(time__max_steps=steps), threads=threads, expect=0)
        assert outputs.rows(parts) == outputs.rows(whole), model
        assert outputs.same_bits(parts, whole), model


def test_eddy_viscosity_limits_the_step(triad, mpirun, tmp_path, monkeypatch):
    path = write(tmp_path, "smagorinsky", closure="smagorinsky_constant = 1.0", end=0.5)
    path.write_text(path.read_text().replace("dt = 0.02", 'cfl = 0.5\nscheme = "rk3"'))
    done = mpirun(1, triad, "run", path, "--dir", tmp_path / "run", expect=0)
    s = outputs.series(tmp_path / "run")
    assert "limited by eddy viscosity" in (tmp_path / "run/log.txt").read_text(), done
    k_max = max(2 * np.pi * ((n - 1) // 3) / size for n, size in zip(N, LENGTH))
    assert s["dt"][1] == pytest.approx(0.8 * 2.512 / (s["eddy_viscosity_max"][0] * k_max**2), rel=1e-3)
    assert np.isfinite(s["energy"]).all() and (np.diff(s["energy"]) < 0).all()
    # a simulation that does not resolve the smallest scales is not called unresolved
    assert "not resolved" not in done.stdout + done.stderr and s["kmax_eta"][-1] < 1
    monkeypatch.syspath_prepend(ROOT / "tools")
    from triad_plot.read.series import Series
    assert not Series(tmp_path / "run/series.csv").limits(), "nor by a report"


def test_closures_are_refused_where_they_do_not_work(triad, mpirun, tmp_path):
    path = write(tmp_path, "sigma", keys="", closure="")
    follow = sets(target__grid="follow", target__kmax_eta=1.5)
    done = mpirun(1, triad, "case", path, *follow)
    assert done.code == 65 and 'target.grid = "follow"' in done.stderr and "closure.model" in done.stderr, done
    for model in ("sigma", "spectral"):
        done = mpirun(1, triad, "case", path, *sets(closure__model=model, grid__n=[16, 16, 1]))
        assert done.code == 65 and model in done.stderr and "along each axis" in done.stderr, done
    path.write_text(path.read_text().replace('"hd"', '"mhd"'))
    done = mpirun(1, triad, "case", path)
    assert done.code == 65 and "closure.model" in done.stderr, done
