"""Files of the multi-block solver: walls, fields in HDF5 and CGNS, slices and their pictures, against the state and each other."""

import math

import h5py
import numpy as np
import pytest

import outputs
from multiblock import ANNULUS, FLOWS, TURNED, UNIFORM, cgns, run, state  # noqa: F401


def test_walls_have_files_of_their_own(run):
    """Pressure of the vortex at its circles, (1/1.4) rho^1.4: 1/1.4 and 2.507564^1.4/1.4; what acts on the faces is the force of the
    series; on any ranks the same file."""
    about = dict(grid=ANNULUS.format(n=16, n2=32), patches='"inner + outer: slip", "inflow: exact", "outflow: supersonic-outflow"',
                 solution='kind = "supersonic-vortex"\nmach = 2\nradius = 2', output="fields_interval = 100",
                 time="steady = true\nmax_steps = 100\nresidual = 0\ncfl = 0.8")
    found = []
    for ranks in (1, 3):
        folder = run(**about, ranks=ranks)
        with h5py.File(folder / "surfaces/surface-00000100.h5") as f:
            found.append({name: f[name][:] for name in f if name != "notes"})
    one, three = found
    assert one["p.inner"].size == 32 and one["p.inner"].mean() == pytest.approx(1 / 1.4, rel=0.01)
    assert one["p.outer"].mean() == pytest.approx(2.507564**1.4 / 1.4, rel=0.01)
    assert (np.hypot(one["x.outer"], one["y.outer"]) == pytest.approx(3, rel=1e-2))
    for axis in "xy":
        force = sum((one[f"p.{n}"] * one[f"area_{axis}.{n}"]).sum() for n in ("inner", "outer"))
        assert force == pytest.approx(outputs.series(folder)[f"force_{axis}"][-1], rel=1e-12)
    assert one.keys() == three.keys() and all(np.allclose(one[k], three[k], rtol=1e-11, atol=1e-12) for k in one)


