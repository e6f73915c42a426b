"""A mean shear: single modes and small flows against independent integrations, remeshing, restarts, files, refusals."""

import sys

import h5py
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import outputs
from conftest import ROOT
from verification import record

sys.path.insert(0, str(ROOT / "tools"))

S, NU = 1.3, 0.01
LENGTH = np.array([3.0, 2.0, 2.5])
PERIOD = LENGTH[0] / LENGTH[1] / S   # between remeshes
HEAD = """[equations]
solver = "{solver}"
viscosity = {nu}
shear = {shear}
{equations}
[grid]
n = {n}
length = {length}
{grid}
[initial]
{initial}
[time]
end = {end}
scheme = "rk4"
dt = {dt}
[output]
series_interval = {every}
spectra_interval = 0
report = false
{output}
"""
SETS = {"hd": "drag = 0.05\nrotation = [0.2, 0, 0.4]\nscalars = [0.02]\nscalar_gradients = [0, 0.7, 0.3]",
        "boussinesq": "diffusivity = 0.02\nbuoyancy_frequency = 0.8",
        "boussinesq-y": "diffusivity = 0.02\nbuoyancy_frequency = 0.8\nvertical = \"y\"",
        "mhd": "resistivity = 0.02\nmean_field = [0.3, 0, 0.5]"}
NOISE = 'kind = "random"\nspectrum = "power-law"\nslope = 0\nk_range = [1, 20]\nenergy = {energy}'


def case(solver="hd", *, nu=NU, shear=S, equations="", n=(16, 16, 16), length=tuple(LENGTH), grid="", initial=NOISE.format(energy=0.5),
         end=1.0, dt=0.01, every=0.5, output=""):
    return HEAD.format(solver=solver.removesuffix("-y"), nu=nu, shear=shear, equations=equations, n=list(n), length=list(length), grid=grid, initial=initial,
                       end=end, dt=dt, every=every, output=output)


# ---- linear: every mode by itself ----

def rates(solver, t, k0, y):
    """d/dt of the fields y [field][mode] of modes whose wavenumber at t = 0 is k0 [3][mode], without products."""
    k = np.array([k0[0], k0[1] - S * t * k0[0], k0[2]])
    k2 = (k**2).sum(0)
    u, v, w = y[:3]
    a = np.array([-S * v, 0 * v, 0 * v])
    out = np.zeros_like(y)
    drag = 0
    if solver == "hd":
        drag = 0.05
        a -= 2 * np.array([-0.4 * v, 0.4 * u - 0.2 * w, 0.2 * v])
        out[3] = -0.7 * v - 0.3 * w - 0.02 * k2 * y[3]
    elif solver.startswith("boussinesq"):
        up = 1 if solver == "boussinesq-y" else 2
        a[up] -= 0.8 * y[3]
        out[3] = 0.8 * y[up] - 0.02 * k2 * y[3]
    else:
        along = 1j * (0.3 * k[0] + 0.5 * k[2])
        a += along * y[3:]
        out[3:] = along * y[:3] - 0.02 * k2 * y[3:]
        out[3] += S * y[4]
    # k.u = 0 at all times: k.du/dt = -dk/dt.u = S kx v
    out[:3] = a - k * ((k * a).sum(0) - S * k[0] * v) / k2 - (NU * k2 + drag) * y[:3]
    return out


def integrate(solver, k0, y, end):
    shape = y.shape
    flat = solve_ivp(lambda t, f: rates(solver, t, k0, f.reshape(shape)).ravel(), (0, end), y.astype(complex).ravel(), method="DOP853",
                     rtol=1e-10, atol=1e-14 * abs(y).max())
    return flat.y[:, -1].reshape(shape)


def names(m):
    return [f for f in ("u", "v", "w", "theta", "bx", "by", "bz", "scalar1") if f in m]


