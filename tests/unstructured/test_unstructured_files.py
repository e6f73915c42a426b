"""Files of flux-corrected transport: fields as VTK opens them, probes, means, slices, a start from another mesh's fields."""

import math

import h5py
import numpy as np
import pytest

from unstructured import PERIODIC, READ_HDF, SHAPES, cell_data, centres, read_by_vtk, run, state  # noqa: F401

READ_XDMF = """
import sys, numpy
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
reader = vtkXdmfReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS())
reader.UpdateTimeStep(times[-1])
grid = reader.GetOutputDataObject(0)
types = [grid.GetCellType(i) for i in range(grid.GetNumberOfCells())]
numpy.savez(sys.argv[2], times=times, types=types, rho=vtk_to_numpy(grid.GetCellData().GetArray("rho")))
"""


@pytest.mark.parametrize("kind", SHAPES)
def test_vtk_opens_files_of_fields(run, kind, tmp_path):
    """Cells in the mesh's order, of positive volume, so that corners are in VTK's; values those of the state. Polyhedra as pieces, which
    tell whose they are."""
    folder = run(kind, (4, 3, 2), "sod", ranks=2, end=0.02, length=(1, 0.7, 0.5), output__fields_interval=0.01)
    files = sorted((folder / "fields").glob("*.vtkhdf"))
    assert len(files) == 3
    data = read_by_vtk(READ_HDF, "vtkmodules.vtkIOHDF", files[-1], tmp_path / "read.npz")
    rho, rho_u, _, _, e = state(folder)
    whole = data["cell"].astype(int) if kind == "polyhedra" else np.arange(len(rho))
    assert np.array_equal(np.unique(whole), np.arange(len(rho)))
    assert np.array_equal(data["rho"], rho[whole])
    assert np.abs(data["u"] - (rho_u / rho)[whole]).max() < 1e-15
    assert data["Volume"].min() > 0
    assert abs(data["Volume"].sum() - 0.35) < 1e-14
    assert np.abs(data["T"] - data["p"] / data["rho"]).max() < 1e-15
    assert set(data) >= {"rho", "u", "v", "w", "p", "T", "mach", "schlieren"}


def test_xdmf_ties_the_times_of_a_run_together(run, tmp_path):
    folder = run("hybrid", (4, 3, 2), "sod", end=0.02, output__fields_interval=0.01)
    data = read_by_vtk(READ_XDMF, "vtkmodules.vtkIOXdmf2", folder / "fields/fields.xmf", tmp_path / "read.npz")
    assert np.allclose(data["times"], [0, 0.01, 0.02], rtol=1e-15)
    assert np.array_equal(data["rho"], state(folder)[0])
    assert sorted(set(data["types"].tolist())) == [10, 12]


def probe_rows(folder, name):
    """t, places, and values by name, of all files of a probe."""
    files = sorted((folder / "probes").glob(f"{name}-*.h5"))
    data = {}
    for path in files:
        with h5py.File(path) as f:
            for key in ("t", "rho", "u", "v", "w", "p"):
                data.setdefault(key, []).append(f[key][:])
            x = f["x"][:]
    return x, {key: np.concatenate(values) for key, values in data.items()}


PROBES = ["axis: line, x=0.05, y=0.55, z=0.45, to_x=0.95, n=10", "tap: point, x=0.31, y=0.23, z=0.71",
          "far: cylinder, x=0.23, y=0.52, z=0.52, to_x=0.83, radius=0.27, n=3, around=8",
          "lid: disk, x=0.23, y=0.52, z=0.52, radius=0.3, n=3, around=8"]


def test_probes_see_the_cells_that_they_lie_in_on_any_ranks_and_through_a_restart(run):
    """The last row against the state at the end, by the cube in which a place lies; a run in two parts has the rows of one."""
    blast = {"end": 0.1, "output__probes": PROBES, "output__probes_interval": 0.01, "time__dt": 0.002,
             "initial__energy": 10, "initial__radius": 0.3, "initial__centre": [0.5, 0.4, 0.5]}
    whole = run("hexes", (10, 10, 10), "blast", **blast)
    rho = state(whole)[0].reshape(10, 10, 10)
    for name, places in (("axis", 10), ("tap", 1), ("far", 24), ("lid", 24)):
        x, rows = probe_rows(whole, name)
        assert x.shape == (places, 3) and rows["p"].shape == (11, places)
        assert np.abs(rows["t"] - 0.01 * np.arange(11)).max() < 0.002
        i, j, k = np.floor(x * 10 + 1e-9).astype(int).T
        assert np.array_equal(rows["rho"][-1], rho[k, j, i])
    assert np.abs(np.hypot(*(probe_rows(whole, "far")[0] - 0.52)[:, 1:].T) - 0.27).max() < 1e-15
    rings = np.hypot(*(probe_rows(whole, "lid")[0] - 0.52)[:, 1:].T).reshape(3, 8)
    assert np.abs(rings - np.array([[0.05], [0.15], [0.25]])).max() < 1e-15
    whole = run("hexes", (10, 10, 10), "blast", grid__shake=0.1, **blast)
    parts = run("hexes", (10, 10, 10), "blast", grid__shake=0.1, ranks=3, time__max_steps=22, **blast)
    run("hexes", (10, 10, 10), "blast", grid__shake=0.1, folder=parts, ranks=2, **blast)
    for name in ("axis", "far"):
        for key in ("t", "p", "v"):
            assert np.abs(probe_rows(parts, name)[1][key] - probe_rows(whole, name)[1][key]).max() < 1e-11


