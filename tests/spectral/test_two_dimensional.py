"""Flows that do not depend on one coordinate: as the same flow in a box of more points there; waves on a beta plane; what
two dimensions conserve, and where their energy goes."""
import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from verification import record

HEAD = """
[equations]
solver = "{solver}"
{equations}
[grid]
n = {n}
[initial]
kind = "formula"
{start}
[time]
end = {end}
dt = {dt}
scheme = "rk4"
[output]
series_interval = 0
spectra_interval = 0
slices = []
fields_interval = {end}
"""
FLUID = 'u = "-sin(y) + 0.5*cos(2*y + x)"\nv = "sin(2*x) - 0.25*cos(2*y + x)"\nw = "0.3*cos(x - y)"\n'
# of each set a start that depends on two coordinates, which of them stays out, and terms of all kinds
SETS = {
    "hd": ("viscosity = 0.02\nscalars = [0.01]\nrotation = [0.1, 0.2, 1]\ndrag = 0.05", FLUID + 'scalars = ["sin(x)*cos(y)"]\n', 2),
    "mhd": ("viscosity = 0.02\nresistivity = 0.01\nmean_field = [0.3, 0, 1]\nhall = 0.1",
            FLUID + 'bx = "cos(y)"\nby = "sin(x)"\nbz = "0.2*sin(x + y)"\n', 2),
    "boussinesq": ("viscosity = 0.02\ndiffusivity = 0.01", 'u = "sin(z) + cos(x + z)"\nw = "sin(2*x) - cos(x + z)"\n'
                   'theta = "0.4*cos(x)*sin(z)"\n', 1),
    "gpe": ("sound_speed = 1\nhealing_length = 0.3", 'psi_re = "1 + 0.2*cos(x)*sin(y)"\npsi_im = "0.3*sin(x + 2*y)"\n', 2),
}


def write(folder, solver, equations, start, n, end=0.2, dt=0.02, more=""):
    path = folder / "case.toml"
    path.write_text(HEAD.format(solver=solver, equations=equations, start=start, n=n, end=end, dt=dt) + more)
    return path


def fields(run):
    with h5py.File(max((run / "fields").glob("*.h5"))) as file:
        return {name: data[()] for name, data in file.items() if getattr(data, "ndim", 0) == 3}


@pytest.mark.parametrize("solver", SETS)
@pytest.mark.parametrize("dealiasing", ["truncation", "phase-shift"])
def test_one_point_along_an_axis_is_a_flow_that_does_not_depend_on_it(triad, mpirun, tmp_path, solver, dealiasing):
    equations, start, axis = SETS[solver]
    if dealiasing == "phase-shift" and solver == "gpe":
        pytest.skip("gpe has no phase shifts")
    runs = []
    for points, ranks in ((1, 1), (6, 1), (1, 2)):
        n = [16, 16, 16]
        n[axis] = points
        case = write(tmp_path, solver, equations, start, n)
        if dealiasing == "phase-shift":  # on exact grids: random ones depend on the number of axes
            case.write_text(case.read_text().replace("[initial]", 'dealiasing = "phase-shift"\nshifts = "exact"\nradius = 6\n[initial]'))
        run = tmp_path / f"run-{points}-{ranks}"
        mpirun(ranks, triad, "run", case, "--dir", run, expect=0)
        runs.append((fields(run), (run / "series.csv").read_text().splitlines()[-1].split(",")))
    (plane, row), (box, other), (on_two, row_on_two) = runs
    assert row == row_on_two, "the same bits on two ranks"
    for name, values in plane.items():
        assert values.shape[2 - axis] == 1 and (on_two[name] == values).all()
        wide = np.broadcast_to(values, box[name].shape)
        # ten steps of some hundred roundings
        assert np.abs(box[name] - wide).max() < 1e-12 * max(1, np.abs(values).max()), name
    # energies, fluxes and scales; resolution and steps depend on the number of modes
    assert float(row[3]) == pytest.approx(float(other[3]), rel=1e-12)


@pytest.mark.parametrize("ranks", [1, 2])
def test_rossby_waves_travel_west_at_their_speed(triad, mpirun, tmp_path, ranks):
    """One wave is an exact solution: psi = A cos(kx x + ky y + beta kx t/k^2) exp(-nu k^2 t)."""
    beta, nu, kx, ky, end, errors = 3.0, 0.02, 2, 1, 2.0, []
    for dt in (0.1, 0.05):
        case = write(tmp_path, "hd", f"beta = {beta}\nviscosity = {nu}",
                     f'u = "{ky}*sin({kx}*x + {ky}*y)"\nv = "-{kx}*sin({kx}*x + {ky}*y)"\n', [16, 12, 1], end, dt)
        run = tmp_path / f"run-{dt}"
        mpirun(ranks, triad, "run", case, "--dir", run, expect=0)
        got, k2 = fields(run), kx * kx + ky * ky
        x, y = 2 * np.pi * np.arange(16) / 16, 2 * np.pi * np.arange(12)[:, None] / 12
        wave = np.sin(kx * x + ky * y + beta * kx / k2 * end) * np.exp(-nu * k2 * end)
        errors.append(max(np.abs(got["u"][0] - ky * wave).max(), np.abs(got["v"][0] + kx * wave).max()))
        assert np.abs(got["w"]).max() == 0
    # rk4: a step is off by (omega dt)^5/120, all by t/dt times that; omega = 1.2
    assert errors[0] < 2 * kx * (1.2 * 0.1) ** 5 / 120 * end / 0.1 and errors[0] / errors[1] > 14
    record("hd-rossby", errors[1], order=np.log2(errors[0] / errors[1]))


