"""What a run writes in spectra/ besides shells: spectra about an axis, transfers and fluxes, for each equation set."""

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH, RANDOM, case

OUTPUT = """series_interval = 0.01
spectra_interval = 0.1
checkpoint_interval = 0.1
{output}
[parallel]
reproducible = true
"""
SETS = {
    "hd": ("hd", "rotation = [0, 3.0, 0]\nscalars = [0.02]\nscalar_gradients = [0, 0, 1.0]", "y"),
    "boussinesq": ("boussinesq", "buoyancy_frequency = 3.0\ndiffusivity = 0.02", "z"),
    "mhd": ("mhd", "mean_field = [1.5, 0, 0]\nresistivity = 0.02\nhall = 0.2", "x"),
}
CONSERVED = {"hd": ["T", "T_S1"], "boussinesq": ["T", "T_u", "T_theta"], "mhd": ["T", "T_advection"]}


def start(folder, kind, precision="double", output=""):
    solver, keys, _ = SETS[kind]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.toml").write_text(case(solver, f"viscosity = 0.01\n{keys}", (16, 15, 12), OUTPUT.format(output=output),
                                           RANDOM + "energy = 2.0\nhelicity = 0.6", 0.2, 0.01, precision=precision))
    return folder / "case.toml"


@pytest.fixture(scope="module", params=[(k, p) for k in SETS for p in ("double", "single")], ids="-".join)
def flow(request, launcher, triad, tmp_path_factory):
    """A finished run, its set and its precision."""
    kind, precision = request.param
    folder = tmp_path_factory.mktemp("flow")
    launcher(2, triad, "run", start(folder, kind, precision), "--dir", folder / "run", threads=2, expect=0)
    return folder / "run", kind, precision


def test_spectra_about_the_axis_of_the_physics_sum_to_shells(flow):
    run, kind, _ = flow
    axis = "xyz".index(SETS[kind][2])
    length = np.array(LENGTH)
    kmax = np.array([5, 4, 3])
    series = outputs.series(run)
    found = outputs.spectra(run)
    assert len(found) == 3
    for t, a in found:
        across = [i for i in range(3) if i != axis]
        width = 2 * np.pi / length[across].max()
        assert np.allclose(a["k_par"], 2 * np.pi / length[axis] * np.arange(kmax[axis] + 1), rtol=1e-14)
        assert np.allclose(a["k_perp"], width * np.arange(len(a["k_perp"])), rtol=1e-14)
        # a ring past the farthest mode would be empty: the last one holds it
        assert abs(a["k_perp"][-1] - (2 * np.pi * kmax / length)[across].max()) <= width / 2 * (1 + 1e-12)
        names = [n[:-3] for n in a if n.endswith("_2d")]
        assert {"E", "H"} <= set(names) and len(names) >= 3
        for name in names:
            size = 1e-14 * abs(a[name + "_2d"]).sum()
            assert abs(a[name + "_2d"].sum(axis=1) - a[name + "_perp"]).max() <= size
            assert abs(a[name + "_2d"].sum(axis=0) - a[name + "_par"]).max() <= size
            assert abs(a[name + "_2d"].sum() - a[name].sum()) <= size
        row = np.argmin(abs(series["t"] - t))
        assert abs(a["E_2d"].sum() - series["energy"][row]) <= 1e-14 * series["energy"][row]


def test_transfers_sum_to_zero_and_fluxes_add_them_up(flow):
    run, kind, precision = flow
    epsilon = np.finfo(precision).eps
    for _, a in outputs.spectra(run):
        names = [n for n in a if n == "T" or n.startswith("T_")]
        assert set(CONSERVED[kind]) <= set(names)
        for name in names:
            flux = a[name.replace("T", "Pi", 1)]
            size = abs(a[name]).sum()
            assert np.abs(flux + np.cumsum(a[name])).max() <= 1e-14 * size
            if name in CONSERVED[kind] and size > 0:
                assert abs(flux[-1]) <= 100 * epsilon * abs(a["T"]).sum(), name
        if kind == "mhd":
            size = 1e-14 * sum(abs(a[n]) for n in ("T_u", "T_b", "T_advection"))
            assert (abs(a["T"] - a["T_u"] - a["T_b"]) <= size).all()
            assert (abs(a["T_u"] - a["T_advection"] - a["T_lorentz"]) <= size).all()
            assert a["T_b"].sum() == pytest.approx(-a["T_lorentz"].sum(), abs=100 * epsilon * abs(a["T"]).sum())


def test_every_dataset_says_what_it_is(flow):
    run, _, _ = flow
    for path in (run / "spectra").glob("*.h5"):
        with h5py.File(path) as f:
            for name, d in f.items():
                if not isinstance(d, h5py.Dataset):
                    continue
                assert d.attrs["units"] and d.attrs["long_name"], name
                scales = [dim[0].name if len(dim) else None for dim in d.dims]
                if name.endswith("_2d"):
                    assert scales == ["/k_perp", "/k_par"]
                elif name.endswith(("_perp", "_par")) and not name.startswith("k_"):
                    assert scales == ["/k_" + name.rsplit("_", 1)[1]]
                elif name.startswith(("T", "Pi")):
                    assert scales == ["/k"]


def full(modes, name, n):
    """All coefficients of a field, complex [z][y][x], from the half that a checkpoint holds."""
    out = np.zeros(n[::-1], complex)
    z = modes["kz"]
    for c, (x, y) in enumerate(zip(modes["kx"], modes["ky"])):
        out[-z, -y, -x] = np.conj(modes[name][c])
        out[z, y, x] = modes[name][c]
    return out