@pytest.mark.parametrize("solver", ["hd", "boussinesq", "boussinesq-y", "mhd"])
def test_each_mode_of_weak_noise_is_that_of_rapid_distortion(run_case, solver):
    """Across two remeshes, on four ranks: modes that are kept throughout, at the wavenumbers of their time."""
    end, dt = 2.1 * PERIOD, PERIOD / 160
    extra = "potential_energy = 1e-18" if solver.startswith("boussinesq") else "magnetic_energy = 1e-18" if solver == "mhd" else "scalar_variance = 1e-18"
    run = run_case(case(solver, equations=SETS[solver], n=(12, 12, 12), initial=NOISE.format(energy=1e-18) + "\n" + extra, end=end, dt=dt,
                        every=end, output=f"keep = 100\ncheckpoint_interval = {end}"), ranks=4, **{"parallel.split": [2, 2]})
    first, last = [outputs.modes(c) for c in (run_start(run_case, solver, extra), outputs.checkpoints(run)[-1])]
    turns = 2
    kept, start = [], []
    now = {f: outputs.by_wavenumber(last, f) for f in names(last)}
    was = {f: outputs.by_wavenumber(first, f) for f in names(first)}
    for nx, ny, nz in now["u"]:
        ks = [(nx, ny + nx * turns, nz), (nx, ny + nx, nz), (nx, ny, nz)]
        if all(sum((k / 3)**2 for k in kk) <= 1 for kk in ks):   # K = 3 for 12 points
            kept.append((nx, ny, nz))
            start.append(ks[0])
    assert len(kept) > 15 and any(k[0] > 0 for k in kept) and any(k[0] == 2 for k in kept)
    k0 = 2 * np.pi * np.array(start).T / LENGTH[:, None]
    y0 = np.array([[mode(was[f], k) for k in start] for f in names(first)])
    want = integrate(solver, k0, y0, end)
    have = np.array([[mode(now[f], k) for k in kept] for f in names(last)])
    error = abs(have - want).max() / abs(want).max()
    record(f"{solver}-shear-rapid", error)
    # modes that enter the kept ones were 0 at the last remesh, at t = 1.5 periods, and linear terms do not fill them
    entered = [(nx, ny, nz) for nx, ny, nz in now["u"] if nx > 0 and sum((k / 3)**2 for k in (nx, ny + nx, nz)) > 1]
    assert not entered or max(abs(now["u"][k]) for k in entered) < 1e-6 * abs(have).max()


def test_gravity_along_y_is_gravity_along_z_on_turned_axes(run_case):
    """x, y, z of the one are z, x, y of the other: columns, steps and spectra agree, with rotation and without shear."""
    wave = {"u": "sin({x} + 2*{y}) + cos({z})", "v": "cos({x} + 2*{y})*0 + sin({z} + {x})", "w": "sin({x} - {y})", "theta": "cos({y} + {z}) + sin({x})"}
    runs = []
    for vertical, axes, fields, rotation in (("z", "xyz", ("u", "v", "w", "theta"), [0.3, 0.7, -0.4]), ("y", "zxy", ("v", "w", "u", "theta"), [0.7, -0.4, 0.3])):
        at = dict(zip("xyz", axes))
        initial = 'kind = "formula"\n' + "\n".join(f'{new} = "{wave[old].format(**at)}"' for new, old in zip(("u", "v", "w", "theta"), fields))
        runs.append(run_case(case("boussinesq", shear=0, n=(12, 12, 12), length=(2 * np.pi,) * 3, end=0.6, dt=0, every=0.2, initial=initial,
                                  equations=f'diffusivity = 0.02\nbuoyancy_frequency = 4\nvertical = "{vertical}"\nrotation = {rotation}')
                             .replace("dt = 0", "cfl = 0.5").replace("spectra_interval = 0", "spectra_interval = 0.6")))
    a, b = map(outputs.series, runs)
    assert len(a["t"]) == len(b["t"]) and np.allclose(a["dt"], b["dt"], rtol=1e-12)
    for name in ("energy", "kinetic_energy", "potential_energy", "buoyancy_flux", "dissipation", "helicity"):
        assert np.allclose(a[name], b[name], rtol=1e-11, atol=1e-13), name
    assert abs(a["buoyancy_flux"]).max() > 0.1
    for (_, p), (_, q) in zip(*map(outputs.spectra, runs)):
        assert all(np.allclose(p[name], q[name], rtol=1e-10, atol=1e-13) for name in ("E", "buoyancy_flux"))


