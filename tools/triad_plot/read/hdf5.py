"""What Triad's HDF5 files have in common: step and t at the root, the case in /notes, units with every dataset."""
import os

import h5py
import numpy as np

from triad_plot import FOLDER
from triad_plot.problem import Problem, of_reading
from triad_plot.read import guarded

PLUGINS = [path for path in (os.path.join(FOLDER, "../../build/hdf5"), os.path.join(FOLDER, "../../../lib/triad/hdf5"))
           if os.path.isdir(path)]   # in the tree, and where `make install` puts it: what reads packed fields
for place in PLUGINS:
    h5py.h5pl.prepend(os.path.realpath(place).encode())


def open_file(path):
    """An h5py.File; Problem for a file that is missing or is not HDF5."""
    try:
        with open(path, "rb") as file:
            head = file.read(8)
        if head != b"\x89HDF\r\n\x1a\n":
            raise Problem(f"{path}: {'is empty' if not head else 'not an HDF5 file'}")
        fault = guarded.fault_of(path)
        if fault:
            raise Problem(f"{path}: {fault}")
        return h5py.File(path, "r")
    except (OSError, RuntimeError) as error:
        raise of_reading(path, error) from None


def read(path, what):
    """what(file) of an open file; everything that a torn file may throw becomes a Problem."""
    with open_file(path) as file:
        try:
            return what(file)
        except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:
            raise of_reading(path, error) from None


def time_of(file):
    t = file.attrs.get("t")
    if t is None:
        raise Problem(f"{file.filename}: not a file of Triad (attribute t is missing)")
    return float(t)


def text_of(item, name):
    """A text attribute of a group or dataset; "" where there is none."""
    value = item.attrs.get(name, "")
    if isinstance(value, np.ndarray):
        value = value.ravel()[0] if value.size else ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def case_in(file):
    """The resolved case that the file carries in its notes; "" without."""
    notes = file.get("notes")
    if notes is None:
        return ""
    if "case" in notes.attrs:
        return text_of(notes, "case")
    if "case" in notes:
        value = notes["case"][()]
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return ""


def is_part(file):
    """Are its points a part of a box ("box" in output.fields), so that neither end of an axis goes on at the other?"""
    return "part_of" in file.attrs


def skew_of(file):
    """Skew of the fields of a sheared flow, which repeat after the length along y at another x; 0: they are periodic.

    Files of fields at points have the note only if they lean; in checkpoints it may be rounding (TRIAD_SKEW_OF_ROUNDING)."""
    notes = file.get("notes")
    skew = 0.0 if notes is None else float(notes.attrs.get("shear_skew", 0.0))
    return skew if abs(skew) > 1e-9 else 0.0


def case_text(path):
    return read(path, case_in)


def files_in(folder, prefix, ending=".h5"):
    """prefix*.h5 of the folder, in order of their steps: those of more than eight digits are the longer names."""
    try:
        names = sorted(os.listdir(folder), key=lambda name: (len(name), name))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if name.startswith(prefix) and name.endswith(ending)]
