"""Files open in other programs at first try: fields.xmf in VTK's reader, which is ParaView's, and HDF5 in xarray.

Neither is needed for anything else. VTK's Xdmf reader comes with ParaView (Debian's python3-paraview) and with `pip install
vtk`; xarray with Debian's python3-xarray and python3-h5netcdf. tools/deps --tests installs them; without, these tests skip."""

import json
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

from waiting import wait_for

CASE = """
precision = "{precision}"
[equations]
solver = "{solver}"
{keys}
[grid]
n = [10, 9, 8]
length = ["2pi", 5.0, "3pi"]
[initial]
kind = "random"
[time]
end = 0.2
dt = 0.05
[output]
fields_interval = 0.1
spectra_interval = 0.2
line_spectra = true
structure_functions = "all"
increment_pdfs = 11
slices_interval = 0.2
slices = ["x=1", "z=0"]
"""
LENGTH, N = (2 * np.pi, 5.0, 3 * np.pi), (10, 9, 8)
STEPS = (0, 2, 4)
VECTORS = {"velocity": ("u", "v", "w"), "magnetic_field": ("bx", "by", "bz")}
# a gas stands at points itself: no statistics along lines; and with its ends open, along x points lie half a spacing inside
GAS = re.sub("^(line_spectra|structure_functions|increment_pdfs) .*\n", "", CASE, flags=re.M).replace('"random"', '"turbulence"')
OPEN_GAS = GAS + '[boundaries]\nx = ["extrapolate", "extrapolate"]\n'
VISCOUS = "viscosity = 0.01"
RUNS = {
    "hd-double": (CASE, dict(solver="hd", precision="double", keys=VISCOUS)),
    "mhd-single": (CASE, dict(solver="mhd", precision="single", keys=VISCOUS)),
    "gpe-double": (CASE, dict(solver="gpe", precision="double", keys="healing_length = 0.5")),
    "gas-single": (GAS, dict(solver="compressible", precision="single", keys=VISCOUS)),
    "open-gas-double": (OPEN_GAS, dict(solver="compressible", precision="double", keys=VISCOUS)),
}


