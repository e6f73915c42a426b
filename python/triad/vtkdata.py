"""Fields as objects of VTK: grids of points, meshes, blocks."""
import numpy as np

from triad.errors import UsageError
from triad.raising import import_required

# components that belong together: the vector's name
VECTORS = {"velocity": ("u", "v", "w"), "magnetic_field": ("bx", "by", "bz"), "vorticity_vector": ("vorticity_x", "vorticity_y", "vorticity_z"),
           "mean_velocity": ("mean_u", "mean_v", "mean_w")}


def _array(values, name, components=1):
    vtk = import_required("vtkmodules.util.numpy_support")
    values = np.ascontiguousarray(values).reshape(-1, components) if components > 1 else np.ascontiguousarray(values).ravel()
    out = vtk.numpy_to_vtk(values, deep=True)
    out.SetName(name)
    return out


def _add(data, fields):
    """Fields {name: values}, and the vectors that they make up."""
    for name, values in fields.items():
        data.AddArray(_array(values, name))
    for name, parts in VECTORS.items():
        if all(part in fields for part in parts):
            data.AddArray(_array(np.stack([np.ravel(fields[part]) for part in parts], axis=1), name, 3))


def _note_time(out, t):
    out.GetFieldData().AddArray(_array(np.array([float(t)]), "TimeValue"))
    return out


def _points(points):
    core = import_required("vtkmodules.vtkCommonCore")
    out = core.vtkPoints()
    out.SetData(_array(points, "points", 3))
    return out


def of_points(dataset):
    """vtkRectilinearGrid of a file of fields at points (z, y, x)."""
    model = import_required("vtkmodules.vtkCommonDataModel")
    names = [name for name in dataset if dataset[name].dims == ("z", "y", "x")]
    if not names or any(dataset._scales.get(a) is None for a in "xyz"):
        raise UsageError(f"{dataset.path}: not a file of fields at points x, y, z")
    grid, shape = model.vtkRectilinearGrid(), dataset[names[0]].shape
    grid.SetDimensions(*shape[::-1])
    for axis, set_axis in zip("xyz", (grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates)):
        set_axis(_array(dataset._scales[axis], axis))
    _add(grid.GetPointData(), {name: dataset[name].values for name in names})
    return _note_time(grid, dataset.t)


def of_mesh(mesh):
    """vtkUnstructuredGrid, with the cells in their order in the file."""
    model, vtk = import_required("vtkmodules.vtkCommonDataModel"), import_required("vtkmodules.util.numpy_support")
    types, sizes = np.zeros(mesh.n, np.uint8), np.zeros(mesh.n, np.int64)
    for shape, (numbers, corners) in mesh.shapes.items():
        types[numbers], sizes[numbers] = shape, corners.shape[1]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    nodes = np.empty(offsets[-1], np.int64)
    for numbers, corners in mesh.shapes.values():
        nodes[offsets[numbers][:, None] + np.arange(corners.shape[1])] = corners
    cells = model.vtkCellArray()
    cells.SetData(vtk.numpy_to_vtkIdTypeArray(offsets, deep=True), vtk.numpy_to_vtkIdTypeArray(nodes, deep=True))
    grid = model.vtkUnstructuredGrid()
    grid.SetPoints(_points(mesh.points))
    grid.SetCells(vtk.numpy_to_vtk(types, deep=True), cells)
    _add(grid.GetCellData(), {name: mesh[name].values for name in mesh})
    return _note_time(grid, mesh.t)


def of_blocks(blocks):
    """vtkMultiBlockDataSet of a vtkStructuredGrid a block."""
    model = import_required("vtkmodules.vtkCommonDataModel")
    out = model.vtkMultiBlockDataSet()
    for n, block in enumerate(blocks.blocks):
        grid, nodes = model.vtkStructuredGrid(), [block[a].values for a in "xyz"]
        grid.SetDimensions(*nodes[0].shape[::-1])
        grid.SetPoints(_points(np.stack([a.ravel() for a in nodes], axis=1)))
        _add(grid.GetCellData(), {name: block[name].values for name in block if name not in "xyz"})
        out.SetBlock(n, _note_time(grid, blocks.t))
        out.GetMetaData(n).Set(model.vtkCompositeDataSet.NAME(), f"block {block.number}")
    return out
