"""What tests of flux-corrected transport share: a case and its run, Sod's tube, states, centres and files of cells, VTK that reads them."""

import math
import subprocess
import sys

import h5py
import numpy as np
import pytest

import outputs

CASE = """[equations]
solver = "fct"
[grid]
kind = "{kind}"
n = {n}
length = {length}
[initial]
kind = "{start}"
[boundaries]
patches = {patches}
[time]
end = {end}
[output]
series_interval = 0
report = false
"""
SHAPES = ("tets", "hexes", "prisms", "pyramids", "hybrid", "polyhedra")
SIDES = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax")
PERIODIC = [f"{side}: periodic" for side in SIDES]
STATE = ("rho", "rho_u", "rho_v", "rho_w", "e")


def text_of(kind, n, start, length=(1, 1, 1), patches=(), end=0.1):
    """The text of a case."""
    return CASE.format(kind=kind, n=list(n), length=list(length), start=start, patches=list(patches), end=end).replace("'", '"')


@pytest.fixture
def run(run_case):
    """run(kind, n, start, ..): the folder of a run; other keys by name, as outputs.sets has them."""
    def go(kind, n, start, *arguments, length=(1, 1, 1), patches=(), end=0.1, **more):
        return run_case(text_of(kind, n, start, length, patches, end), *arguments, **more)
    return go


def state(folder):
    """Of its newest checkpoint: [field][cell]."""
    return outputs.points(folder, STATE).reshape(len(STATE), -1)


# Corners of a cube's tetrahedra, i + 2 j + 4 k, as src/mesh/make/generate.c has them.
TETS = ((0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7))


def centres(kind, n, length):
    """Of the cells of an unshaken mesh, in its own order."""
    k, j, i = np.meshgrid(*(np.arange(m) for m in reversed(n)), indexing="ij")
    base = np.stack([i, j, k], -1).reshape(-1, 1, 3)
    tets = np.array([np.mean([[c & 1, c >> 1 & 1, c >> 2] for c in tet], axis=0) for tet in TETS])
    cube = np.array([[0.5, 0.5, 0.5]])
    if kind == "hybrid":
        at = np.concatenate([corner + (cube if 2 * corner[0, 0] < n[0] else tets) for corner in base])
    else:
        at = base + (tets if kind == "tets" else cube)
    return (at * np.array(length) / np.array(n)).reshape(-1, 3)


def sod_density(x, t):
    """Toro's test 1: pressure 0.30313018 and velocity 0.92745262 between the waves."""
    g, p, u, left, right, shock = 1.4, 0.30313018, 0.92745262, 0.42631943, 0.26557371, 1.75215573
    c, behind = math.sqrt(g), math.sqrt(g * p / left)
    xi = (x - 0.5) / t
    fan = np.maximum(2 / (g + 1) - (g - 1) / ((g + 1) * c) * xi, 1e-9)**(2 / (g - 1))
    return np.select([xi < -c, xi < u - behind, xi < u, xi < shock], [1, fan, left, right], 0.125)


def sod_error(run, kind, n, **more):
    """The mean error of the density along Sod's tube of n cubes at t = 0.2; x and the density of its cells."""
    tube = {"length": (1, 2 / n, 2 / n), "patches": ["xmin: outflow", "xmax: outflow"], "end": 0.2}
    folder = run(kind, (n, 2, 2), "sod", **tube, **more)
    x = centres(kind, (n, 2, 2), tube["length"])[:, 0]
    return np.abs(state(folder)[0] - sod_density(x, 0.2)).mean(), x, state(folder)[0]


def cell_data(folder, corners, *names):
    """Centres of the cells of the newest file of fields, and values there."""
    with h5py.File(sorted((folder / "fields").glob("*.vtkhdf"))[-1]) as f:
        points, connectivity = f["VTKHDF/Points"][:], f["VTKHDF/Connectivity"][:]
        return points[connectivity.reshape(-1, corners)].mean(axis=1).T, *(f[f"VTKHDF/CellData/{name}"][:] for name in names)


# Arrays of cells in a file of VTKHDF, and their sizes, as VTK has them.
READ_HDF = """
import sys, numpy
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
from vtkmodules.util.numpy_support import vtk_to_numpy
reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
sizes = vtkCellSizeFilter()
sizes.SetInputConnection(reader.GetOutputPort())
sizes.Update()
data = sizes.GetOutput().GetCellData()
names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
numpy.savez(sys.argv[2], **{name: vtk_to_numpy(data.GetArray(name)) for name in names})
"""


def read_by_vtk(script, module, path, out):
    """What a script, which reads `path` with a module of VTK, has saved in `out`; a Python that has it is looked for."""
    for python in ("/usr/bin/python3", sys.executable):
        probe = subprocess.run([python, "-c", f"import numpy, {module}"], capture_output=True)
        if probe.returncode == 0:
            subprocess.run([python, "-c", script, path, out], check=True, timeout=100)
            return np.load(out)
    pytest.skip(f"no Python with {module}: apt install python3-vtk9, or pip install vtk")
