"""Planes to look at: of slices/*.h5, or cut out of fields/*.h5."""
import os
import re

import h5py
import numpy as np

from triad_plot import hdf5
from triad_plot.derivative import Plane
from triad_plot.problem import USAGE, Absent, Problem

AXES = {"z": 0, "y": 1, "x": 2}
# name: (datasets it is made of, symbol, unit, has it a sign)
QUANTITIES = {
    "vorticity": (("u", "v", "w"), r"$|\omega|$", "1/T", False),
    "current": (("bx", "by", "bz"), r"$|j|$", "1/T", False),
    "theta": (("theta",), r"$\theta$", "U", True),
    "density": (("psi_re", "psi_im"), r"$\rho = |\psi|^2$", "M", False),
    "phase": (("psi_re", "psi_im"), r"$\arg\psi$", "rad", True),
    "speed": (("u", "v", "w"), r"$|u|$", "U", False),
    "magnetic": (("bx", "by", "bz"), r"$|b|$", "U", False),
}
USUAL_PLACE = 3 / 8  # of the side: off the planes of symmetry of the usual initial fields
USUAL = ("vorticity", "current", "theta", "density")


class Cut:
    """values [rows][columns]; names of both and borders of their cells; where the plane lies; what is drawn."""

    def __init__(self, values, rows, columns, where, t, symbol, unit, signed, name):
        self.values, self.rows, self.columns, self.where, self.t = values, rows, columns, where, t
        self.symbol, self.unit, self.signed, self.name = symbol, unit, signed, name


def parse_plane(text):
    """"z", "z=0" or "y=1.5" as (axis letter, coordinate or None)."""
    found = re.fullmatch(r"\s*([xyz])\s*(?:=\s*([-+0-9.eE]+)\s*)?", text)
    try:
        return found.group(1), float(found.group(2)) if found.group(2) else None
    except (AttributeError, ValueError):
        raise Problem(f"--plane {text}: wanted is x, y or z, with a place such as z=1.57 if not in the middle",
                      USAGE) from None


def usual_in(names):
    return [name for name in USUAL if all(part in names for part in QUANTITIES[name][0])]


def compute(plane, name, data):
    parts = QUANTITIES[name][0]
    if name in ("vorticity", "current"):
        return np.sqrt(sum(c * c for c in plane.curl(*(data[part] for part in parts))))
    values = [plane.values(data[part]) for part in parts]
    if name == "phase":
        return np.arctan2(values[1], values[0])
    if name == "density":
        return values[0] ** 2 + values[1] ** 2
    return np.sqrt(sum(v * v for v in values)) if len(values) > 1 else values[0]


def cut_field(file, name, letter, place):
    """A Cut of quantity, or dataset, `name` across axis `letter` at coordinate `place` (USUAL_PLACE if None)."""
    known = name in QUANTITIES
    parts = QUANTITIES[name][0] if known else (name,)
    for part in parts:
        if part not in file or not isinstance(file[part], h5py.Dataset) or file[part].ndim != 3:
            raise Absent(f"{file.filename}: has no {part}" + (f", of which {name} is made" if known else ""))
    n = file[parts[0]].shape
    lengths = [float(x) for x in file.attrs.get("length", [2 * np.pi] * 3)][::-1]
    normal = AXES[letter]
    place = USUAL_PLACE * lengths[normal] if place is None else place
    m = int(round(place / lengths[normal] * n[normal])) % n[normal]
    plane = Plane(n, lengths, normal, m)
    if known:
        values, (_parts, symbol, unit, signed) = compute(plane, name, file), QUANTITIES[name]
    else:
        values = plane.values(file[name])
        symbol, unit, signed = f"${name}$", hdf5.text_of(file[name], "units"), bool((values < 0).any())
    letters = [c for c in "zyx" if c != letter]
    scales = [cells(c, n[AXES[c]], lengths[::-1]) for c in letters]
    where = f"{letter} = {m * lengths[normal] / n[normal]:.3g}"
    return Cut(values, (letters[0], scales[0]), (letters[1], scales[1]), where, hdf5.time_of(file), symbol, unit,
               signed, name)