def mode(table, k):
    if k in table:
        return table[k]
    return np.conj(table.get(tuple(-x for x in k), 0))


def run_start(run_case, solver, extra):
    run = run_case(case(solver, equations=SETS[solver], n=(12, 12, 12), initial=NOISE.format(energy=1e-18) + "\n" + extra, end=1e-9,
                        dt=1e-9))
    return outputs.checkpoints(run)[-1]


# ---- nonlinear: a small flow by an independent program ----

K = 3   # of 12 points


def kept_labels(n=12):
    k = np.fft.fftfreq(n, 1 / n)
    return np.array(np.meshgrid(k, k, k, indexing="ij"))   # [axis][x][y][z]


def cube(m, n=12):
    """Modes of a checkpoint as [field][x][y][z] with all wavenumbers."""
    out = np.zeros((3, n, n, n), complex)
    for i, f in enumerate("uvw"):
        for k, value in outputs.by_wavenumber(m, f).items():
            out[(i, *k)] = value
            out[(i, *(-x for x in k))] = np.conj(value)
    return out


def reference(y, steps, dt, nu):
    """Rogallo's frame with u_i u_j at points, Runge-Kutta of order 4 without an integrating factor, in half steps."""
    labels = kept_labels()
    mask = (labels**2).sum(0) <= K**2 + 1e-9
    base = 2 * np.pi * labels / LENGTH[:, None, None, None]
    lost, turns = 0, 0

    def rate(t, y):
        k = base.copy()
        k[1] -= (S * t - turns * LENGTH[0] / LENGTH[1]) * base[0]
        k2 = (k**2).sum(0)
        u = np.fft.ifftn(y, axes=(1, 2, 3)).real * 12**3
        a = np.zeros_like(y)
        for i in range(3):
            for j in range(3):
                a[i] -= 1j * k[j] * np.fft.fftn(u[i] * u[j]) / 12**3
        a[0] -= S * y[1]
        a *= mask
        pull = ((k * a).sum(0) - S * k[0] * y[1]) / np.where(k2 > 0, k2, 1)
        return a - k * pull - nu * k2 * y

    h = dt / 2
    for step in range(steps):
        for t in (step * dt, step * dt + h):
            a = rate(t, y)
            b = rate(t + h / 2, y + h / 2 * a)
            c = rate(t + h / 2, y + h / 2 * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + rate(t + h, y + h * c))
        if S * (step + 1) * dt - turns * LENGTH[0] / LENGTH[1] > LENGTH[0] / LENGTH[1] / 2:
            turns += 1
            moved = np.zeros_like(y)
            for nx, ny, nz in np.argwhere(mask):
                k = [int(labels[axis][nx, ny, nz]) for axis in range(3)]
                k[1] -= k[0]
                if sum(x * x for x in k) <= K**2:
                    moved[:, k[0], k[1], k[2]] = y[:, nx, ny, nz]
            lost += (abs(y)**2).sum() / 2 - (abs(moved)**2).sum() / 2
            y = moved
    return y, lost


@pytest.fixture
def sheared(run_case):
    """140 steps across a remesh, its start, and its series."""
    text = case(n=(12, 12, 12), nu=0.05, dt=PERIOD / 200, end=0.7 * PERIOD, every=0)
    start = run_case(case(n=(12, 12, 12), nu=0.05, dt=1e-9, end=1e-9))
    return start, run_case(text)


def test_products_remesh_and_budget_are_those_of_an_independent_program(sheared):
    start, run = sheared
    want, lost = reference(cube(outputs.modes(start)), 140, PERIOD / 200, 0.05)
    have = cube(outputs.modes(run))
    error = abs(have - want).max() / abs(want).max()
    record("hd-shear-products", error)
    s = outputs.series(run)
    assert s["remesh_loss"][-1] == pytest.approx(lost, rel=1e-6) and lost > 0
    assert s["mean_uv"][-1] == pytest.approx((have[0].conj() * have[1]).sum().real, rel=1e-9)
    assert abs(s["divergence"]).max() < 1e-12
    # dE/dt = injection - dissipation between remeshes, by an integral of sixth order over rows
    from triad_plot.compute.balance import integrals
    before = s["t"] < 0.49 * PERIOD
    t, gain, e = s["t"][before], (s["injection"] - s["dissipation"])[before], s["energy"][before]
    left = abs(e[-1] - e[0] - integrals(t, gain, 5).sum())
    assert left < 1e-6 * integrals(t, abs(gain), 5).sum()
    assert np.array_equal(s["injection"], s["shear_production"])
    # and across it, with the energy that it drops
    lost = integrals(s["t"], s["dissipation"], 3).sum()
    assert s["energy"][-1] - s["energy"][0] == pytest.approx(s["work_done"][-1] - lost, abs=1e-4 * s["energy"][0])


