"""`triad export`: The Well, Zarr, NetCDF and VTKHDF, read back by other readers or by their specifications; refusals.

The Well's own checker and loader, zarr and xarray run where they are installed: in this Python, or in the one that LEARNING_PYTHON
names; WELL_CHECKER is the path of check_thewell_formatting.py."""

import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))

CASE = """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [12, 12, 12]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 0.4
[output]
fields_interval = 0.1
fields = ["u", "v", "w", "pressure"]
slices = []
"""
OTHER = os.environ.get("LEARNING_PYTHON") or sys.executable


@pytest.fixture(scope="module")
def ensemble(launcher, triad, tmp_path_factory):
    """Two viscosities, three seeds."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "case.toml").write_text(CASE)
    launcher(1, triad, "run", "-q", folder / "case.toml", "--dir", folder / "runs", "--sweep", "equations.viscosity=0.05,0.02",
             "--sweep", "initial.seed=1..3", expect=0)
    return folder / "runs"


@pytest.fixture(scope="module")
def export(triad):
    def go(*words, expect=0):
        done = subprocess.run([triad, "export", *map(str, words)], capture_output=True, text=True, timeout=100)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done
    return go


@pytest.fixture(scope="module")
def well(export, ensemble, tmp_path_factory):
    out = tmp_path_factory.mktemp("well") / "small-hit"
    export("--well", out, ensemble, "--grid", 6)
    return out


def fields(run, name):
    """[t, z, y, x], and the times."""
    values, times = [], []
    for path in sorted((run / "fields").glob("fields-*.h5")):
        with h5py.File(path) as file:
            values.append(file[name][:])
            times.append(file.attrs["t"])
    return np.array(values), np.array(times)


def coarser(field, m):
    """The Fourier sum of modes with |k| < m/2, at m points: sums by matrices, without a fast transform."""
    n = field.shape[0]
    k = np.arange(-(m // 2) + (m % 2 == 0), (m + 1) // 2)
    forward = np.exp(-2j * np.pi * np.outer(k, np.arange(n)) / n) / n
    back = np.exp(2j * np.pi * np.outer(np.arange(m), k) / m)
    for _ in range(3):
        field = np.moveaxis(np.tensordot(back @ forward, field, (1, 0)), 0, 2)
    return field.real


# ---- The Well ----

def test_the_well_has_the_layout_that_its_checker_requires(well):
    """The rules of scripts/check_thewell_formatting.py, in words of our own."""
    paths = sorted(well.glob("data/*/*.hdf5"))
    assert [str(path.relative_to(well)) for path in paths] == [f"data/{part}/small-hit_viscosity_{v}.hdf5" for part in ("test", "train", "valid")
                                                               for v in ("0.02", "0.05")]
    for path in paths:
        with h5py.File(path) as f:
            assert isinstance(f.attrs["dataset_name"], str) and f.attrs["grid_type"] == "cartesian" and f.attrs["n_spatial_dims"] == 3
            assert set(f.attrs["simulation_parameters"]) == {"viscosity"} == set(f["scalars"].attrs["field_names"]) and f.attrs["viscosity"] in map(np.float32, (0.02, 0.05))
            dims, n = f["dimensions"], f.attrs["n_trajectories"]
            assert list(dims.attrs["spatial_dims"]) == ["x", "y", "z"] and dims["time"].shape == (5,)
            items = [dims["time"], dims["x"], f["scalars/viscosity"], f["t0_fields/pressure"], f["t1_fields/velocity"], *f["boundary_conditions"].values()]
            for item in items:
                assert all(isinstance(item.attrs[name], np.bool_) for name in ("sample_varying", "time_varying")), item
            assert dims["time"].attrs["time_varying"] and f["scalars/viscosity"].shape == ()
            assert f["t0_fields/pressure"].shape == (n, 5, 6, 6, 6) and f["t1_fields/velocity"].shape == (n, 5, 6, 6, 6, 3)
            assert f["t0_fields/pressure"].dtype == np.float32 and f["t1_fields/velocity"].attrs["dim_varying"].all()
            assert [list(f[f"t{i}_fields"].attrs["field_names"]) for i in range(3)] == [["pressure"], ["velocity"], []]
            for axis in "xyz":
                group = f[f"boundary_conditions/{axis}_periodic"]
                assert group.attrs["bc_type"] == "PERIODIC" and list(group.attrs["associated_dims"]) == [axis]
                assert len(group.attrs["associated_fields"]) == 0 and group["mask"][:].tolist() == [True] + 4 * [False] + [True]


def test_fields_of_the_well_are_filtered_exactly_and_turned(well, ensemble):
    with h5py.File(well / "data/train/small-hit_viscosity_0.02.hdf5") as f:
        values, times = f["t1_fields/velocity"][:], f["dimensions/time"][:]
        x = f["dimensions/x"][:]
    v, t = fields(ensemble / "run-004", "v")
    assert np.allclose(times, t, atol=1e-7) and np.allclose(x, 2 * np.pi * np.arange(6) / 6, atol=1e-6)
    for i in range(5):
        assert np.allclose(values[0, i, ..., 1], coarser(v[i], 6).transpose(2, 1, 0), atol=2e-7)   # float32


def test_statistics_of_the_well_are_those_of_its_training_set(well):
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((well / "stats.yaml").read_text())
    parts = []
    for path in well.glob("data/train/*"):
        with h5py.File(path) as f:
            parts.append(f["t1_fields/velocity"][:].astype(float))
    u = np.concatenate(parts)
    d = np.diff(u, axis=1)
    for suffix, values in (("", u), ("_delta", d)):
        axes = (0, 1, 2, 3, 4)
        for what, numbers in (("mean", values.mean(axes)), ("std", values.std(axes)), ("rms", np.sqrt((values**2).mean(axes)))):
            assert np.allclose(np.array(found[what + suffix]["velocity"], float), numbers, rtol=1e-3, atol=1e-8), what + suffix
    assert np.isfinite(float(found["mean"]["pressure"]))


def test_splits_are_of_whole_runs(well):
    rows = [line.split(" | ") for line in (well / "README.md").read_text().splitlines() if line.startswith("| run-")]
    assert [(run.strip("| "), part.strip("| ")) for run, part in rows] == [("run-001", "train"), ("run-004", "train"), ("run-002", "valid"),
                                                                         ("run-005", "valid"), ("run-003", "test"), ("run-006", "test")]


def test_the_checker_of_the_well_finds_nothing(well):
    checker = os.environ.get("WELL_CHECKER")
    if not checker:
        pytest.skip("WELL_CHECKER is not set: it is scripts/check_thewell_formatting.py of the_well")
    done = subprocess.run([OTHER, "-W", "error", checker, *map(str, well.glob("data/*/*.hdf5"))], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stdout.count("passed!") == 6 * 6 and "Traceback" not in done.stdout + done.stderr, done.stdout


LOAD = """
import sys
try:
    import torch
    from the_well.data import WellDataset
    from the_well.data.normalization import ZScoreNormalization
