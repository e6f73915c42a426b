"""One NetCDF-4 file with the names of the CF conventions: an HDF5 file whose dimensions are dimension scales."""
import h5py
import numpy as np

from triad_plot.export import conventions


def put_scale(file, name, values, attributes):
    item = file.create_dataset(name, data=values, track_order=True)
    item.make_scale(name)
    item.attrs["_Netcdf4Dimid"] = np.int32("tzyx".index(name))
    put_attributes(item, attributes)
    return item


def put_attributes(item, attributes):
    for name, text in attributes.items():
        item.attrs.create(name, np.bytes_(text.encode("utf-8")))   # of fixed length, as NC_CHAR


def write(path, source, options):
    medium = options.medium
    with h5py.File(path, "w", track_order=True) as file:
        put_attributes(file, conventions.of_file(source))
        scales = [put_scale(file, "t", source.t, conventions.of_time(medium))]
        scales += [put_scale(file, axis, source.coordinates["xyz".index(axis)], conventions.of_coordinate(axis, medium)) for axis in "zyx"]
        for name in source.names:
            item = file.create_dataset(name, (len(source.t), *source.n), np.float64 if options.double else np.float32, chunks=(1, *source.n),
                                       track_order=True)
            for dim, scale in zip(item.dims, scales):
                dim.attach_scale(scale)
            put_attributes(item, conventions.of_field(name, source.units[name], source.long[name], medium))
            for i in range(len(source.t)):
                item[i] = source.read(i, name)
    return [f"{len(source.names)} fields at {len(source.t)} times, CF-1.11"]
