"""output.fields: "modes K" is the field of the modes below, exactly, on few points; "box .." is a part of it; in single as asked."""

import subprocess
import sys

import h5py
import numpy as np
import pytest

import fieldruns
from boxes import LENGTH
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read import planes  # noqa: E402
from triad_plot.read.space import Space  # noqa: E402

pytestmark = pytest.mark.quick

CASE = fieldruns.text_of((20, 18, 24))
UNIT = 2 * np.pi / LENGTH[2]   # the smallest wavenumber of the box


@pytest.fixture(scope="module")
def run(launcher, triad, tmp_path_factory):
    return fieldruns.make(launcher, triad, tmp_path_factory.mktemp("parts"), CASE)


@pytest.fixture(scope="module")
def whole(run):
    with h5py.File(run()) as f:
        return {n: f[n][:] for n in ("u", "v", "w", "vorticity_x", "pressure")}


def sums(values, at, most, *axes):
    """The field of the modes |k| <= most of `values` on the whole grid, or a derivative, at the points x, y, z of `at`."""
    modes = np.fft.fftn(values, norm="forward")
    k = [2 * np.pi / LENGTH[a] * np.fft.fftfreq(values.shape[2 - a], 1 / values.shape[2 - a]) for a in range(3)]
    kz, ky, kx = np.meshgrid(k[2], k[1], k[0], indexing="ij")
    modes = np.where(np.sqrt(kx**2 + ky**2 + kz**2) <= most * (1 + 1e-9), modes, 0)
    for axis in axes:
        modes = modes * 1j * (kx, ky, kz)[axis]
    wave = [np.exp(1j * np.outer(np.asarray(at[a]), k[a])) for a in range(3)]
    return np.einsum("kji,zk,yj,xi->zyx", modes, wave[2], wave[1], wave[0], optimize=True).real


def close(got, want, tolerance=1e-12):
    """Transforms there and back, of numbers of order one."""
    scale = np.sqrt(np.mean(want**2))
    assert got.shape == want.shape and np.abs(got - want).max() <= tolerance * scale


@pytest.mark.parametrize("ranks", [1, 3])
def test_modes_below_are_exact_on_few_points(run, whole, ranks):
    with h5py.File(run('["modes 5", "u", "vorticity_x", "pressure", "q"]', ranks)) as f:
        at = [f[axis][:] for axis in "xyz"]
        # of 5 times the smallest wavenumber, 2/3: floor of 3.33, 2.65, 5 along x, y, z; 2 K + 2 points, without primes above 5
        assert f["u"].shape == (12, 6, 8)
        assert np.allclose(at[2], LENGTH[2] * np.arange(12) / 12)
        for name in ("u", "vorticity_x", "pressure"):
            close(f[name][:], sums(whole[name], at, 5 * UNIT))
        assert np.abs(f["u"][:] - sums(whole["u"], at, np.inf)).max() > 0.1
        # Q of the filtered velocity: -(d_j u_i)(d_i u_j)/2
        gradient = [[sums(whole["uvw"[i]], at, 5 * UNIT, j) for j in range(3)] for i in range(3)]
        close(f["q"][:], -sum(gradient[i][j] * gradient[j][i] for i in range(3) for j in range(3)) / 2)


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("modes, most", [("", np.inf), ('"modes 5", ', 5 * UNIT)])
def test_a_box_holds_the_points_within(run, whole, ranks, modes, most):
    with h5py.File(run(f'[{modes}"box 1 5 0 2.5 2pi 9", "u", "v", "w"]', ranks)) as f:
        n = (20, 18, 24) if not modes else (8, 6, 12)
        for axis, (low, high) in enumerate(((1, 5), (0, 2.5), (2 * np.pi, 9))):
            x = LENGTH[axis] * np.arange(n[axis]) / n[axis]
            assert np.allclose(f["xyz"[axis]][:], x[(x >= low - 1e-9) & (x <= high + 1e-9)])
        at = [f[axis][:] for axis in "xyz"]
        for name in "uvw":
            close(f[name][:], sums(whole[name], at, most))
        assert f.attrs["vectors"] == "velocity=u,v,w" and np.allclose(f.attrs["origin"], [x[0] for x in at])


def test_without_a_quantity_it_is_the_state(run, whole):
    with h5py.File(run('["modes 5"]')) as f:
        at = [f[axis][:] for axis in "xyz"]
        close(f["v"][:], sums(whole["v"], at, 5 * UNIT))
        assert "scalar1" in f and f.attrs["vectors"] == "velocity=u,v,w"