except ImportError:
    sys.exit(77)
data = WellDataset(path=sys.argv[1], well_split_name="train", n_steps_input=2, n_steps_output=1, use_normalization=True,
                   normalization_type=ZScoreNormalization)
batch = next(iter(torch.utils.data.DataLoader(data, batch_size=3)))
print(len(data), *batch["input_fields"].shape, *batch["constant_scalars"].shape, batch["boundary_conditions"].unique().tolist())
"""


def test_the_loader_of_the_well_reads_batches(well):
    done = subprocess.run([OTHER, "-c", LOAD, str(well)], capture_output=True, text=True, timeout=100)
    if done.returncode == 77:
        pytest.skip("the_well and torch are not installed")
    assert done.stdout.split() == "6 3 2 6 6 6 4 3 1 [2.0]".split(), done.stdout + done.stderr


# ---- Zarr ----

def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def read_zarr(folder):
    """An array of a store by the specification: sharded or plain, without a library."""
    about = json.loads((folder / "zarr.json").read_text())
    shape, chunk = about["shape"], about["chunk_grid"]["configuration"]["chunk_shape"]
    dtype, codec = np.dtype(about["data_type"]).newbyteorder("<"), about["codecs"][0]
    out = np.full([-(-n // c) * c for n, c in zip(shape, chunk)], np.nan)
    for number in np.ndindex(*[-(-n // c) for n, c in zip(shape, chunk)]):
        data = (folder / "c").joinpath(*map(str, number)).read_bytes()
        where = [i * c for i, c in zip(number, chunk)]
        if codec["name"] == "bytes":
            out[tuple(slice(a, a + c) for a, c in zip(where, chunk))] = np.frombuffer(data, dtype).reshape(chunk)
            continue
        inner = codec["configuration"]["chunk_shape"]
        counts = [c // i for c, i in zip(chunk, inner)]
        size = 16 * int(np.prod(counts))
        assert crc32c(data[-size - 4:-4]) == int.from_bytes(data[-4:], "little")
        index = np.frombuffer(data[-size - 4:-4], "<u8").reshape(*counts, 2)
        for cube in np.ndindex(*counts):
            offset, length = map(int, index[cube])
            if offset == 2**64 - 1:
                continue
            at = tuple(slice(a + k * i, a + (k + 1) * i) for a, k, i in zip(where, cube, inner))
            out[at] = np.frombuffer(data[offset:offset + length], dtype).reshape(inner)
    return out[tuple(slice(0, n) for n in shape)], about


@pytest.fixture(scope="module")
def store(export, ensemble, tmp_path_factory):
    out = tmp_path_factory.mktemp("zarr") / "run.zarr"
    export("--zarr", out, ensemble / "run-001", "--cube", 5, "--shard", 10, "--from", 0.15)
    return out


def test_a_zarr_store_has_the_fields_in_sharded_cubes(store, ensemble):
    assert crc32c(b"123456789") == 0xE3069283
    u, t = fields(ensemble / "run-001", "u")
    values, about = read_zarr(store / "u")
    assert np.array_equal(values, u[2:].astype(np.float32)) and about["dimension_names"] == ["t", "z", "y", "x"]
    assert about["chunk_grid"]["configuration"]["chunk_shape"] == [1, 10, 10, 10]
    assert np.array_equal(read_zarr(store / "t")[0], t[2:])
    group = json.loads((store / "zarr.json").read_text())
    assert set(group["consolidated_metadata"]["metadata"]) == {"u", "v", "w", "pressure", "t", "x", "y", "z"} and group["attributes"]["Conventions"] == "CF-1.11"


ZARR = """
import sys
try:
    import numpy, xarray, zarr
    assert zarr.__version__[0] >= "3"