@pytest.fixture(scope="module", params=RUNS)
def run(request, launcher, triad, tmp_path_factory):
    case, words = RUNS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "case.toml").write_text(case.format(**words))
    launcher(2, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


def axes(run):
    """[coordinates of the points] along x, y and z, as the case defines them."""
    half = 0.5 if "open" in run.parent.name else 0.0
    return [length * (np.arange(n) + shift) / n for n, length, shift in zip(N, LENGTH, (half, 0.0, 0.0))]


def fields(run, step):
    with h5py.File(run / f"fields/fields-{step:08d}.h5") as f:
        return {name: d[:] for name, d in f.items() if isinstance(d, h5py.Dataset) and d.ndim == 3}, float(f.attrs["t"])


# ---- VTK ----

READ = """
import json, sys
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
import numpy
reader = vtkXdmfReader()
assert reader.CanReadFile(sys.argv[1])
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
told = []
for time in reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()):
    reader.UpdateTimeStep(time)
    reader.Update()
    data = reader.GetOutputDataObject(0)
    while hasattr(data, "GetBlock"):
        data = data.GetBlock(0)
    points = data.GetPointData()
    names = [points.GetArrayName(i) for i in range(points.GetNumberOfArrays())]
    for name in names:
        numpy.save(f"{sys.argv[2]}/{len(told)}-{name}.npy", vtk_to_numpy(points.GetArray(name)))
    told.append({"time": time, "n": data.GetDimensions(), "bounds": data.GetBounds(), "names": names})
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def vtk():
    """A Python with VTK's Xdmf reader."""
    for python in (sys.executable, shutil.which("pvpython")):
        probe = [python, "-c", "import numpy, vtkmodules.vtkIOXdmf2"]
        if python and subprocess.run(probe, capture_output=True, timeout=100).returncode == 0:
            return python
    pytest.skip("no Xdmf reader of VTK: tools/deps --tests, or apt install python3-paraview, or pip install vtk "
                "(Debian's python3-vtk9 is built without it)")


def test_vtk_reads_fields_xmf_as_paraview_does(run, vtk, tmp_path):
    result = subprocess.run([vtk, "-c", READ, run / "fields/fields.xmf", tmp_path], capture_output=True, text=True, timeout=100)
    assert result.returncode == 0 and "ERR" not in result.stderr, result.stderr
    told = json.loads(result.stdout.splitlines()[-1])
    assert len(told) == len(STEPS)
    for i, (step, seen) in enumerate(zip(STEPS, told)):
        values, t = fields(run, step)
        assert seen["time"] == pytest.approx(t, abs=1e-14) and seen["n"] == list(N)
        # the coordinates of the first and last point of each axis
        assert np.allclose(seen["bounds"], [end for axis in axes(run) for end in (axis[0], axis[-1])], atol=1e-12)
        vectors = {name: parts for name, parts in VECTORS.items() if set(parts) <= set(values)}
        assert sorted(seen["names"]) == sorted([*values, *vectors])
        for name, parts in vectors.items():
            got = np.load(tmp_path / f"{i}-{name}.npy")
            assert np.array_equal(got, np.stack([values[part].ravel() for part in parts], axis=1))
        for name, want in values.items():
            got = np.load(tmp_path / f"{i}-{name}.npy")
            assert got.dtype == want.dtype and np.array_equal(got.reshape(want.shape), want)


# ---- VTK, while a run writes ----

LIVE = {
    "box": """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [8, 8, 8]
[initial]
kind = "taylor-green"
[[particles]]
name = "few"
count = 5
""",
    "blocks": """
[equations]
solver = "multiblock"
[grid]
kind = "wedge"
n = [12, 6, 1]
length = [1, 1.1, 1]
upstream = 0.3
angle = 10
[boundaries]
patches = ["inflow + top: supersonic-inflow, mach=2, pressure=1e5, temperature=300", "wall + plate: slip", "outflow: supersonic-outflow"]
[solution]
kind = "oblique-shock"
mach = 2
angle = 10
[initial]
kind = "stream"
""",
    "mesh": """
[equations]
solver = "fct"
[grid]
kind = "tets"
n = [4, 3, 2]
[initial]
kind = "sod"
""",
}
INTERVAL = {"box": 0.1, "blocks": 10, "mesh": 0.001}
# reads each file twice, the second time when it has more times than the first: as ParaView's "Reload Files" does
FOLLOW = """
import json, sys, time
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
import numpy

def leaves(data):
    if hasattr(data, "GetBlock"):
        return [leaf for i in range(data.GetNumberOfBlocks()) for leaf in leaves(data.GetBlock(i))]
    return [data]

def read(path):
    reader = vtkXdmfReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()) or ()
    if not times:
        return times, None
    reader.UpdateTimeStep(times[-1])
    reader.Update()
    sums = {}
    for leaf in leaves(reader.GetOutputDataObject(0)):
        for data in (leaf.GetPointData(), leaf.GetCellData()):
            for i in range(data.GetNumberOfArrays()):
                array = vtk_to_numpy(data.GetArray(i))
                assert numpy.isfinite(array).all()
                sums[data.GetArrayName(i)] = sums.get(data.GetArrayName(i), 0.0) + float((array.astype(float) ** 2).sum())
    return times, sums

told = {}
for path in sys.argv[1:]:
    first, _ = read(path)
    for _ in range(300):
        times, sums = read(path)
        if len(times) > max(len(first), 2):
            break
        time.sleep(0.1)
    told[path] = (len(first), times, sums)
print(json.dumps(told))
"""


def sums_of(path):
    """The sum of squares of each field in a file of fields."""
    with h5py.File(path) as f:
        where = f["VTKHDF/CellData"] if "VTKHDF" in f else f
        out = {}
        for name, d in where.items():
            if name.split(".")[0] in ("u", "v", "w", "rho", "p"):
                out[name.split(".")[0]] = out.get(name.split(".")[0], 0.0) + float((d[:].astype(float) ** 2).sum())
    return out


def test_fields_of_boxes_blocks_and_meshes_and_particles_grow_while_a_reader_looks(vtk, mpirun, triad, tmp_path):
    running = {}
    try:
        for name, case in LIVE.items():
            steady = "steady = true\nmax_steps = 100000000\nresidual = 0" if name == "blocks" else f"end = {1e5 * INTERVAL[name]}"
            (tmp_path / f"{name}.toml").write_text(f"{case}[time]\n{steady}\n[output]\nfields_interval = {INTERVAL[name]}\nslices = []\n"
                                                   'disk_check = "warn"\n' + ("particles_interval = 0.1\n" if name == "box" else ""))
            running[name] = mpirun.start(1, triad, "run", tmp_path / f"{name}.toml", "--dir", tmp_path / name, stdout=subprocess.DEVNULL)
        files = [tmp_path / name / "fields/fields.xmf" for name in LIVE] + [tmp_path / "box/particles/few.xmf"]
        wait_for(lambda: all(path.exists() for path in files), "the first times of each")
        read = subprocess.run([vtk, "-c", FOLLOW, *files], capture_output=True, text=True, timeout=100)
        assert all(process.poll() is None for process in running.values()), "still running"
    finally:
        for name, process in running.items():
            process.terminate()
            process.wait(30)
    assert read.returncode == 0 and "ERR" not in read.stderr, read.stderr
    told = json.loads(read.stdout.splitlines()[-1])
    for path in files:
        before, times, sums = told[str(path)]
        assert len(times) > before and times == sorted(set(times)), "more times, in order"
        if path.name == "few.xmf":
            continue
        stored = {float(h5py.File(f).attrs["t"]): f for f in path.parent.glob("*-0*") if f.suffix in (".h5", ".vtkhdf")}
        for name, want in sums_of(stored[min(stored, key=lambda t: abs(t - times[-1]))]).items():
            assert sums[name] == pytest.approx(want, rel=1e-5), name


# ---- xarray ----

@pytest.fixture(scope="module", params=["h5netcdf", "netcdf4"])
def xarray(request):
    """xarray.open_dataset with one of its two readers of HDF5."""
    package = pytest.importorskip("xarray", reason="no xarray: Debian's python3-xarray")
    pytest.importorskip({"netcdf4": "netCDF4"}.get(request.param, request.param),
                        reason=f"no {request.param}: Debian's python3-{request.param}")
    return lambda path: package.open_dataset(path, engine=request.param)


def test_xarray_opens_fields(run, xarray):
    for step in STEPS:
        values, t = fields(run, step)
        with xarray(run / f"fields/fields-{step:08d}.h5") as ds:
            assert set(ds.data_vars) == set(values) and float(ds.attrs["t"]) == t
            for name, want in values.items():
                assert ds[name].dims == ("z", "y", "x") and np.array_equal(ds[name].values, want)
                assert ds[name].attrs["units"] and ds[name].attrs["long_name"]
            for name, points in zip("xyz", axes(run)):
                assert np.allclose(ds[name].values, points, atol=1e-12)


@pytest.mark.parametrize("files, data", [("fields", ("z", "y", "x")), ("spectra", ("k",)), ("slices", ("z", "y"))])
def test_files_of_several_times_join_along_t(run, files, data):
    """What xarray.open_mfdataset does when nothing else is said, which takes dask as well."""
    package = pytest.importorskip("xarray", reason="no xarray: Debian's python3-xarray")
    pytest.importorskip("h5netcdf", reason="no h5netcdf: Debian's python3-h5netcdf")
    paths = sorted((run / files).glob("slice1-*.h5" if files == "slices" else "*.h5"))
    if files == "spectra" and "open" in run.parent.name:
        assert not paths  # it has none
        return
    assert len(paths) > 1
    opened = [package.open_dataset(path, engine="h5netcdf") for path in paths]
    # bins of PDFs lie elsewhere at each time: such a file is joined by its name, combine = "nested", concat_dim = "t"
    opened = [ds.drop_dims([dim for dim in ds.dims if dim.startswith("z_")]) for ds in opened]
    joined = package.combine_by_coords(opened, combine_attrs="override")
    for i, path in enumerate(paths):
        with h5py.File(path) as f:
            assert float(joined["t"][i]) == f.attrs["t"]
            name = next(name for name, d in f.items() if isinstance(d, h5py.Dataset) and
                        tuple(dim[0].name[1:] for dim in d.dims if len(dim)) == data)
            assert joined[name].dims == ("t", *data)
            assert np.array_equal(joined[name][i].values, f[name][:])


def test_xarray_opens_spectra_and_slices(run, xarray):
    for path in (*sorted((run / "spectra").glob("*.h5")), *sorted((run / "slices").glob("*.h5"))):
        with h5py.File(path) as f, xarray(path) as ds:
            names = [name for name, d in f.items() if isinstance(d, h5py.Dataset)]
            assert set(ds.variables) == set(names)
            for name in names:
                assert ds[name].dims == tuple(dim[0].name[1:] if len(dim) else name for dim in f[name].dims)
                assert np.array_equal(ds[name].values, f[name][:])
    gas = "gas" in run.parent.name
    x = axes(run)[0]
    at = x[abs(x - 1).argmin()] if gas else 1.0  # a gas is cut at the grid's plane that is nearest
    with xarray(run / "slices/slice1-00000004.h5") as ds:
        assert ds.attrs["axis"] == "x" and ds.attrs["at"] == pytest.approx(at, abs=1e-14)
        assert dict(ds.sizes) == {"t": 1, "z": N[2], "y": N[1]}
    if not gas:
        with xarray(run / "spectra/spectra-00000004.h5") as ds:
            name = "S_abs_psi_x" if "S_abs_psi_x" in ds else "S_abs_u_x"
            assert ds[name].sel(order=4).dims == ("r_x",) and (ds[name].sel(order=4) > 0).all()