def test_columns_of_a_magnetic_field_close_its_budget(run_case):
    """d(magnetic_energy)/dt = magnetic_production + S mean_bxby - joule_dissipation, by an integral of sixth order over rows."""
    from triad_plot.compute.balance import integrals
    initial = NOISE.format(energy=0.5) + "\nmagnetic_energy = 0.3"
    run = run_case(case("mhd", nu=0.05, n=(12, 12, 12), equations="resistivity = 0.05\nmean_field = [0.3, 0, 0.5]", initial=initial,
                        dt=PERIOD / 200, end=0.2 * PERIOD, every=0))
    s, m = outputs.series(run), outputs.modes(run)
    bx, by = (outputs.by_wavenumber(m, name) for name in ("bx", "by"))
    both = set(bx) | {tuple(-x for x in k) for k in bx}
    assert s["mean_bxby"][-1] == pytest.approx(sum((np.conj(mode(bx, k)) * mode(by, k)).real for k in both), rel=1e-9)
    gain = s["magnetic_production"] + S * s["mean_bxby"] - s["joule_dissipation"]
    whole = integrals(s["t"], abs(gain), 5).sum()
    assert abs(s["magnetic_energy"][-1] - s["magnetic_energy"][0] - integrals(s["t"], gain, 5).sum()) < 1e-6 * whole
    assert abs(S * s["mean_bxby"]).max() > 0.01 * abs(gain).max()
    text = (run / "series.csv").read_text()
    assert "magnetic_production + S mean_bxby - joule_dissipation" in text and "Alfven waves and the mean shear" in text


def test_injection_of_an_unstable_stratification_keeps_its_formula(run_case):
    run = run_case(case("boussinesq", equations='buoyancy_frequency = 0.8\nstratification = "unstable"', end=0.02))
    s, text = outputs.series(run), (run / "series.csv").read_text()
    assert np.allclose(s["injection"], s["shear_production"] + 2 * s["buoyancy_flux"], rtol=1e-12, atol=0)
    (line,) = [line for line in text.splitlines() if line.startswith("# injection")]
    assert "2 buoyancy_flux" in line
    (line,) = [line for line in text.splitlines() if line.startswith("# work_done")]
    assert "work of the mean shear" in line


def test_phase_shifts_give_the_products_of_a_finer_grid(run_case):
    text = case(end=0.7 * PERIOD, dt=PERIOD / 40, every=0.1)
    fine = run_case(text, grid__n=[24, 24, 24], grid__radius=6)
    shifted = run_case(text, grid__n=[16, 16, 16], grid__radius=6, grid__dealiasing="phase-shift", grid__shifts="exact")
    assert outputs.series(fine)["energy"][-1] == pytest.approx(outputs.series(shifted)["energy"][-1], rel=1e-12)


# ---- one Kelvin mode, in closed form ----

def kelvin(t, n=(1, 2, 1), v0=1.0, u0=0.3):
    """k(t) and the amplitude (u, v, w) of a mode with k.u = 0 (docs/methods/shear.md)."""
    kx, ky, kz = 2 * np.pi * np.array(n) / LENGTH
    w0 = -(kx * u0 + ky * v0) / kz
    h, q = kx**2 + kz**2, ky - S * kx * t
    big, big0 = h + q * q, h + ky * ky
    a = (np.arctan(ky / np.sqrt(h)) - np.arctan(q / np.sqrt(h))) / np.sqrt(h)
    b = ky / big0 - q / big
    d = np.exp(-NU * (big0 * t - S * kx * ky * t**2 + S**2 * kx**2 * t**3 / 3))
    u = u0 + v0 * big0 * (kx**2 * b - kz**2 * a) / (h * kx)
    w = w0 + v0 * big0 * kz * (b + a) / h
    return np.array([kx, q, kz]), np.array([u, v0 * big0 / big, w]) * d