def nearest(files, at):
    """The file at the time nearest to `at`, or the last."""
    if at is None:
        return files[-1]
    return min(files, key=lambda path: abs(hdf5.read(path, hdf5.time_of) - at))


def of_fields(path, names, plane):
    letter, place = plane
    return hdf5.read(path, lambda file: [cut_field(file, name, letter, place) for name in names or usual_in(file)])


def cells(letter, n, lengths):
    """Borders of the cells around the n points along an axis."""
    length = lengths["xyz".index(letter)]
    return (np.arange(n + 1) - 0.5) * length / n


def cut_slice(file, name):
    """A Cut of dataset `name` of one of the run's own slices (docs/outputs.md)."""
    data, letter = file[name], hdf5.text_of(file, "axis")
    lengths = [float(x) for x in file.attrs["length"]]
    rows, columns = [c for c in "zyx" if c != letter]
    values = data[()].astype(float)
    symbol = QUANTITIES[name][1] if name in QUANTITIES else hdf5.text_of(data, "long_name") or name
    signed = QUANTITIES[name][3] if name in QUANTITIES else bool((values < 0).any())
    return Cut(values, (rows, cells(rows, values.shape[0], lengths)), (columns, cells(columns, values.shape[1], lengths)),
               f"{letter} = {float(file.attrs['at']):.3g}", hdf5.time_of(file), symbol, hdf5.text_of(data, "units"), signed,
               name)


def cuts_in(file, names, plane):
    """Cuts of a file of slices: those named, else the usual ones, else all; none where it lies elsewhere than `plane`."""
    if hdf5.text_of(file, "axis") not in AXES or "at" not in file.attrs or len(file.attrs.get("length", [])) != 3:
        raise Problem(f"{file.filename}: not a file of slices (its attributes do not tell the plane)")
    if plane and not lies_on(file, *plane):
        return []
    have = [n for n, item in file.items() if isinstance(item, h5py.Dataset) and item.ndim == 2]
    chosen = [n for n in names if n in have] if names else [n for n in USUAL if n in have] or have
    return [cut_slice(file, name) for name in chosen]


def lies_on(file, letter, place):
    if hdf5.text_of(file, "axis") != letter:
        return False
    length = float(file.attrs["length"]["xyz".index(letter)])
    return place is None or abs((place - float(file.attrs["at"]) + length / 2) % length - length / 2) < 1e-6 * length


def of_slices(files, names, plane, at):
    """Cuts of every plane of the run, slice1-, slice2-, .., each at the time asked for."""
    planes = {}
    for path in files:
        planes.setdefault(os.path.basename(path).split("-")[0], []).append(path)
    out = []
    for paths in planes.values():
        out += hdf5.read(nearest(paths, at), lambda file: cuts_in(file, names, plane))
    return out


def of_run(run, options):
    """The cuts to draw: of the run's slices, or, where those do not show what is asked for, of its fields."""
    plane = parse_plane(options.plane) if options.plane else None
    names = options.field.split(",") if options.field else None
    cuts = of_slices(run.slice_files, names, plane, options.at)
    if cuts:
        return cuts
    if not run.field_files:
        raise Absent(f"{run.path}: has " + (f"no slice of {options.field or 'the flow'} there, and no fields to cut"
                                            if run.slice_files else "neither slices nor fields") +
                     " (output.slices_interval, output.fields_interval)")
    # gravity is along z: layers are seen from the side
    plane = plane or ("y" if run.solver == "boussinesq" else "z", None)
    path = nearest(run.field_files, options.at)
    cuts = of_fields(path, names, plane)
    if not cuts:
        raise Absent(f"{path}: holds none of velocity, magnetic field, theta and psi")
    return cuts