def test_means_are_those_of_the_steps_and_go_through_a_restart(run):
    """Against sums over the rows of a probe at every step, of some 25 steps in double precision: 1e-12."""
    end = {"end": 0.1, "time__dt": 0.004, "initial__energy": 10, "initial__radius": 0.3, "initial__centre": [0.5, 0.4, 0.5],
           "output__means": True, "output__means_from": 0.02, "output__fields_interval": 0.1}
    whole = run("hexes", (6, 6, 6), "blast", output__probes=["axis: line, x=0.25, y=0.25, z=0.25, to_y=0.75, n=4"], **end)
    places, rows = probe_rows(whole, "axis")
    weights = np.diff(rows["t"])
    later = rows["t"][:-1] >= 0.02 - 1e-12
    x, *found = cell_data(whole, 8, "mean_u", "mean_p", "stress_uv", "variance_p")
    nearest = [np.argmin(((x.T - place)**2).sum(axis=1)) for place in places]

    def mean(values):
        return np.average(values[1:][later], axis=0, weights=weights[later])
    u, v, p = (rows[key] - mean(rows[key]) for key in ("u", "v", "p"))
    for values, exact in zip(found, (mean(rows["u"]), mean(rows["p"]), mean(u * v), mean(p * p))):
        assert np.abs(values[nearest] - exact).max() < 1e-12 * (1 + np.abs(exact).max())
        assert np.abs(exact).max() > 1e-3
    part = run("hexes", (6, 6, 6), "blast", time__max_steps=12, **end)
    run("hexes", (6, 6, 6), "blast", folder=part, **end)
    assert np.array_equal(cell_data(part, 8, "stress_uv")[1], found[2])


def test_slices_show_the_cells_and_nothing_outside(run):
    """The plane z = 0.4 of a wedge, HDF5 and pictures; below its floor there is nothing."""
    folder = run("hexes", (12, 8, 3), "sod", length=(1.5, 1, 0.9), end=0.02, grid__shape="wedge", grid__angle=30, ranks=2,
                 output__slices=["z=0.4: rho, mach"])
    slices = sorted((folder / "slices").glob("slice1-*"))
    assert [path.suffix for path in slices].count(".png") == 2
    with h5py.File(next(path for path in slices if path.suffix == ".h5")) as f:
        shown, x, y = f["rho"][:], f["x"][:], f["y"][:]
    floor = np.maximum(0, (x - 0.5) * math.tan(math.radians(30)))
    assert np.array_equal(np.isnan(shown), y[:, None] < floor)
    (at_x, at_y, at_z), rho = cell_data(run("hexes", (12, 8, 3), "sod", length=(1.5, 1, 0.9), end=0.02, grid__shape="wedge",
                                            grid__angle=30, output__fields_interval=0.02), 8, "rho")
    middle = np.abs(at_z - 0.45) < 0.1
    cells = np.array([[rho[middle][np.argmin((at_x[middle] - a)**2 + (at_y[middle] - b)**2)] for a in x] for b in y])
    there = ~np.isnan(shown)
    assert (np.abs(shown - cells)[there] < 1e-12).mean() > 0.95  # others lie between two cells


def test_a_start_from_another_mesh_takes_the_nearest_cells(run):
    """Tetrahedra from hexahedra: each has the density of the cube in which its centre lies."""
    source = run("hexes", (6, 6, 6), "wave", patches=PERIODIC, end=0.05, output__fields_interval=0.05)
    path = sorted((source / "fields").glob("*.vtkhdf"))[-1]
    taken = run("tets", (6, 6, 6), "nearest", patches=PERIODIC, end=0.05, time__max_steps=0, initial__file=str(path))
    i, j, k = np.floor(centres("tets", (6, 6, 6), (1, 1, 1)) * 6).astype(int).T
    assert np.abs(state(taken)[0] - state(source)[0].reshape(6, 6, 6)[k, j, i]).max() < 1e-15
    path.write_bytes(path.read_bytes()[:1000])
    run("tets", (6, 6, 6), "nearest", initial__file=str(path), expect=65)