except (ImportError, AssertionError):
    sys.exit(77)
want = numpy.load(sys.argv[2])
assert numpy.array_equal(zarr.open_group(sys.argv[1], mode="r")["u"][:], want)
flow = xarray.open_zarr(sys.argv[1])
assert numpy.array_equal(flow.u.values, want) and set(flow.u.coords) == {"t", "z", "y", "x"} and flow.u.attrs["units"] == "1"
print(flow.sizes["t"])
"""


def test_zarr_python_and_xarray_read_the_store(store, ensemble, tmp_path):
    np.save(tmp_path / "u.npy", fields(ensemble / "run-001", "u")[0][2:].astype(np.float32))
    done = subprocess.run([OTHER, "-c", ZARR, str(store), str(tmp_path / "u.npy")], capture_output=True, text=True, timeout=100)
    if done.returncode == 77:
        pytest.skip("zarr 3 and xarray are not installed")
    assert done.stdout.split() == ["3"], done.stdout + done.stderr


# ---- NetCDF, VTKHDF ----

def test_a_netcdf_file_has_names_units_and_axes_of_cf(export, ensemble, tmp_path):
    export("--netcdf", tmp_path / "run.nc", ensemble / "run-001", "--medium", "water", "--double", "--fields", "velocity")
    u, t = fields(ensemble / "run-001", "u")
    with h5py.File(tmp_path / "run.nc") as f:
        assert set(f) == {"t", "z", "y", "x", "u", "v", "w"} and f.attrs["Conventions"] == b"CF-1.11"
        assert np.array_equal(f["u"][:], u) and np.array_equal(f["t"][:], t)
        assert [list(dim.keys()) for dim in f["u"].dims] == [["t"], ["z"], ["y"], ["x"]]
        assert (f["u"].attrs["units"], f["u"].attrs["standard_name"], f["x"].attrs["axis"]) == (b"m s-1", b"sea_water_x_velocity", b"X")
        assert "standard_name" not in f["t"].attrs and f["t"].attrs["units"] == b"s"


def test_units_of_triad_become_units_of_udunits():
    from triad_plot.export.conventions import si
    found = {unit: si(unit) for unit in ("U", "1/T", "U^2/T", "M/(L T^2)", "M/L^3", "1", "K", "M^(1/2)", "")}
    assert found == {"U": "m s-1", "1/T": "s-1", "U^2/T": "m2 s-3", "M/(L T^2)": "kg m-1 s-2", "M/L^3": "kg m-3", "1": "1", "K": "K", "M^(1/2)": None,
                     "": None}


def test_a_vtkhdf_file_shows_all_times_by_views_of_the_run(export, ensemble, tmp_path):
    shutil.copytree(ensemble / "run-001", tmp_path / "run")
    export("--vtkhdf", tmp_path / "run.vtkhdf", tmp_path / "run")
    (tmp_path / "moved").mkdir()
    for name in ("run", "run.vtkhdf"):
        shutil.move(tmp_path / name, tmp_path / "moved" / name)
    v, t = fields(ensemble / "run-001", "v")
    with h5py.File(tmp_path / "moved/run.vtkhdf") as f:
        root = f["VTKHDF"]
        assert root.attrs["Version"].tolist() == [2, 0] and root.attrs["Type"] == b"ImageData" and root.attrs["WholeExtent"].tolist() == [0, 11] * 3
        assert np.array_equal(root["PointData/velocity"][..., 1], v) and np.array_equal(root["Steps/Values"][:], t)
        assert root["Steps"].attrs["NSteps"] == 5 and root["Steps/PointDataOffsets/velocity"][:].tolist() == list(range(5))
    assert (tmp_path / "moved/run.vtkhdf").stat().st_size < 100_000


# ---- refusals ----

def refused(code, *words):
    """The message of a command with these words, in this process."""
    from triad_plot.export import command
    from triad_plot.problem import Problem
    with pytest.raises(Problem) as found:
        command.run_command([str(word) for word in words])
    assert found.value.code == code, str(found.value)
    return str(found.value)


def test_what_cannot_be_exported_is_refused_with_place_and_remedy(export, ensemble, tmp_path):
    run, out = ensemble / "run-001", tmp_path / "out"
    assert "triad: error: triad export requires one of --well" in export(run, expect=64).stderr
    assert "export can only make a grid coarser" in refused(64, "--well", out, ensemble, "--grid", 24)
    assert "--cube does not apply to --netcdf" in refused(64, "--netcdf", out, run, "--cube", 8)
    assert "exports one of them" in refused(64, "--zarr", out, ensemble)
    assert "exists already" in refused(64, "--zarr", ensemble, run)
    assert "no such folder" in refused(66, "--zarr", tmp_path / "none/out", run)
    assert "no such file or folder" in refused(66, "--zarr", out, tmp_path / "none")
    assert "--fields b" in refused(66, "--zarr", out, run, "--fields", "b")
    assert "no file of fields has a time in --from 7" in refused(65, "--zarr", out, run, "--from", 7)
    assert "--split 80,20: must be three whole numbers" in refused(64, "--well", out, ensemble, "--split", "80,20")
    shutil.copytree(run, tmp_path / "holes")
    sorted((tmp_path / "holes/fields").glob("fields-*.h5"))[2].unlink()
    assert "times of fields are not evenly spaced: 0.1 to 0.3" in refused(65, "--well", out, tmp_path / "holes")
    with h5py.File(sorted((tmp_path / "holes/fields").glob("fields-*.h5"))[0], "r+") as f:
        f["u"][0, 0, 0] = np.nan
    assert "u has values that are not finite" in refused(65, "--zarr", out, tmp_path / "holes")
    assert not out.exists() and sorted(path.name for path in tmp_path.iterdir()) == ["holes"]