def one_mode():
    _k, amplitude = kelvin(0)
    phase = "cos(2*pi*(x/3 + 2*y/2 + z/2.5))"
    return 'kind = "formula"\n' + "\n".join(f'{f} = "{a:.17g}*{phase}"' for f, a in zip("uvw", amplitude))


@pytest.fixture
def mode_run(run_case):
    end = 1.7 * PERIOD   # after two remeshes, with a skew of -0.3 periods
    return run_case(case(initial=one_mode(), end=end, dt=PERIOD / 100, every=end, output=f'fields_interval = {end}'))


def test_fields_and_spectra_are_those_of_the_moving_mode(mode_run, command):
    k, amplitude = kelvin(1.7 * PERIOD)
    with h5py.File(sorted((mode_run / "fields").glob("*.h5"))[-1]) as f:
        have = np.array([f[name][:] for name in "uvw"])
    z, y, x = np.meshgrid(*(np.arange(16) / 16 * length for length in LENGTH[::-1]), indexing="ij")
    want = amplitude[:, None, None, None] * np.cos(k[0] * x + k[1] * y + k[2] * z)
    error = abs(have - want).max() / abs(want).max()
    record("hd-kelvin-mode", error)
    s = outputs.series(mode_run)
    assert s["shear_skew"][-1] == pytest.approx(-0.3 * LENGTH[0] / LENGTH[1], abs=1e-9) and s["remesh_loss"][-1] < 1e-25
    text = command("spectra", outputs.checkpoints(mode_run)[-1], expect=0).stdout
    table = np.array([[float(x) for x in line.split(",")] for line in text.splitlines() if line[:1].isdigit()])
    shell = round(np.sqrt((k**2).sum()) / (2 * np.pi / 3))
    assert table[shell, 1] == pytest.approx((amplitude**2).sum() / 4, rel=1e-6) and table[:, 1].sum() == pytest.approx(table[shell, 1])


def test_what_cannot_read_leaning_modes_says_so(mode_run, command, run_case):
    checkpoint = outputs.checkpoints(mode_run)[-1]
    at = command.work / "at.csv"
    at.parent.mkdir(exist_ok=True)
    at.write_text("x,y,z\n1,1,1\n")
    assert "lean with a mean shear" in command("query", checkpoint, "--at", at, expect=69).stderr
    fields = sorted((mode_run / "fields").glob("*.h5"))[-1]
    with h5py.File(fields) as f:
        assert f["notes"].attrs["shear_skew"] == pytest.approx(-0.3 * LENGTH[0] / LENGTH[1], abs=1e-9)
    assert "not periodic along y" in command("spectra", fields, expect=65).stderr
    for shear in (0, S):
        start = run_case(case(shear=shear, initial=f'kind = "file"\nfile = "{fields}"'), expect=65)
        assert "leaning fields (skew -0.45), which are not periodic along y" in start.stderr
    first = sorted((mode_run / "fields").glob("*.h5"))[0]   # without skew
    run_case(case(shear=0, initial=f'kind = "file"\nfile = "{first}"', end=0.01))
    still = run_case(case(shear=0, initial=f'kind = "checkpoint"\nfile = "{checkpoint}"'), expect=65)
    assert "sheared flow, whose modes lean" in still.stderr
    # another shear goes on from the same fields
    other = run_case(case(shear=0.4, initial=f'kind = "checkpoint"\nfile = "{checkpoint}"', end=0.01, every=0))
    assert outputs.series(other)["shear_skew"][0] == pytest.approx(outputs.series(mode_run)["shear_skew"][-1])