def test_precision_is_that_asked_for(run, whole):
    for word, kind in (("single", np.float32), ("double", np.float64), ("run", np.float64)):
        with h5py.File(run(output__fields_precision=word)) as f:
            assert f["u"].dtype == kind and np.array_equal(f["u"][:], whole["u"].astype(kind))
    with h5py.File(run(output__fields_precision="double", precision="single")) as f:
        assert f["u"].dtype == np.float64


def test_viewers_see_where_a_part_is(run):
    path = run('["modes 5", "box 1 5 0 2.5 2pi 9", "u"]', output__fields_precision="single")
    text = (path.parent / "fields.xmf").read_text()
    with h5py.File(path) as f:
        assert " ".join(str(n) for n in f["u"].shape) in text and 'Precision="4"' in text
        assert repr(float(f['x'][0])) in text
    try:
        import xarray
    except ImportError:
        pytest.skip("xarray is not installed")
    with xarray.open_dataset(path, engine="h5netcdf", phony_dims="access") as data:
        assert list(data["u"].dims) == ["z", "y", "x"]


def test_a_part_is_not_taken_for_a_whole_box(run, mpirun, triad, tmp_path):
    """Its ends are not the same: its spectrum would be that of the jumps, and a start would join them."""
    path = run('["box 1 5 0 2.5 2pi 9", "u", "v", "w"]')
    with h5py.File(path) as f:
        assert np.allclose(f.attrs["part_of"], LENGTH)
    said = mpirun(1, triad, "spectra", path, expect=65).stderr
    assert "a part" in said and "output.fields" in said
    for solver, keys in ("hd", "viscosity = 0.1"), ("staggered", "viscosity = 0.1"):
        with h5py.File(path) as f:
            n = f["u"].shape[::-1]
        (tmp_path / "case.toml").write_text(f'[equations]\nsolver = "{solver}"\n{keys}\n[grid]\nn = {list(n)}\n[initial]\nkind = "file"\n'
                                            f'file = "{path}"\n[time]\nend = 0.1\ndt = 0.1\n')
        said = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / solver, expect=65).stderr
        assert "a part" in said, said


def test_a_box_of_all_points_is_a_whole_one(run, mpirun, triad):
    path = run('["box 0 7 0 6 0 10"]')
    with h5py.File(path) as f:
        assert "part_of" not in f.attrs
    mpirun(1, triad, "spectra", path, expect=0)


def test_figures_of_a_part_show_its_own_planes_or_refuse(run):
    path = run('["box 1 5 0 2.5 2pi 9", "u", "v", "w"]')
    with h5py.File(path) as f:
        z = f["z"][:]
        shown = planes.cut_field(f, "u", "z", float(z[2]) + 0.01)
        np.testing.assert_array_equal(shown.parts[0], f["u"][2])
        assert shown.where == f"z = {z[2]:.3g}"
        for name, place in ("u", 1.0), ("vorticity", None):
            with pytest.raises(Absent):
                planes.cut_field(f, name, "z", place)
        with pytest.raises(Absent):
            Space(str(path), f, None)


BAD = {'["modes"]': "is not a quantity", '["modes 0"]': 'write "modes 64"', '["modes 2.5"]': 'write "modes 64"',
       '["modes 2", "modes 3"]': "value 2 of 2", '["box 1 2"]': "two increasing numbers", '["box 0 1 0 1 1 0"]': "two increasing numbers",
       '["box 0 1 0 1 0 x"]': "two increasing numbers", '["u", "u"]': "u is repeated", '["modes 9"]': "the grid has",
       '["box 0.1 0.2 0 1 0 1"]': "contains none of the points", '["box 7 8 0 1 0 1"]': "contains none of the points"}


def test_parts_that_are_none_are_refused(triad, tmp_path):
    (tmp_path / "case.toml").write_text(CASE)
    for text, words in BAD.items():
        done = subprocess.run((triad, "case", "--check", tmp_path / "case.toml", "--set", f"output.fields={text}"),
                              capture_output=True, text=True, timeout=20)
        assert done.returncode == 65 and words in done.stderr, (text, done.stderr)


def test_the_plan_counts_what_is_written(triad, tmp_path):
    (tmp_path / "case.toml").write_text(CASE)
    done = subprocess.run((triad, "case", "--check", tmp_path / "case.toml", "--set", 'output.fields=["modes 5", "u"]', "--set",
                           "output.fields_precision=single"), capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and "2.3 kB" in next(line for line in done.stdout.splitlines() if "set of fields" in line)