def test_each_wall_has_its_own_forces(run, tmp_path):
    """Lift, drag and moment of walls by name, which add up to those of all, on any ranks; one wall alone has no columns of its own."""
    about = dict(grid="n = [16, 12, 1]\nblocks = [2, 1, 1]\nlength = [2, 1, 1]", initial="stream", initial__perturbation=0.01,
                 patches='"ymin: slip", "ymax: wall, temperature=310, u=20", "xmin + xmax: farfield, mach=0.5, pressure=1e5, temperature=300"',
                 equations='model = "laminar"\nviscosity = 10', time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0")
    one, three = (outputs.series(run(**about, ranks=n)) for n in (1, 3))
    for name in ("cl", "cd", "cm", "cl_friction", "cd_friction"):
        parts = [one[f"{name}_{wall}"][-1] for wall in ("ymin", "ymax")]
        assert sum(parts) == pytest.approx(one[name][-1], rel=1e-12, abs=1e-15)
        for wall in ("ymin", "ymax"):
            assert three[f"{name}_{wall}"][-1] == pytest.approx(one[f"{name}_{wall}"][-1], rel=1e-10, abs=1e-12)
    assert one["cl_ymin"][-1] < 0 < one["cl_ymax"][-1]  # pressure pushes each wall outwards
    others = outputs.series(run(**dict(about, patches=about["patches"].replace("ymin: slip", "*: slip"))))
    assert others["cl_ymax"][-1] == pytest.approx(one["cl_ymax"][-1], rel=1e-12) and "cl_ymin" not in others
    alone = outputs.series(run(**dict(about, patches=about["patches"].replace("slip", "symmetry"))))
    assert alone["cd"][-1] != 0 and not any(name.endswith(("_ymin", "_ymax")) for name in alone)


def test_fields_are_the_state_and_their_picture_names_them(run):
    folder = run(**FLOWS["euler"], patches='"*: exact"', output="fields_interval = 5", ranks=2,
                 time="steady = true\nmax_steps = 10\ncfl = 0.5\nresidual = 0", output__writer="gather")
    with h5py.File(folder / "fields/blocks-00000010.h5") as f, h5py.File(folder / "fields/grid.h5") as grid:
        rho = np.concatenate([f[f"rho.{b}"][:].ravel() for b in range(1, 9)])
        for b in range(1, 9):
            assert tuple(n + 1 for n in f[f"rho.{b}"].shape) == grid[f"x.{b}"].shape
    assert (rho == state(folder)[0]).all()
    import xml.etree.ElementTree as tree
    grids = tree.parse(folder / "fields/fields.xmf").getroot().find("Domain/Grid").findall("Grid")
    assert [float(g.find("Time").get("Value")) for g in grids] == [0, 5, 10]
    for item in grids[-1].iter("DataItem"):
        file, name = item.text.split(":/")
        with h5py.File(folder / "fields" / file) as f:
            assert [int(n) for n in item.get("Dimensions").split()] == list(f[name].shape)


def test_fields_in_cgns_have_the_numbers_of_hdf5(run, cgns):
    """By names of SIDS, in cells, with time and step; on three ranks."""
    folder = run(grid=f"n = [8, 6, 4]\nsmooth = 0.05\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2), ranks=3,
                 time="steady = true\nmax_steps = 3\ncfl = 0.5\nresidual = 0", output="fields_interval = 3\ncgns = true",
                 initial__perturbation=1e-3)
    with h5py.File(folder / "fields/blocks-00000003.cgns") as f, h5py.File(folder / "fields/blocks-00000003.h5") as h5, \
            h5py.File(folder / "fields/grid.h5") as grid:
        base = f["Base"]
        assert base["BaseIterativeData/TimeValues/ data"][:] == h5.attrs["t"] and base["BaseIterativeData/IterationValues/ data"][:] == 3
        for block in range(1, 9):
            zone = base[f"Block-{block:05d}"]
            solution = zone["FlowSolution00000003"]
            assert bytes(solution["GridLocation/ data"][:]) == b"CellCenter"
            for there, here in (("Density", "rho"), ("VelocityX", "u"), ("Pressure", "p"), ("Mach", "mach"), ("Temperature", "temperature")):
                assert (solution[f"{there}/ data"][:] == h5[f"{here}.{block}"][:]).all()
            assert (zone["GridCoordinates/CoordinateY/ data"][:] == grid[f"y.{block}"][:]).all()


def test_vtk_opens_fields_in_cgns(run, cgns):
    """All cells of all blocks, with the density of the flow."""
    reader = pytest.importorskip("vtkmodules.vtkIOCGNSReader", reason="VTK without CGNS").vtkCGNSReader()
    folder = run(grid=f"n = [8, 6, 4]\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2),
                 time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0", output="fields_interval = 1\ncgns = true")
    reader.SetFileName(str(folder / "fields/blocks-00000001.cgns"))
    reader.UpdateInformation()
    reader.EnableAllBases()
    reader.EnableAllCellArrays()
    reader.Update()
    blocks = reader.GetOutput().NewIterator()
    blocks.InitTraversal()
    cells = 0
    while not blocks.IsDoneWithTraversal():
        block = blocks.GetCurrentDataObject()
        cells += block.GetNumberOfCells()
        low, high = block.GetCellData().GetArray("Density").GetRange()
        assert abs(low - 1e5 / 287 / 300) < 1e-12 and abs(high - low) < 1e-12
        blocks.GoToNextItem()
    assert cells == 8 * 6 * 4


def test_slices_are_layers_of_blocks(run, triad, mpirun):
    """Values and corners those of the files of fields, of all blocks or of one, the same on any ranks; triad info takes them."""
    about = dict(grid=f"n = [8, 6, 4]\nsmooth = 0.05\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2),
                 time="steady = true\nmax_steps = 2\ncfl = 0.5\nresidual = 0", initial__perturbation=1e-3,
                 output='fields_interval = 2\nslices = ["2.j=1: p, temperature", "k=2"]')
    folder, other = run(**about), run(**about, ranks=3)
    with h5py.File(folder / "fields/blocks-00000002.h5") as f, h5py.File(folder / "fields/grid.h5") as grid:
        with h5py.File(folder / "slices/slice1-00000002.h5") as one:
            assert {name.split(".")[-1] for name in one if "." in name} == {"2"} and one.attrs["at"] == 1
            assert (one["p.2"][:] == f["p.2"][:, 0, :]).all() and (one["temperature.2"][:] == f["temperature.2"][:, 0, :]).all()
            assert np.abs(one["x.2"][:] - (grid["x.2"][:, 0, :] + grid["x.2"][:, 1, :]) / 2).max() < 1e-15
        with h5py.File(folder / "slices/slice2-00000002.h5") as two:
            for block in range(1, 9):  # turned blocks differ in the number of their layers
                assert (f"mach.{block}" in two) == (f[f"rho.{block}"].shape[0] >= 2)
                if f"mach.{block}" in two:
                    assert (two[f"mach.{block}"][:] == f[f"mach.{block}"][1]).all()
    for path in sorted((folder / "slices").glob("*.png")):
        assert path.read_bytes() == (other / "slices" / path.name).read_bytes()
    assert len(list((folder / "slices").glob("*.png"))) == 4
    assert "WRONG" not in mpirun(1, triad, "info", folder).stdout


def test_a_picture_of_a_slice_shows_cells_where_they_are(run):
    """The lower half of a ring of radii 1 and 2: what no cell covers is grey; its share of the picture is 1 - (3 pi/2)/(4 2)."""
    image = pytest.importorskip("matplotlib.image")
    folder = run(grid='kind = "annulus"\nn = [128, 16, 1]\nradii = [1, 2]\nangles = [180, 360]\nblocks = [2, 2, 1]', patches='"*: exact"',
                 solution=UNIFORM.format(mach=2), time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0",
                 output='slices = ["auto: mach"]')
    pixels = image.imread(folder / "slices/slice1-mach-00000001.png")[..., :3]
    assert pixels.shape == (512, 1024, 3)
    grey = np.abs(pixels - 128 / 255).max(axis=-1) < 1e-3
    assert abs(grey.mean() - (1 - 1.5 * math.pi / 8)) < 3e-3  # chords, and pixels at the edges
    assert grey[0, 512] and not grey[-2, 512] and not grey[2, 128]


@pytest.mark.parametrize("slices, says", [('"z=0"', "not a layer of cells"), ('"k=5"', "no layer k = 5"), ('"9.k=1"', "there is no block 9: the grid has 1"),
                                          ('"k=1: speeed"', "not a quantity")])
def test_slices_that_there_are_not_are_refused(run, slices, says):
    result = run(grid="n = [4, 4, 1]", patches='"*: exact"', solution=UNIFORM.format(mach=2), output=f"slices = [{slices}]", expect=65)
    assert says in result.stderr