def test_figures_refuse_leaning_modes_and_curls_of_leaning_fields(mode_run):
    from triad_plot.problem import Absent
    from triad_plot.read import hdf5, planes, space
    fields = sorted((mode_run / "fields").glob("*.h5"))
    for path in (fields[-1], outputs.checkpoints(mode_run)[-1] / "modes.h5"):
        with pytest.raises(Absent, match="skew -0.45"):
            space.opened(str(path), None)
    with pytest.raises(Absent, match="skew -0.45"):
        planes.of_fields(str(fields[-1]), ["vorticity"], ("z", None))
    (speed,) = planes.of_fields(str(fields[-1]), None, ("z", None))
    assert speed.name == "speed" and not speed.fourier
    assert space.opened(str(fields[0]), None).periodic and hdf5.read(fields[0], hdf5.skew_of) == 0


# ---- slices, probes and profiles in the laboratory frame ----

def all_modes(m):
    """Wavenumbers [3][mode] without skew, and amplitudes {field: [mode]}, with the conjugates that are not stored."""
    tables = {f: outputs.by_wavenumber(m, f) for f in "uvw"}
    for table in tables.values():
        table.update({tuple(-i for i in k): np.conj(value) for k, value in table.items()})
    labels = sorted(set().union(*tables.values()))
    return 2 * np.pi * np.array(labels, float).T / LENGTH[:, None], {f: np.array([t.get(k, 0) for k in labels]) for f, t in tables.items()}


def at_points(k, amplitude, *places):
    """The direct sum of modes at points of the laboratory."""
    phase = np.tensordot(k, np.stack(np.broadcast_arrays(*places)), (0, 0))
    return np.tensordot(amplitude, np.exp(1j * phase), (0, 0)).real


def test_slices_probes_and_profiles_are_sums_of_modes_at_points_of_the_laboratory(run_case):
    """A random field after a remesh, skew -0.6; numpy sums the modes of its checkpoint at the wavenumbers of its time."""
    end, at = 0.6 * PERIOD, ["[0.3, 1.7, 0.9]", "[2.9, 0.4, 2.1]", "lattice 2 3 2"]
    output = f"""slices_interval = {end}
slices = ["z=0.7: u, vorticity_z, vorticity_x", "y=1.3: w, vorticity_z, vorticity_x"]
probes = {str(at).replace("'", '"')}
probes_interval = {end}
probes_quantities = ["turn"]
means = ["profiles y"]
means_interval = {end}
means_from = {end}
[[output.quantities]]
name = "turn"
formula = "dx(v) - dy(u)"
unit = "U/L"
"""
    run = run_case(case(n=(12, 10, 12), end=end, dt=PERIOD / 20, every=end, output=output), ranks=2)
    m, skew = outputs.modes(outputs.checkpoints(run)[-1]), outputs.series(run)["shear_skew"][-1]
    assert skew == pytest.approx(-0.4 * LENGTH[0] / LENGTH[1], abs=1e-9)
    k, fields = all_modes(m)
    k[1] -= skew * k[0]
    fields["vorticity_z"] = 1j * (k[0] * fields["v"] - k[1] * fields["u"])
    fields["vorticity_x"] = 1j * (k[1] * fields["w"] - k[2] * fields["v"])
    x, y, z = (np.arange(n) / n * length for n, length in zip((12, 10, 12), LENGTH))
    planes = {1: (x[None, :], y[:, None], 0.7), 2: (x[None, :], 1.3, z[:, None])}
    errors = []
    for number, places in planes.items():
        with h5py.File(sorted((run / "slices").glob(f"slice{number}-*.h5"))[-1]) as f:
            for name in [n for n in f if n in fields]:
                want = at_points(k, fields[name], *places)
                errors.append(abs(np.squeeze(f[name][:]) - want).max() / abs(want).max())
            assert f["notes"].attrs["shear_skew"] == pytest.approx(skew, abs=1e-12)
    assert len(errors) == 6
    places = [[0.3, 1.7, 0.9], [2.9, 0.4, 2.1]] + [[i * 1.5, j * 2 / 3, l * 1.25] for l in range(2) for j in range(3) for i in range(2)]
    want = np.array([at_points(k, fields[f], *np.array(places).T) for f in ("u", "v", "w", "vorticity_z")])
    row = [line for line in (run / "probes.csv").read_text().splitlines() if line[:1].isdigit()][-1].split(",")
    have = np.array([float(v) for v in row[3:]]).reshape(len(places), 4).T
    errors.append(abs(have - want).max() / abs(want).max())
    assert max(errors) < 1e-12, errors
    u, v = (at_points(k, fields[f], x[None, None, :], y[None, :, None], z[:, None, None]) for f in "uv")
    mean, other = u.mean(axis=(0, 2)), v.mean(axis=(0, 2))
    with h5py.File(run / "means.h5") as f:
        assert f.attrs["samples"] == 1
        assert np.allclose(f["mean_u_y"][:], mean, atol=1e-14) and np.allclose(f["cov_u_v_y"][:], (u * v).mean(axis=(0, 2)) - mean * other, atol=1e-14)