def test_beta_does_no_work_and_keeps_enstrophy(triad, mpirun, tmp_path):
    """Without viscosity, of a truncated flow in the plane: energy and enstrophy change by the scheme's error alone."""
    drift = []
    for beta in (0, 5):
        run = tmp_path / f"run-{beta}"
        mpirun(1, triad, "run", write(tmp_path, "hd", f"beta = {beta}", 'u = "-sin(y) + 0.5*cos(2*y + x)"\nv = "sin(2*x) - 0.25*cos(2*y + x)"',
                                      [24, 24, 1], 1, 0.01), "--dir", run, expect=0)
        names, *rows = [line.split(",") for line in (run / "series.csv").read_text().splitlines() if not line.startswith("#")]
        for column in ("energy", "enstrophy"):
            i = names.index(column)
            drift.append(abs(float(rows[-1][i]) / float(rows[0][i]) - 1))
    assert max(drift) < 1e-8, drift
    record("hd-plane", max(drift))


def test_beta_limits_the_step_by_its_fastest_wave(triad, mpirun, tmp_path):
    case = write(tmp_path, "hd", "beta = 1000", 'u = "1e-9*sin(y)"\nv = "0"\n', [16, 16, 1], 0.02, 0)
    mpirun(1, triad, "run", case, "--dir", tmp_path / "run", expect=0)
    steps = [float(row.split(",")[2]) for row in outputs.rows(tmp_path / "run")[2:]]
    assert 0 < max(steps) <= 1.8 / 1000, "stable for rk4 up to omega dt = 2.8, the case asks for cfl 0.5"


@pytest.mark.parametrize("n, ok", [("[16, 16, 1]", True), ("[16, 16, 16]", False), ("[16, 1, 16]", False)])
def test_beta_wants_the_plane_of_x_and_y(triad, mpirun, tmp_path, n, ok):
    case = write(tmp_path, "hd", "beta = 1", 'u = "0"\nv = "0"\n', n)
    said = mpirun(1, triad, "case", "--check", case, expect=0 if ok else 65)
    assert ok or "case.toml:4" in said.stderr + said.stdout and "equations.beta requires a flow in the x-y plane" in said.stderr + said.stdout


def test_energy_of_the_ready_case_flows_to_large_scales(triad, mpirun, tmp_path):
    """runs/inverse-cascade on fewer points: past wavenumbers below the force the energy flows up, as much of it as goes into the
    plane, half of the power, less what the drag has not taken yet; the budget closes."""
    run, power = tmp_path / "run", 0.2
    sets = [word for s in ("grid.n=[64,64,1]", "forcing.k_range=[9.5,10.5]", "time.end=25", "equations.hyperviscosity=1e-10",
                           "output.spectra_interval=2.5", "output.slices_interval=0") for word in ("--set", s)]
    mpirun(1, triad, "run", ROOT / "runs/inverse-cascade/case.toml", "--dir", run, *sets, expect=0)
    flux, energy = [], []
    for path in sorted((run / "spectra").glob("*.h5"))[3:]:
        with h5py.File(path) as file:
            k = file["k"][()]
            flux.append(file["Pi"][()])
            energy.append(file["E"][()])
    flux, energy = np.mean(flux, axis=0), np.mean(energy, axis=0)
    below = flux[(k >= 4) & (k <= 8)]
    assert (below < 0).all() and -0.75 * power < below.mean() < -0.25 * power
    assert energy[k < 9].sum() > energy[k > 9].sum(), "though all of it comes in at k = 10"
    names, *rows = [line.split(",") for line in (run / "series.csv").read_text().splitlines() if not line.startswith("#")]
    column = {name: np.array([float(row[i]) for row in rows]) for i, name in enumerate(names) if name in ("t", "energy", "injection", "dissipation", "divergence")}
    assert column["injection"][1:] == pytest.approx(power, rel=1e-9) and column["divergence"].max() < 1e-11
    t, lost = column["t"], column["dissipation"]
    spent = float(((lost[1:] + lost[:-1]) / 2 * np.diff(t)).sum())
    # the trapezoidal rule over rows 0.1 apart
    assert column["energy"][-1] - column["energy"][0] == pytest.approx(power * t[-1] - spent, rel=0.02)
