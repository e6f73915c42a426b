"""Files of fields that show what the case names: pressure, vorticity, dissipation, Q, helicity, from their definitions by
Fourier transforms of numpy; on slices the same; as vectors."""

import h5py
import numpy as np
import pytest

from boxes import LENGTH, RANDOM, case
from conftest import ROOT
from outputs import sets

N = (18, 15, 12)
FLUID = ["u", "v", "w", "pressure", "speed", "vorticity", "vorticity_x", "vorticity_y", "vorticity_z", "strain", "dissipation",
         "q", "helicity"]
SETS = {
    "hd": ("viscosity = 0.02\nrotation = [0.3, -0.4, 0.7]", "", FLUID),
    "boussinesq": ("viscosity = 0.02\ndiffusivity = 0.02\nbuoyancy_frequency = 1.7\nrotation = [0, 0.2, 0.5]",
                   "potential_energy = 0.2", [*FLUID, "theta"]),
    "mhd": ("viscosity = 0.02\nresistivity = 0.02\nmean_field = [0.2, 0.1, 0.8]", "",
            ["u", "v", "w", "bx", "by", "bz", "pressure", "current_x", "current_y", "current_z", "magnetic"]),
    "gpe": ("healing_length = 0.5", "", ["psi_re", "psi_im", "density", "phase"]),
}
OUTPUT = """spectra_interval = 0
fields_interval = 0.1
fields = {fields}
slices = ["z=0: {show}", "x=pi: {show}"]
report = false
"""


@pytest.fixture(scope="module")
def run(launcher, triad, tmp_path_factory):
    """run(solver, ..): the folder of a finished run, each made once."""
    made = {}

    def of(solver, precision="double", ranks=2):
        key = (solver, precision, ranks)
        if key not in made:
            made[key] = make(launcher, triad, tmp_path_factory.mktemp("derived"), *key)
        return made[key]
    return of