# ---- tracers ----

def tracers(run):
    """Positions [row][particle][3] and velocities, in the order of their numbers."""
    with h5py.File(run / "particles" / "a.h5") as f:
        return f["position"][:], f["velocity"][:]


@pytest.mark.parametrize("still", [False, True])
def test_tracers_move_with_the_mean_flow_and_a_kelvin_mode(run_case, still):
    """Across two remeshes and sides of the box, on four ranks: x(t) of the exact velocity, by scipy; at rest x + S y t."""
    end = 1.7 * PERIOD
    output = f'[[particles]]\nname = "a"\ncount = 40\ninterpolation = "spline6"\n'
    run = run_case(case(n=(16, 24, 16), initial='kind = "rest"' if still else one_mode(), end=end, dt=PERIOD / 100, every=end,
                        output=f"particles_interval = {end}\n{output}"), ranks=4, **{"parallel.split": [2, 2]})
    x, v = tracers(run)

    def velocity(t, x):
        k, amplitude = kelvin(t)
        wave = (0 if still else 1) * np.cos(np.tensordot(k, x, (0, 0)))
        return amplitude[:, None] * wave + np.array([S * x[1], 0 * x[1], 0 * x[1]])

    path = solve_ivp(lambda t, y: velocity(t, y.reshape(3, -1)).ravel(), (0, end), x[0].T.ravel(), method="DOP853", rtol=1e-11, atol=1e-11)
    want = path.y[:, -1].reshape(3, -1)
    assert still or (want[1] > LENGTH[1]).any() or (want[1] < 0).any()
    assert abs(x[-1].T - want).max() < (1e-12 if still else 2e-6)
    assert abs(v[-1].T - velocity(end, x[-1].T)).max() < (1e-12 if still else 2e-6)


# ---- the same on any ranks, across restarts ----

