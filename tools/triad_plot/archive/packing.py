"""HDF5 files packed: the same datasets, compressed, on request with values rounded to a stated error.

A value is rounded to a multiple of a power of two, of which half is at most the error that is allowed. So the last bits of all values
are zero, and deflate finds them; whoever reads the file needs no filter that HDF5 does not have.
"""
import h5py
import numpy as np

from triad_plot.problem import Problem, of_reading
from triad_plot.read import hdf5

SCALES = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates")
STANDARD = (1, 2, 3, 4, 5, 6)   # filters that every HDF5 has: deflate, shuffle, fletcher32, szip, nbit, scaleoffset
LEVEL, SMALL = 6, 4096   # of deflate; bytes that are not worth a chunk


def rounded(values, error):
    """Each value moved by at most `error` times the rms of all."""
    values = np.asarray(values)
    rms = float(np.sqrt(np.mean(np.square(values, dtype=np.float64)))) if values.size else 0.0
    if not error or not np.isfinite(rms) or rms == 0:
        return values
    quantum = 2.0 ** np.floor(np.log2(2 * error * rms))
    return (np.rint(values / quantum) * quantum).astype(values.dtype)


def error_made(before, after):
    """(largest, rms) of the differences over the rms of the values."""
    before = np.asarray(before, np.float64)
    rms = float(np.sqrt(np.mean(before**2))) if before.size else 0.0
    if rms == 0 or not np.isfinite(rms):
        return 0.0, 0.0
    off = np.abs(np.asarray(after, np.float64) - before)
    return float(off.max() / rms), float(np.sqrt(np.mean(off**2)) / rms)


def has_other_filters(path):
    """Are there datasets that only a plugin can read?"""
    found = []

    def look(_name, item):
        if isinstance(item, h5py.Dataset):
            plist = item.id.get_create_plist()
            found.extend(plist.get_filter(i)[0] for i in range(plist.get_nfilters()))
    hdf5.read(path, lambda file: file.visititems(look))
    return any(number not in STANDARD for number in found)


def _copy_attributes(item, new):
    for name in item.attrs:
        if name in SCALES:
            continue
        value = item.attrs.get_id(name)
        if value.shape is None:  # an empty one
            new.attrs[name] = h5py.Empty(value.dtype)
        else:
            new.attrs.create(name, item.attrs[name], shape=value.shape, dtype=value.dtype)


def _is_field(item):
    return item.dtype.kind == "f" and item.size > 1 and item.attrs.get("CLASS") != b"DIMENSION_SCALE"


def _copy_dataset(item, folder, name, error, geometry):
    values = item[()]
    may_round = error > 0 and _is_field(item) and not geometry(item.name)
    stored = rounded(values, error) if may_round else values
    if item.shape and item.size * item.dtype.itemsize > SMALL:
        new = folder.create_dataset(name, data=stored, dtype=item.dtype, chunks=item.chunks or True, compression="gzip",
                                    compression_opts=LEVEL, shuffle=True, track_times=False)
    else:
        new = folder.create_dataset(name, data=stored, dtype=item.dtype, track_times=False)
    _copy_attributes(item, new)
    if not may_round:
        return new, (0.0, 0.0)
    made = error_made(values, stored)
    if made[0] > error * (1 + 1e-6):
        raise Problem(f"{item.file.filename}: {item.name}: rounding to {error:g} of the rms made an error of {made[0]:g}; "
                      "use a larger --error, or 0")
    new.attrs["packed_error_allowed"], new.attrs["packed_error_largest"], new.attrs["packed_error_rms"] = error, *made
    return new, made


def _copy_group(group, out, error, geometry, errors):
    _copy_attributes(group, out)
    scales = {}
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            _copy_group(item, out.create_group(name), error, geometry, errors)
        else:
            new, made = _copy_dataset(item, out, name, error, geometry)
            if made[0] > 0:
                errors[item.name.lstrip("/")] = made
            if item.attrs.get("CLASS") == b"DIMENSION_SCALE":
                new.make_scale(name)
                scales[name] = new
    for name, item in group.items():
        if isinstance(item, h5py.Dataset):
            for axis, dim in enumerate(item.dims):
                for scale in dim.keys():
                    if scale in scales:
                        out[name].dims[axis].attach_scale(scales[scale])


def is_geometry(name):
    """Where cells are, which is never rounded."""
    return name.startswith(("/VTKHDF/Points", "/x.", "/y.", "/z.", "/area_")) or name in ("/x", "/y", "/z", "/t", "/position")


def pack(path, to, error=0.0):
    """Copy an HDF5 file; {dataset: (largest, rms) error over its rms} of those that were rounded. It is read back and compared."""
    errors = {}

    def work(file):
        with h5py.File(to, "w") as out:
            _copy_group(file, out, error, is_geometry, errors)
    hdf5.read(path, work)
    _compare(path, to, errors)
    return errors


def _compare(path, to, errors):
    """Every dataset again from the disk: the same bits, but for those that were rounded."""
    try:
        with hdf5.open_file(path) as one, h5py.File(to, "r") as other:
            def look(name, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and name not in errors:
                    if item[()].tobytes() != other[name][()].tobytes():
                        raise Problem(f"{to}: {name} differs from {path} after packing")
            one.visititems(look)
    except (OSError, KeyError, RuntimeError) as error:
        raise of_reading(to, error) from None