def make(launcher, triad, folder, solver, precision, ranks):
    keys, initial, fields = SETS[solver]
    show = "density" if solver == "gpe" else "pressure"
    (folder / "case.toml").write_text(case(solver, keys, N, OUTPUT.format(show=show, fields=str(fields).replace("'", '"')),
                                           RANDOM + initial, precision=precision))
    launcher(ranks, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


def last(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return {name: f[name][:].astype(float) for name in f if name not in ("x", "y", "z", "notes", "t", "step")}, dict(f.attrs)


# ---- by definition: derivatives and Poisson's equation by numpy ----

K = np.meshgrid(*(2 * np.pi / LENGTH[i] * np.fft.fftfreq(N[i], 1 / N[i]) for i in (2, 1, 0)), indexing="ij")[::-1]
KEPT = sum((K[i] * LENGTH[i] / (2 * np.pi) / ((N[i] - 1) // 3))**2 for i in range(3)) <= 1 + 1e-9


def slope(f, axis):
    return np.fft.ifftn(1j * K[axis] * np.fft.fftn(f)).real


def curl(v):
    return [slope(v[(i + 2) % 3], (i + 1) % 3) - slope(v[(i + 1) % 3], (i + 2) % 3) for i in range(3)]


def norm(v):
    return np.sqrt(sum(c**2 for c in v))


def pressure(f, solver):
    """lap p = div(forces) - d_i d_j (u_i u_j - B_i B_j + delta_ij |B|^2/2), of the modes that are kept."""
    u = [f[n] for n in "uvw"]
    b = [f["bx"] + 0.2, f["by"] + 0.1, f["bz"] + 0.8] if solver == "mhd" else [0 * u[0]] * 3
    omega = {"hd": (0.3, -0.4, 0.7), "boussinesq": (0, 0.2, 0.5), "mhd": (0, 0, 0)}[solver]
    push = [-2 * c for c in np.cross(omega, np.stack(u, -1)).transpose(3, 0, 1, 2)]
    if solver == "boussinesq":
        push[2] = push[2] - 1.7 * f["theta"]
    right = sum(1j * K[i] * np.fft.fftn(push[i]) for i in range(3))
    for i in range(3):
        for j in range(3):
            stress = u[i] * u[j] - b[i] * b[j] + (i == j) * sum(c**2 for c in b) / 2
            right = right + K[i] * K[j] * np.fft.fftn(stress)
    k2 = sum(k**2 for k in K)
    k2[0, 0, 0] = np.inf
    return np.fft.ifftn(np.where(KEPT, -right / k2, 0)).real


def expected(f, solver):
    if solver == "gpe":
        return {"density": f["psi_re"]**2 + f["psi_im"]**2, "phase": np.arctan2(f["psi_im"], f["psi_re"])}
    u = [f[n] for n in "uvw"]
    if solver == "mhd":
        b = [f[n] for n in ("bx", "by", "bz")]
        return {"pressure": pressure(f, solver), "magnetic": norm(b), **dict(zip(("current_x", "current_y", "current_z"), curl(b)))}
    w = curl(u)
    s2 = sum(((slope(u[i], j) + slope(u[j], i)) / 2)**2 for i in range(3) for j in range(3))
    return {"pressure": pressure(f, solver), "speed": norm(u), "vorticity": norm(w), "vorticity_x": w[0], "vorticity_y": w[1],
            "vorticity_z": w[2], "strain": np.sqrt(2 * s2), "dissipation": 2 * 0.02 * s2, "q": (norm(w)**2 / 2 - s2) / 2,
            "helicity": sum(a * c for a, c in zip(u, w))}


@pytest.mark.parametrize("solver", SETS)
def test_fields_are_what_their_names_say(run, solver):
    f, _ = last(run(solver))
    assert set(f) == set(SETS[solver][2])
    for name, value in expected(f, solver).items():
        # some ten transforms of values of this size: each within a few epsilon times the logarithm of the points
        np.testing.assert_allclose(f[name], value, rtol=0, atol=1e-13 * abs(value).max(), err_msg=name)


def test_in_single_precision_and_on_one_rank_they_are_the_same_to_rounding(run):
    single, _ = last(run("hd", "single", 1))
    double, _ = last(run("hd"))
    for name in FLUID:
        np.testing.assert_allclose(single[name], double[name], rtol=0, atol=2e-6 * abs(double[name]).max(), err_msg=name)


@pytest.mark.parametrize("solver", ["mhd", "gpe"])
def test_slices_show_the_planes_of_the_fields(run, solver):
    folder = run(solver)
    name = "density" if solver == "gpe" else "pressure"
    f, _ = last(folder)
    for number, plane in ((1, f[name][0]), (2, f[name][:, :, 9])):
        with h5py.File(sorted((folder / "slices").glob(f"slice{number}-*.h5"))[-1]) as s:
            np.testing.assert_allclose(s[name][:], plane, rtol=0, atol=1e-13 * abs(plane).max())


def test_the_pressure_of_taylor_and_green(mpirun, triad, rundir):
    """p = (cos 2x + cos 2y)(cos 2z + 2)/16 at the start (Taylor and Green 1937)."""
    mpirun(1, triad, "run", ROOT / "runs/taylor-green-demo/case.toml", "--dir", rundir / "run",
           *sets(grid__n=[24, 20, 16], time__max_steps=1, output__fields_interval=100.0, output__report=False),
           "--set", 'output.fields=["pressure"]', "--set", "output.slices=[]", expect=0)
    with h5py.File(rundir / "run/fields/fields-00000000.h5") as h:
        assert h["pressure"].attrs["units"] in ("U^2", b"U^2") and "vectors" not in h.attrs
        x, y, z = (2 * np.pi * np.arange(n) / n for n in (24, 20, 16))
        exact = (np.cos(2 * x) + np.cos(2 * y)[:, None]) * (np.cos(2 * z) + 2)[:, None, None] / 16
        np.testing.assert_allclose(h["pressure"][:], exact, rtol=0, atol=1e-15)


def test_components_in_a_row_are_a_vector(run):
    folder = run("hd")
    _, attributes = last(folder)
    vectors = attributes["vectors"]
    assert (vectors.decode() if isinstance(vectors, bytes) else vectors).split() == [
        "velocity=u,v,w", "vorticity_vector=vorticity_x,vorticity_y,vorticity_z"]
    text = (folder / "fields/fields.xmf").read_text()
    assert 'Name="vorticity_vector" AttributeType="Vector"' in text and 'Name="pressure" AttributeType="Scalar"' in text


@pytest.mark.parametrize("entry, message", [
    ('["u", "presure"]', '"presure" is not a quantity, did you mean "pressure"?'), ('["density"]', "only of gpe"),
    ('["u", "u"]', "u is repeated"), ('["scalar2"]', "this case has no field scalar2 to show"), ('["u, v"]', "a separate text")])
def test_what_cannot_be_shown_is_an_error_with_its_place(mpirun, triad, rundir, entry, message):
    done = mpirun(1, triad, "case", ROOT / "runs/taylor-green-demo/case.toml", "--check", "--set", f"output.fields={entry}", expect=65)
    assert message in done.stderr and "output.fields" in done.stderr