@pytest.mark.parametrize("solver", ["hd", "boussinesq", "mhd"])
def test_ranks_and_restarts_about_a_remesh_change_no_bit(run_case, solver):
    text = case(solver, shear=12, equations=SETS[solver], end=100, dt=0, every=0).replace("dt = 0", "cfl = 0.5\nmax_steps = 12")
    whole = run_case(text)
    s = outputs.series(whole)
    remeshed = int(np.flatnonzero(np.diff(s["shear_skew"]) < 0)[0]) + 1
    assert 1 < remeshed < 12 and s["remesh_loss"][-1] > 0
    parts = run_case(text, "--set", f"time.max_steps={remeshed - 1}", ranks=4, **{"parallel.split": [2, 2]})
    parts = run_case(text, "--set", f"time.max_steps={remeshed}", ranks=3, folder=parts)
    parts = run_case(text, ranks=2, threads=2, folder=parts)
    assert (whole / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()
    assert outputs.same_bits(outputs.checkpoints(whole)[-1], outputs.checkpoints(parts)[-1])


def test_the_step_knows_the_moving_wavenumbers(run_case):
    """Its rate is that of the velocities in a file of fields, with the spacings of a skew of 0.7; all are largest at the origin."""
    end = 0.7 / S
    text = case(end=end, every=0, initial=one_mode(), dt=0, output=f"fields_interval = {end}").replace("dt = 0", "cfl = 0.5")
    run = run_case(text)
    s = outputs.series(run)
    with h5py.File(sorted((run / "fields").glob("*.h5"))[-1]) as f:
        u, v, w = (abs(f[name][:]) for name in "uvw")
        skew = f["notes"].attrs["shear_skew"]
    dx, dy, dz = LENGTH / 16
    assert skew == pytest.approx(0.7, abs=1e-9) and s["t"][-1] == pytest.approx(end)
    rate = (u / dx + v * (1 / dy + skew / dx) + w / dz).max()
    assert s["cfl"][-1] / s["dt"][-1] == pytest.approx(rate, rel=1e-9)
    assert rate > 1.1 * (u / dx + v / dy + w / dz).max()
    # dt (rate + S) = 0.5, but for the last step, which ends at the time of the file
    dt, before = s["dt"][1:-2], (s["cfl"] / np.where(s["dt"] > 0, s["dt"], 1))[1:-3]
    assert np.allclose(dt[1:], 0.5 / (before + S), rtol=1e-9)


def test_a_step_that_the_shear_limits_is_said_to_be(run_case):
    run = run_case(case(initial=NOISE.format(energy=1e-18), dt=0).replace("dt = 0", "cfl = 0.5"), "--set", "time.max_steps=2")
    assert "mean shear" in (run / "log.txt").read_text()


def test_points_beyond_the_box_along_y_are_places_of_their_own(command, tmp_path):
    """Fields do not repeat along y in a mean shear: only along x is another point used."""
    (tmp_path / "case.toml").write_text(case(output='probes = ["[9.5, 9.5, 0.7]"]', end=0.01))
    said = command("case", "--check", tmp_path / "case.toml", expect=0).stderr
    assert "x = 9.5 is outside the box" in said and "y = 9.5" not in said


def test_a_vertical_along_y_is_in_the_default_picture(run_case):
    run = run_case(case("boussinesq", shear=0, end=0.01, equations='buoyancy_frequency = 1\nvertical = "y"'))
    assert 'slices = ["z=0"]' in (run / "case.resolved.toml").read_text()


# ---- refused ----

@pytest.mark.parametrize("code, words, values", [
    (65, "the frame moves with the mean flow", dict(equations__mean_velocity=[0.1, 0, 0])),
    (65, "rotation about y", dict(equations__rotation=[0, 0.1, 0])),
    (65, "zero x components", dict(equations__scalars=[0.1], equations__scalar_gradients=[1, 0, 0])),
    (69, "half the number of points", dict(grid__truncation="none")),
    (65, "points along y", dict(grid__n=[16, 1, 16])),
    (65, "defined with gravity along z", dict(equations__solver="boussinesq", equations__vertical="y", initial__kind="taylor-green")),
    (65, "magnetic field along y", dict(equations__solver="mhd", equations__mean_field=[0, 1, 0])),
    (69, "wavenumbers", dict(equations__hyperviscosity=1e-6)),
    (69, "cross this wavenumber", dict(equations__drag=0.1, equations__drag_wavenumber=2)),
    (69, "whistlers", dict(equations__solver="mhd", equations__hall=0.1)),
    (69, "drives the flow", dict(forcing__kind="random")),
    (69, "a plane across x in output.slices", dict(output__slices=["z=0", "x=0"])),
    (69, '"modes" in output.fields', dict(output__fields=["u", "modes 4"])),
    (69, "lines along y", dict(output__structure_functions="log")),
    (69, "not a multiple", dict(output__line_spectra=True)),
    (69, "strain of the mean flow", dict(closure__model="smagorinsky")),
    (69, "points of the frame move along x", dict(output__means=["profiles x"])),
    (69, "supported on CPUs only", dict(parallel__device="gpu"))])
def test_what_a_shear_does_not_go_with_is_refused(run_case, code, words, values):
    result = run_case(case(end=0.01), expect=code, **values)
    if words != "supported on CPUs only" or "CUDA" not in result.stderr:
        assert words in result.stderr, result.stderr


def test_inertial_particles_and_bodies_are_refused(run_case):
    for table in ('[[particles]]\nname = "a"\nkind = "inertial"\nstokes_time = 0.1\ncount = 10\n', '[[bodies]]\nshape = "sphere"\nradius = 0.3\n'):
        assert "not supported with equations.shear" in run_case(case(output=table), expect=69).stderr
