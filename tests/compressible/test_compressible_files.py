"""What the compressible solver writes: fields, spectra, slices, a report; what bench and check tell of it."""

import json
import re

import h5py
import numpy as np
import pytest

import outputs
from compressible import case, differ, gas_file, run, state  # noqa: F401
from outputs import sets


# ---- fields ----

def test_fields_hold_the_state_and_start_a_run(run, case, mpirun, triad, tmp_path):
    path, folder = case(more="fields_interval = 0.01\n"), tmp_path / "run"
    run(3, path, folder, 2)
    fields = sorted((folder / "fields").glob("*.h5"))[-1]
    rho, *momentum, e = state(folder)
    with h5py.File(fields) as f:
        u = [f[n][:] for n in "uvw"]
        np.testing.assert_allclose(f["rho"][:], rho, rtol=1e-14)
        for a, b in zip(u, momentum):
            np.testing.assert_allclose(rho * a, b, atol=1e-14)
        pressure = 0.4 * (e - rho * sum(a**2 for a in u) / 2)
        np.testing.assert_allclose(f["p"][:], pressure, rtol=1e-13)
        assert [f["rho"].dims[i][0].name for i in range(3)] == ["/z", "/y", "/x"]
        np.testing.assert_allclose(f["x"][:], 2 * np.pi * np.arange(16) / 16, rtol=1e-14, atol=1e-15)
    assert mpirun(1, triad, "info", fields, expect=0).stdout.count("each, unit") >= 5
    again = tmp_path / "again"
    run(2, path, again, 1, *sets(initial__kind="file", initial__file=str(fields)))
    run(2, path, folder, 3)
    assert differ(state(again), state(folder)) < 1e-12


def test_points_lie_between_boundaries_that_are_not_periodic(run, case, tmp_path):
    more = 'fields_interval = 0.01\n[boundaries]\nx = ["extrapolate", "extrapolate"]\n'
    path, folder = case(n="40, 1, 1", length="[1, 1, 1]", kind="sod", dt="1e-3", more=more), tmp_path / "run"
    run(2, path, folder, 1, *sets(equations__viscosity=0.0))
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[0]) as f:
        np.testing.assert_allclose(f["x"][:], (np.arange(40) + 0.5) / 40, rtol=1e-14)
        assert f["rho"][0, 0, 0] == 1 and f["rho"][0, 0, -1] == 0.125
    assert not list(folder.glob("spectra/*"))
    xmf = (folder / "fields/fields.xmf").read_text()
    origin = re.search(r'Format="XML">([^<]*)<', xmf).group(1)
    assert [float(word) for word in origin.split()] == pytest.approx([0, 0, 0.0125]), "the origin in fields.xmf, z first"


# ---- spectra ----

def shell_spectrum(fields, length):
    """Sum over shells round(|k|/k_min) of half the squares of the Fourier coefficients, by numpy's transform."""
    n = fields[0].shape
    k = [np.fft.fftfreq(m, 1 / m) * 2 * np.pi / l for m, l in zip(n, length[::-1])]
    z, y, x = np.meshgrid(*k, indexing="ij")
    shell = np.floor(np.sqrt(x**2 + y**2 + z**2) / (2 * np.pi / max(length)) + 0.5).astype(int)
    density = sum(abs(np.fft.fftn(f) / f.size)**2 for f in fields) / 2
    return np.bincount(shell.ravel(), density.ravel())


@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_spectra_are_those_of_the_fields(run, case, tmp_path, ranks):
    more = "fields_interval = 0.01\n[parallel]\nreproducible = true\n"
    path, folder = case(more=more, length="[6.0, 5.0, 4.0]"), tmp_path / "run"
    run(ranks, path, folder, 4, *sets(output__spectra_interval=0.01))
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        rho, u, v, w, p = (f[n][:] for n in ("rho", "u", "v", "w", "p"))
    with h5py.File(sorted((folder / "spectra").glob("*.h5"))[-1]) as f:
        spectra = {name: f[name][:] for name in f if isinstance(f[name], h5py.Dataset)}
    length, root = [6.0, 5.0, 4.0], np.sqrt(rho)
    for name, fields in (("E", [root * u, root * v, root * w]), ("E_u", [u, v, w])):
        expected = shell_spectrum(fields, length)
        assert abs(spectra[name][:len(expected)] - expected).max() < 1e-14 * expected.sum(), name
        assert spectra[name].sum() == pytest.approx(expected.sum(), rel=1e-13)
    for name, field in (("rho_variance", rho), ("p_variance", p)):
        assert spectra[name].sum() == pytest.approx(field.var(), rel=1e-10), name
    np.testing.assert_allclose(spectra["E_solenoidal"] + spectra["E_dilatational"], spectra["E_u"], rtol=1e-12, atol=1e-30)
    assert 0 < spectra["E_dilatational"].sum() < 0.1 * spectra["E_u"].sum()
    s = outputs.series(folder)
    assert spectra["E"].sum() == pytest.approx(s["kinetic_energy"][-1], rel=1e-13)


