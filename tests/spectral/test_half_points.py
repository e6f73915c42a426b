"""Modes with a component at half the points of an even axis, where every mode is kept (grid.truncation "none", `triad spectra` of
files, compressible flow): their size is pi/h, by which shells, bands, starts, forces and damping choose; their derivative is 0."""

import io

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH, case
from outputs import sets

GRIDS = [(8, 6, 10), (8, 9, 12), (7, 9, 5)]  # x, y, z: even, one odd axis, odd
NONE = 'truncation = "none"'
FILES = "series_interval = 0\nspectra_interval = 100\nfields_interval = 100\nslices = []\ntransfer = false\n"
# the keys of [equations], the state, and for each name the fields whose squares, times a factor of k^2, a spectrum adds up
SETS = {"hd": ("viscosity = 0.01", "u v w", {"E": ("uvw", 0.5)}),
        "boussinesq": ("viscosity = 0.01\ndiffusivity = 0.01\nbuoyancy_frequency = 1.0", "u v w theta",
                       {"E_kinetic": ("uvw", 0.5), "E_potential": (["theta"], 0.5)}),
        "mhd": ("viscosity = 0.01\nresistivity = 0.01", "u v w bx by bz",
                {"E_kinetic": ("uvw", 0.5), "E_magnetic": (["bx", "by", "bz"], 0.5)}),
        "gpe": ("healing_length = 0.5", "psi_re psi_im", {"mass": (["psi_re", "psi_im"], 1)})}


def wavenumbers(shape, length=LENGTH):
    """By size, of a field (z, y, x): kx, ky, kz."""
    axes = [2 * np.pi / l * np.fft.fftfreq(n, 1 / n) for n, l in zip(shape, length[::-1])]
    return np.meshgrid(*axes, indexing="ij")[::-1]


def square(fields):
    return sum(abs(np.fft.fftn(f, norm="forward"))**2 for f in fields)


def bins(width, k, weights, count):
    """[round(k/width)] sums, of which none may lie beyond `count`."""
    number = np.floor(k / width + 0.5).astype(int).ravel()
    assert number.max() < count
    return np.bincount(number, weights.ravel(), count)


def shells(fields, count, factor=lambda k2: 1, length=LENGTH):
    k2 = sum(k * k for k in wavenumbers(fields[0].shape, length))
    width = 2 * np.pi / max(l for l, n in zip(length, fields[0].shape[::-1]) if n > 1)
    return bins(width, np.sqrt(k2), factor(k2) * square(fields), count)


def at_half(shape):
    """Which modes have a component at n/2."""
    return np.any(np.meshgrid(*(2 * np.abs(np.fft.fftfreq(n, 1 / n)) == n for n in shape), indexing="ij"), axis=0)


def noise(path, n, names, seed=7):
    draw = np.random.default_rng(seed)
    with h5py.File(path, "w") as f:
        for name in names.split():
            f[name] = draw.standard_normal(n[::-1])
    return path


def table_of(text):
    values = np.genfromtxt(io.StringIO("\n".join(line for line in text.splitlines() if line and line[0] != "#")), delimiter=",", names=True)
    return {name: values[name] for name in values.dtype.names}


@pytest.fixture
def run(mpirun, triad, tmp_path):
    """run(solver, keys, n, ..): the folder of a run, whose box has unequal sides."""
    count = [0]

    def of(solver, keys, n, start, end=0.0, dt=0.01, output=FILES, ranks=1, more="", length=None, expect=0):
        count[0] += 1
        folder = tmp_path / f"run{count[0]}"
        (tmp_path / "case.toml").write_text(case(solver, keys, n, output, start, end, dt, NONE) + more)
        of.result = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", folder, *sets(**({"grid__length": length} if length else {})),
                           expect=expect)
        return folder
    return of