@pytest.mark.parametrize("kind", SETS)
def test_transfers_are_those_of_convective_products_on_the_grid(triad, mpirun, rundir, kind):
    """By numpy, from the checkpoint: N = -u.grad u + B.grad B and so on, in the form that Triad does not use."""
    case = start(rundir.parent, kind)
    more = ["--set", "equations.hall=0"] if kind == "mhd" else []
    mpirun(2, triad, "run", case, "--dir", rundir, *more, expect=0)
    modes = outputs.modes(rundir)
    n, length = (16, 15, 12), (2 * np.pi, 5.0, 3 * np.pi)
    axes = [2 * np.pi * np.fft.fftfreq(m, 1 / m) / s for m, s in zip(n[::-1], length[::-1])]
    k = np.meshgrid(*axes, indexing="ij")[::-1]
    held = {name: full(modes, name, n) for name in modes if name not in ("kx", "ky", "kz", "attributes")}
    size = np.prod(n)

    def space(a):
        value = np.fft.ifftn(a) * size
        assert abs(value.imag).max() <= 1e-13 * (abs(value).max() + 1e-300)
        return value.real

    def along(a, f):
        """(a.grad) f, coefficients"""
        return np.fft.fftn(sum(a[i] * space(1j * k[i] * f) for i in range(3))) / size

    u = [held[name] for name in "uvw"]
    ux = [space(a) for a in u]
    work = {}
    if kind == "mhd":
        b = [held[name] for name in ("bx", "by", "bz")]
        bx = [space(a) + m for a, m in zip(b, (1.5, 0, 0))]
        work["T_lorentz"] = sum((np.conj(a) * along(bx, c)).real for a, c in zip(u, b))
        work["T_advection"] = -sum((np.conj(a) * along(ux, a)).real for a in u)
        work["T_u"] = work["T_advection"] + work["T_lorentz"]
        work["T_b"] = sum((np.conj(c) * (along(bx, a) - along(ux, c))).real for a, c in zip(u, b))
        work["T"] = work["T_u"] + work["T_b"]
    else:
        work["T_u" if kind == "boussinesq" else "T"] = -sum((np.conj(a) * along(ux, a)).real for a in u)
        scalar = "theta" if kind == "boussinesq" else "scalar1"
        name = "T_theta" if kind == "boussinesq" else "T_S1"
        work[name] = -(np.conj(held[scalar]) * along(ux, held[scalar])).real
        if kind == "boussinesq":
            work["T"] = work["T_u"] + work["T_theta"]
    shell = np.floor(np.sqrt(sum(a**2 for a in k)) / (2 * np.pi / max(length)) + 0.5).astype(int).ravel()
    written = outputs.spectra(rundir)[-1][1]
    assert set(work) == {name for name in written if name[0] == "T"}
    for name, density in work.items():
        want = np.bincount(shell, density.ravel(), len(written["k"]))[:len(written["k"])]
        assert abs(want - written[name]).max() <= 1e-13 * abs(density).sum(), name
        assert abs(density).sum() > 1e-3 * abs(work["T"]).sum(), f"{name} is nothing"


@pytest.mark.parametrize("kind", SETS)
def test_spectra_are_the_same_bits_on_any_number_of_ranks(triad, mpirun, tmp_path, kind):
    first = None
    for ranks, threads in ((1, 1), (2, 2), (3, 1)):
        run = tmp_path / f"run-{ranks}"
        case = start(tmp_path, kind)
        mpirun(ranks, triad, "run", case, "--dir", run, "--set", "time.end=0.02", threads=threads, expect=0)
        now = [(t, sorted((name, a.tobytes()) for name, a in arrays.items())) for t, arrays in outputs.spectra(run)]
        first = first or now
        assert now == first, f"{ranks} x {threads}"


def test_magnetic_production_closes_the_budget_of_the_field(triad, mpirun, rundir):
    case = start(rundir.parent, "mhd")
    mpirun(2, triad, "run", case, "--dir", rundir, "--set", "time.scheme=rk4", expect=0)
    s = outputs.series(rundir)
    dt, gain = 0.01, s["magnetic_production"] - s["joule_dissipation"]
    # Simpson's rule over each two steps, of order 4 as the stepper is: the errors are of its next term
    change = s["magnetic_energy"][2::2] - s["magnetic_energy"][:-2:2]
    simpson = dt / 3 * (gain[:-2:2] + 4 * gain[1:-1:2] + gain[2::2])
    assert abs(change).max() > 0
    assert abs(change - simpson).max() < 1e-5 * abs(change).max()
    written = outputs.spectra(rundir)[-1][1]
    assert s["magnetic_production"][-1] == pytest.approx(written["T_b"].sum(), rel=1e-12)


def test_keys_switch_them_off_and_choose_the_axis(triad, mpirun, tmp_path):
    case = start(tmp_path, "boussinesq")
    end = ("--set", "time.end=0")

    def names(run, *more):
        mpirun(1, triad, "run", case, "--dir", tmp_path / run, *end, *more, expect=0)
        return outputs.spectra(tmp_path / run)[-1][1]

    plain = names("plain", "--set", "output.spectra_axis=none", "--set", "output.transfer=false")
    assert set(plain) == {"t", "k", "E", "H", "E_kinetic", "E_potential", "buoyancy_flux"}
    assert len(names("x", "--set", "output.spectra_axis=x")["k_par"]) == 6
    assert len(names("z")["k_par"]) == 4
    still = names("still", "--set", "equations.buoyancy_frequency=0")
    assert "k_par" not in still and "T" in still
    aliased = names("aliased", "--set", "grid.truncation=none")
    assert "T" not in aliased and "E_2d" in aliased