@pytest.mark.parametrize("n, length", [((16, 13, 18), [6.0, 5.0, 4.0]), ((8, 6, 1), [1.0, 2.0, 9.0])], ids=["box", "plane"])
def test_spectra_of_noise_have_its_shortest_waves_in_their_shells(run, case, tmp_path, n, length):
    """Every mode of the grid has energy here, those that change sign from point to point as much as others."""
    draw = np.random.default_rng(3)
    source = gas_file(tmp_path / "noise.h5", n[::-1], **{name: draw.normal(size=n[::-1]) for name in ("u", "v", "w")}, rho=2 + draw.random(n[::-1]))
    path, folder = case(n=str(n)[1:-1], length=length, kind="file", dt=1e-5), tmp_path / "run"
    run(2, path, folder, 1, *sets(initial__file=str(source), output__spectra_interval=50.0))
    with h5py.File(source) as f, h5py.File(min((folder / "spectra").glob("*.h5"))) as s:
        rho, u, v, w = (f[name][:] for name in ("rho", "u", "v", "w"))
        box = [l for l, m in zip(length, n) if m > 1] + [0.1] * n.count(1)
        for name, fields in ("E_u", [u, v, w]), ("E", [np.sqrt(rho) * q for q in (u, v, w)]), ("rho_variance", [np.sqrt(2) * (rho - rho.mean())]):
            np.testing.assert_allclose(s[name][:], shell_spectrum(fields, box), rtol=1e-12, atol=1e-14, err_msg=name)
        assert s["E_u"][-1] > 0 and abs(s["rho_variance"][0]) < 1e-14


def test_a_report_knows_the_kinetic_energy_is_what_spectra_sum_to(run, case, mpirun, triad, tmp_path):
    path, folder = case(), tmp_path / "run"
    run(2, path, folder, 2, *sets(output__spectra_interval=0.005))
    mpirun(1, triad, "report", folder, expect=0)
    page = (folder / "report.html").read_text()
    assert "Each spectrum sums to the kinetic energy" in page and "1 failed" not in page


# ---- slices ----

def test_slices_are_planes_of_the_fields(run, case, tmp_path):
    """Differences of second order by numpy, on the plane of points that is nearest."""
    more = ('fields_interval = 0.01\nslices_interval = 0.01\nslices = ["z=2.1: schlieren, rho, mach, vorticity_z, '
            'dilatation, u", "x=1: p"]\n')
    path, folder = case(more=more, n="16, 13, 18"), tmp_path / "run"
    run(4, path, folder, 2)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        rho, u, v, w, p = (f[n][:] for n in ("rho", "u", "v", "w", "p"))
        z, x = f["z"][:], f["x"][:]
    h = [2 * np.pi / n for n in (18, 13, 16)]

    def slope(f, axis):
        return (np.roll(f, -1, axis) - np.roll(f, 1, axis)) / (2 * h[axis])

    k = abs(z - 2.1).argmin()
    expected = {"schlieren": np.sqrt(sum(slope(rho, a)**2 for a in range(3))), "rho": rho, "u": u,
                "mach": np.sqrt((u**2 + v**2 + w**2) / (1.4 * p / rho)), "vorticity_z": slope(v, 2) - slope(u, 1),
                "dilatation": slope(u, 2) + slope(v, 1) + slope(w, 0)}
    with h5py.File(sorted((folder / "slices").glob("slice1-*.h5"))[-1]) as f:
        assert f.attrs["at"] == pytest.approx(z[k])
        for name, values in expected.items():
            np.testing.assert_allclose(f[name][:], values[k], rtol=1e-12, atol=1e-12 * abs(values).max(), err_msg=name)
    with h5py.File(sorted((folder / "slices").glob("slice2-*.h5"))[-1]) as f:
        np.testing.assert_allclose(f["p"][:], p[:, :, abs(x - 1).argmin()], rtol=1e-13)
    assert len(list((folder / "slices").glob("slice1-schlieren-*.png"))) == 2


# ---- bench, check ----

def test_bench_counts_cells_and_stages(mpirun, triad, case, tmp_path):
    out = tmp_path / "bench.json"
    result = mpirun(2, triad, "bench", case(), "--steps", "3", "--json", out, "--reference", expect=0)
    assert "per cell, stage and core" in result.stdout
    b = json.loads(out.read_text())
    assert b["solver"] == "compressible" and b["cells"] == 16 * 13 * 18 and b["stages"] == 3
    # the definition: core seconds over cells and stages
    assert b["core_s_per_cell_and_stage"] == pytest.approx(b["step_s"]["median"] * 2 / (b["cells"] * 3), rel=1e-4)
    assert b["bytes_per_step"] > 0 and b["sent_bytes_per_step"] > 0 and b["ratio"] > 0
    assert sum(b["phases_s"].values()) == pytest.approx(b["step_s"]["median"], rel=1e-6), "the shares of the median step"


def test_check_tells_memory_and_disk(mpirun, triad, case):
    result = mpirun(1, triad, "case", "--check", "-n", "4", case(), expect=0)
    assert "state and stages" in result.stdout and "a checkpoint" in result.stdout
    text = mpirun(1, triad, "case", case(), expect=0).stdout
    assert 'scheme = "ssprk3" # default' in text
    assert 'x = ["periodic", "periodic"]' in text
