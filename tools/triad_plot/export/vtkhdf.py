"""One small VTKHDF file that shows all times of a run to ParaView 5.12 and later: its arrays are views of the files in fields/."""
import os

import h5py
import numpy as np

from triad_plot.problem import Problem
from triad_plot.read import hdf5


def place_of(path, out):
    """The path of a file of fields, relative to the folder of the new file."""
    here, there = os.path.dirname(os.path.realpath(out)), os.path.realpath(path)
    return os.path.relpath(there, here)


def view_of(parts, source, out):
    """A virtual dataset (t, z, y, x[, component])."""
    with hdf5.open_file(source.files[0]) as file:
        dtype = file[parts[0]].dtype
    shape = (len(source.t), *source.own, *[3] * (len(parts) > 1))
    layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
    for i, path in enumerate(source.files):
        for k, part in enumerate(parts):
            layout[(i, *[slice(None)] * 3, *[k] * (len(parts) > 1))] = h5py.VirtualSource(place_of(path, out), part, shape=source.own)
    return layout


def check(source):
    if not source.evenly:
        raise Problem(f"{source.path}: its points are not evenly spaced, which VTKHDF images must be; open fields/fields.xmf instead")
    for i in range(len(source.t)):
        with hdf5.open_file(source.files[i]) as file:
            for name in source.names:
                if name not in file or file[name].shape != source.own:
                    raise Problem(f"{source.files[i]}: has no {name} on {' x '.join(map(str, source.own[::-1]))} points; select files with --from "
                                  "and --to, or fields with --fields")


def write(path, out, source):
    check(source)
    vectors, single = source.vectors()
    with h5py.File(path, "w", libver="latest") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0])
        root.attrs.create("Type", np.bytes_(b"ImageData"))   # fixed length and ASCII: older ParaView refuses others
        x, n = source.coordinates, source.own[::-1]
        root.attrs["WholeExtent"] = np.array([0, n[0] - 1, 0, n[1] - 1, 0, n[2] - 1])
        root.attrs["Origin"] = np.array([float(one[0]) for one in x])
        root.attrs["Spacing"] = np.array([float(one[1] - one[0]) if len(one) > 1 else 1.0 for one in x])
        root.attrs["Direction"] = np.eye(3).ravel()
        data, steps = root.create_group("PointData"), root.create_group("Steps")
        steps.attrs["NSteps"] = len(source.t)
        steps["Values"] = source.t
        offsets = steps.create_group("PointDataOffsets")
        for name, parts in [(name, [name]) for name in single] + [(name, parts) for name, parts in vectors if len(parts) == 3]:
            data.create_virtual_dataset(name, view_of(parts, source, out))
            offsets[name] = np.arange(len(source.t))
        for name in (part for _, parts in vectors if len(parts) < 3 for part in parts):
            data.create_virtual_dataset(name, view_of([name], source, out))
            offsets[name] = np.arange(len(source.t))
        count = len(data)
    return [f"{count} arrays at {len(source.t)} times, views of {source.path}/fields: move both together"]