def fields_of(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return {name: f[name][:] for name in f if isinstance(f[name], h5py.Dataset) and f[name].ndim == 3}


@pytest.mark.parametrize("n", GRIDS)
@pytest.mark.parametrize("solver", SETS)
def test_spectra_are_those_of_a_library_transform_in_runs_and_of_files(run, mpirun, triad, tmp_path, solver, n):
    keys, names, sums = SETS[solver]
    ranks = 3 if n == GRIDS[1] else 1
    source = noise(tmp_path / "noise.h5", n, names)
    folder = run(solver, keys, n, f'kind = "file"\nfile = "{source}"', ranks=ranks, output=FILES + 'spectra_axis = "x"\n')
    f = fields_of(folder)
    kx, ky, kz = wavenumbers(n[::-1])
    result = mpirun(ranks, triad, "spectra", *(folder / "fields").glob("*.h5"), expect=0)
    of_file = table_of(result.stdout)
    with h5py.File(*(folder / "spectra").glob("*.h5")) as s:
        for name, (parts, half) in sums.items():
            square_of, count = half * square([f[p] for p in parts]), len(s["k"])
            tolerance = dict(rtol=1e-12, atol=1e-13 * square_of.sum(), err_msg=name)
            want = half * shells([f[p] for p in parts], count)
            np.testing.assert_allclose(s[name][:], want, **tolerance)
            np.testing.assert_allclose(of_file[name], want, **tolerance)
            rings, planes = len(s["k_perp"]), len(s["k_par"])
            np.testing.assert_allclose(s[name + "_perp"][:], bins(2 * np.pi / LENGTH[2], np.hypot(ky, kz), square_of, rings), **tolerance)
            np.testing.assert_allclose(s[name + "_par"][:], bins(2 * np.pi / LENGTH[0], abs(kx), square_of, planes), **tolerance)
        if solver == "gpe":  # 2 alpha^2 k^2 |psi|^2, alpha = c xi/sqrt 2, as the Laplacian turns psi
            want = shells([f["psi_re"], f["psi_im"]], len(s["k"]), lambda k2: 0.25 * k2)
            np.testing.assert_allclose(s["E_kinetic"][:], want, rtol=1e-12, atol=1e-13 * want.sum())


@pytest.mark.parametrize("start, law", [
    ("wavenumber = 2", lambda s: (s / 2)**4 * np.exp(-2 * (s / 2)**2) * (s <= 8)),
    ('spectrum = "power-law"\nslope = -1.5\nk_range = [1, 3]', lambda s: np.where((s >= 1) & (s <= 3), np.maximum(s, 1)**-1.5, 0))],
    ids=["gaussian", "power-law"])
def test_random_starts_have_their_spectrum_and_nothing_at_half_the_points(run, start, law):
    n = (16, 12, 14)
    f = fields_of(run("mhd", SETS["mhd"][0], n, f'kind = "random"\n{start}\nenergy = 0.7\nmagnetic_energy = 0.3', ranks=3))
    for parts, energy in ("uvw", 0.7), (["bx", "by", "bz"], 0.3):
        fields = [f[p] for p in parts]
        got = shells(fields, 40) / 2
        want = law(np.arange(40.0)) * (got > 1e-25)  # shells that the grid has modes in
        np.testing.assert_allclose(got, energy * want / want.sum(), rtol=1e-12, atol=1e-15)
        assert square(fields)[at_half(n[::-1])].max() < 1e-28


BAND = "k_range = [1, 2]\n"


@pytest.mark.parametrize("solver", ["hd", "boussinesq", "mhd"])
@pytest.mark.parametrize("kind", ["random", "ornstein-uhlenbeck"])
def test_random_forces_act_in_their_band_alone(run, solver, kind):
    n, keys = (8, 8, 8), {"random": "power = 1.0", "ornstein-uhlenbeck": "power = 1.0\ncorrelation_time = 0.5"}[kind]
    f = fields_of(run(solver, SETS[solver][0], n, 'kind = "rest"', end=1e-3, dt=1e-3, length=["2pi"] * 3,
                      output=FILES.replace("fields_interval = 100", "fields_interval = 1e-3"),
                      more=f'[forcing]\nkind = "{kind}"\n{BAND}{keys}\n'))
    power = square([f[p] for p in "uvw"])
    k = np.sqrt(sum(q * q for q in wavenumbers(n, [2 * np.pi] * 3)))
    inside = (k >= 1 - 1e-9) & (k <= 2 + 1e-9)
    assert power.sum() > 1e-6 and (power[inside] > 1e-12 * power.sum()).all()
    assert power[~inside].sum() < 1e-7 * power.sum()  # what a step's nonlinear term makes of it


@pytest.mark.parametrize("kind, keys", [("constant-power", "power = 0.3"), ("constant-energy", "energy = 0.4")])
def test_forces_along_the_field_leave_half_the_points_alone(run, kind, keys):
    """v of x and z alone is carried nowhere by itself: only the force changes it. cos z is in the band, cos(8x) cos z is not."""
    start = 'kind = "formula"\nv = "0.5*cos(z) + 0.25*cos(8*x)*cos(z)"'
    n, end = (16, 4, 16), 0.1
    f = fields_of(run("hd", "viscosity = 0", n, start, end=end, dt=0.01, length=["2pi"] * 3, more=f'[forcing]\nkind = "{kind}"\n{BAND}{keys}\n',
                      output=FILES.replace("fields_interval = 100", f"fields_interval = {end}")))
    modes = np.fft.fftn(f["v"], norm="forward")
    assert abs(modes[1, 0, 8].real - 0.125) < 1e-14  # cos(8x) is its own mirror image: 0.25/2
    energy = 2 * abs(modes[1, 0, 0])**2 / 2
    want = 0.5**2 / 4 + 0.3 * end if kind == "constant-power" else 0.4
    assert abs(energy - want) < 1e-6 * want  # a power that is constant to the order of the step


POINTS = """[equations]
solver = "{solver}"
{keys}
[grid]
n = {n}
length = {length}
[initial]
{start}
[time]
end = 1e-3
dt = 1e-3
[output]
fields_interval = 1e-3
spectra_interval = 1e-3
slices = []
"""


def test_noise_of_a_gas_leaves_half_the_points_alone(mpirun, triad, tmp_path):
    """Along z the band holds waves of 2 periods on 4 points."""
    text = POINTS.format(solver="compressible", keys="", n=[8, 8, 4], length=[2 * np.pi] * 3, start='kind = "uniform"')
    (tmp_path / "case.toml").write_text(text + f'[forcing]\nkind = "ornstein-uhlenbeck"\n{BAND}correlation_time = 0.5\n')
    mpirun(2, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    f = fields_of(tmp_path / "run")
    power = square([f[p] for p in "uvw"])
    k = np.sqrt(sum(q * q for q in wavenumbers((4, 8, 8), [2 * np.pi] * 3)))
    inside = (k >= 1 - 1e-9) & (k <= 2 + 1e-9) & ~at_half((4, 8, 8))
    assert power.sum() > 0 and power[~inside].sum() < 1e-5 * power.sum()


@pytest.mark.parametrize("solver, keys", [("compressible", ""), ("staggered", "viscosity = 0.01")])
def test_spectra_of_files_of_points_are_those_of_their_velocities(mpirun, triad, tmp_path, solver, keys):
    n, names = [8, 9, 12], "rho u v w p" if solver == "compressible" else "u v w"
    noise(tmp_path / "noise.h5", n, names)
    with h5py.File(tmp_path / "noise.h5", "a") as f:
        for name in ("rho", "p"):
            if name in f:
                f[name][:] = 10 + 0.1 * f[name][:]
    text = POINTS.format(solver=solver, keys=keys, n=n, length=list(LENGTH), start=f'kind = "file"\nfile = "{tmp_path}/noise.h5"')
    (tmp_path / "case.toml").write_text(text)
    mpirun(3, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    table = table_of(mpirun(1, triad, "spectra", sorted((tmp_path / "run/fields").glob("*.h5"))[-1], expect=0).stdout)
    f = fields_of(tmp_path / "run")
    weight = np.sqrt(f["rho"]) if solver == "compressible" else 1   # of a gas: so that the sum is the kinetic energy
    want = shells([weight * f[p] for p in "uvw"], len(table["k"])) / 2
    np.testing.assert_allclose(table["E"], want, rtol=1e-12, atol=1e-13 * want.sum())
    if solver == "compressible":
        want_u = shells([f[p] for p in "uvw"], len(table["k"])) / 2
        np.testing.assert_allclose(table["E_u"], want_u, rtol=1e-12, atol=1e-13 * want_u.sum())
        with h5py.File(sorted((tmp_path / "run/spectra").glob("*.h5"))[-1]) as s:
            for name in ("E", "E_u"):
                np.testing.assert_allclose(s[name][:], table[name], rtol=1e-12, atol=1e-13 * want.sum())


def test_damping_acts_by_size(run):
    """v = cos(8x) cos(3z) + cos(8x) of 16 points decays by k^2 = 73 and 64, and by k^4; dissipation is that of these rates."""
    a, b, nu, hyper, end = 73.0, 64.0, 0.01, 1e-5, 0.2
    folder = run("hd", f"viscosity = {nu}\nhyperviscosity = {hyper}\nhyperviscosity_order = 2\nscalars = [0.02]", (16, 4, 16),
                 'kind = "formula"\nv = "cos(8*x)*cos(3*z) + cos(8*x)"\nscalars = ["cos(8*x)"]', end=end, dt=0.01, length=["2pi"] * 3,
                 output=FILES.replace("fields_interval = 100", f"fields_interval = {end}"))
    rate = [nu * k2 + hyper * k2**2 for k2 in (a, b)]
    f, s = fields_of(folder), outputs.series(folder)
    x, z = 2 * np.pi * np.arange(16) / 16, 2 * np.pi * np.arange(16) / 16
    want = np.cos(8 * x) * (np.cos(3 * z)[:, None] * np.exp(-rate[0] * end) + np.exp(-rate[1] * end))
    np.testing.assert_allclose(f["v"][:, 0, :], want, atol=1e-13)
    np.testing.assert_allclose(f["scalar1"][:, 0, :], np.exp(-0.02 * b * end) * np.cos(8 * x)[None, :] * np.ones((16, 1)), atol=1e-13)
    # mean v^2 = 1/2 and 1, since cos(8x) is 1 or -1 at the points
    assert abs(s["energy"][0] - 0.75) < 1e-14
    assert abs(s["dissipation"][0] / (rate[0] * 0.5 + rate[1]) - 1) < 1e-13
    assert abs(s["enstrophy"][0] / (0.25 * 9) - 1) < 1e-13  # of a curl, whose derivative along x is 0


def test_a_superfluid_turns_by_size(run):
    """A faint psi = cos(8x) turns at alpha 64 - mu, alpha = c xi/sqrt 2, mu = c/(xi sqrt 2); its kinetic energy is 2 alpha^2 64 |psi|^2."""
    xi, end, size = 0.5, 0.1, 1e-4
    folder = run("gpe", f"healing_length = {xi}\ndensity = 1.0", (16, 4, 4), f'kind = "formula"\npsi_re = "{size}*cos(8*x)"\npsi_im = "0"',
                 end=end, dt=0.0005, length=["2pi"] * 3, output=FILES.replace("fields_interval = 100", f"fields_interval = {end}"))
    f = fields_of(folder)
    psi = f["psi_re"][0, 0, 0] + 1j * f["psi_im"][0, 0, 0]
    angle = (xi / np.sqrt(2) * 64 - 1 / (xi * np.sqrt(2))) * end
    assert abs(psi / size - np.exp(-1j * angle)) < 1e-6
    assert abs(outputs.series(folder)["kinetic_energy"][0] / (2 * xi**2 / 2 * 64 * size**2) - 1) < 1e-12


def test_buoyancy_moves_what_changes_sign_from_point_to_point(run):
    """theta = cos(8x) and w exchange their energy at the frequency N: no gradient of a pressure balances them."""
    end, f = 0.3, 2.0
    folder = run("boussinesq", f"viscosity = 0\ndiffusivity = 0\nbuoyancy_frequency = {f}", (16, 4, 4), 'kind = "formula"\ntheta = "cos(8*x)"',
                 end=end, dt=0.005, length=["2pi"] * 3, output=FILES.replace("fields_interval = 100", f"fields_interval = {end}"))
    got = fields_of(folder)
    sign = np.cos(8 * 2 * np.pi * np.arange(16) / 16)
    np.testing.assert_allclose(got["theta"][0, 0], np.cos(f * end) * sign, atol=1e-8)
    np.testing.assert_allclose(got["w"][0, 0], -np.sin(f * end) * sign, atol=1e-8)


@pytest.mark.parametrize("start, words", [('kind = "taylor-green"\nwavenumber = 8', "n/2"), ('kind = "abc"\nwavenumber = 8', "n/2")])
def test_named_flows_at_half_the_points_are_refused(run, start, words):
    run("hd", "viscosity = 0.01", (16, 16, 16), start, length=["2pi"] * 3, expect=65)
    assert words in run.result.stderr
