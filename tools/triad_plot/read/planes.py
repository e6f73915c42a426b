"""Planes to look at: of slices/*.h5, or cut out of fields/*.h5."""
import functools
import os
import re

import h5py
import numpy as np

from triad_plot.compute import cut
from triad_plot.compute.cut import Cut
from triad_plot.compute.derivative import Plane
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import case, hdf5

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
MODULI = ("vorticity", "current", "speed", "magnetic")
SYMBOLS = {"rho": r"$\rho$", "p": "$p$", "u": "$u$", "v": "$v$", "w": "$w$", "schlieren": r"$|\nabla\rho|$", "mach": "$M$",
           "dilatation": r"$\nabla\cdot u$"}
USUAL_PLACE = 3 / 8  # of the side: off the planes of symmetry of the usual initial fields
USUAL = ("vorticity", "current", "theta", "density")


def parse_plane(text):
    """"z", "z=0" or "y=1.5" as (axis letter, coordinate or None)."""
    found = re.fullmatch(r"\s*([xyz])\s*(?:=\s*([-+0-9.eE]+)\s*)?", text)
    try:
        return found.group(1), float(found.group(2)) if found.group(2) else None
    except (AttributeError, ValueError):
        raise Problem(f"--plane {text}: must be x, y or z, or a position such as z=1.57",
                      USAGE) from None


def usual_in(names):
    return [name for name in USUAL if all(part in names for part in QUANTITIES[name][0])]


def made_of(plane, name, data):
    """(fields on the plane, what makes the quantity of them)."""
    parts = QUANTITIES[name][0]
    if name in ("vorticity", "current"):
        return plane.curl(*(data[part] for part in parts)), cut.modulus
    values = [plane.values(data[part]) for part in parts]
    if name == "phase":
        return values, lambda psi: np.arctan2(psi[1], psi[0])
    if name == "density":
        return values, lambda psi: psi[0] ** 2 + psi[1] ** 2
    return values, cut.modulus if len(values) > 1 else first


def first(parts):
    return parts[0]


@functools.lru_cache(maxsize=8)
def are_fourier_sums(text):
    """Are the fields of this case sums over truncated modes? Only such a case says where they are truncated."""
    return "grid.truncation" in case.parse(text)


@functools.lru_cache(maxsize=8)
def is_periodic(text):
    """Along every axis? Then only is the trigonometric interpolant, of which curls are taken, the field between points."""
    ends = case.parse(text)
    return all(end == "periodic" for axis in "xyz" for end in ends.get(f"boundaries.{axis}", []))


def usual_of(file):
    """What is drawn of a file of fields where nothing is asked for: between walls and in a sheared flow the speed, not curls."""
    names = usual_in(file)
    if is_periodic(hdf5.case_in(file)) and not hdf5.is_part(file) and not hdf5.skew_of(file):
        return names
    return [name for name in names if name not in ("vorticity", "current")] or ["speed"]


def fourier(file):
    return are_fourier_sums(hdf5.case_in(file)) and not hdf5.is_part(file) and not hdf5.skew_of(file)


def index_in(file, letter, place, n, length):
    """The number of the plane of points that is nearest to a coordinate; without one, USUAL_PLACE of the side."""
    if not hdf5.is_part(file):
        return int(round((USUAL_PLACE * length if place is None else place) / length * n)) % n
    start = float(file.attrs["origin"]["xyz".index(letter)])
    m = int(round((USUAL_PLACE * length if place is None else place - start) / length * n))
    if not 0 <= m < n:
        raise Absent(f"{file.filename}: contains a part of the box, {letter} from {start:.4g} to {start + (n - 1) * length / n:.4g}; "
                     f"{letter} = {place:.4g} is outside")
    return m


def edges(file, letter, n, length):
    """Borders of the cells around the n points along an axis, whose coordinates the file tells."""
    start = float(file[letter][0]) if letter in file and file[letter].shape == (n,) else 0.0
    return letter, start + (np.arange(n + 1) - 0.5) * length / n


def label_of(name, data, values):
    """(name, symbol, unit, has it a sign)."""
    if name in QUANTITIES:
        return (name, *QUANTITIES[name][1:])
    symbol = SYMBOLS.get(name) or hdf5.text_of(data, "long_name") or name
    return name, symbol, hdf5.text_of(data, "units"), bool((values < 0).any())


def cut_field(file, name, letter, place):
    """A Cut of quantity, or dataset, `name` across axis `letter` at coordinate `place` (USUAL_PLACE if None)."""
    known = name in QUANTITIES
    parts = QUANTITIES[name][0] if known else (name,)
    for part in parts:
        if part not in file or not isinstance(file[part], h5py.Dataset) or file[part].ndim != 3:
            raise Absent(f"{file.filename}: has no {part}" + (f", required for {name}" if known else ""))
    if name in ("vorticity", "current") and hdf5.is_part(file):
        raise Absent(f"{file.filename}: {name} requires derivatives over the whole box, and this file has a part; add it to output.fields")
    if name in ("vorticity", "current") and not is_periodic(hdf5.case_in(file)):
        raise Absent(f"{file.filename}: with walls {name} is available only in slices (output.slices); --field selects another")
    if name in ("vorticity", "current") and hdf5.skew_of(file):
        raise Absent(f"{file.filename}: {name} requires derivatives, and fields of a sheared flow are not periodic along y "
                     f"(skew {hdf5.skew_of(file):.6g}); add it to output.fields")
    n = file[parts[0]].shape
    lengths = [float(x) for x in file.attrs.get("length", [2 * np.pi] * 3)][::-1]
    normal = AXES[letter]
    m = index_in(file, letter, place, n[normal], lengths[normal])
    start = float(file.attrs["origin"]["xyz".index(letter)]) if hdf5.is_part(file) else 0.0
    plane = Plane(n, lengths, normal, m)
    fields, combine = made_of(plane, name, file) if known else ([plane.values(file[name])], first)
    rows, columns = (edges(file, c, n[AXES[c]], lengths[AXES[c]]) for c in "zyx" if c != letter)
    return Cut(fields, combine, rows, columns, f"{letter} = {start + m * lengths[normal] / n[normal]:.3g}",
               hdf5.time_of(file), label_of(name, file[parts[0]], fields[0]), fourier(file))


def nearest(files, at):
    """The file at the time nearest to `at`, or the last."""
    if at is None:
        return files[-1]
    return min(files, key=lambda path: abs(time_of(path) - at))


@functools.lru_cache(maxsize=100_000)
def time_of(path):
    return hdf5.read(path, hdf5.time_of)


def of_fields(path, names, plane):
    letter, place = plane
    return hdf5.read(path, lambda file: [cut_field(file, name, letter, place) for name in names or usual_of(file)])


def cut_slice(file, name):
    """A Cut of dataset `name` of one of the run's own slices (docs/reference/fields.md)."""
    data, letter = file[name], hdf5.text_of(file, "axis")
    lengths = dict(zip("xyz", (float(x) for x in file.attrs["length"])))
    values = data[()].astype(float)
    rows, columns = (edges(file, c, n, lengths[c]) for c, n in zip((c for c in "zyx" if c != letter), values.shape))
    parts, combine = ([values * values], cut.root) if name in MODULI else ([values], first)
    # a phase jumps: only the fields that it is made of could be refined
    return Cut(parts, combine, rows, columns, f"{letter} = {float(file.attrs['at']):.3g}", hdf5.time_of(file),
               label_of(name, data, values), name != "phase" and fourier(file))


def cuts_in(file, names, plane):
    """Cuts of a file of slices: those named, else the usual ones, else all; none where it lies elsewhere than `plane`, or is a layer
    of blocks."""
    if hdf5.text_of(file, "axis") in ("i", "j", "k"):
        return []
    if hdf5.text_of(file, "axis") not in AXES or "at" not in file.attrs or len(file.attrs.get("length", [])) != 3:
        raise Problem(f"{file.filename}: not a file of slices (attributes of the plane are missing)")
    if plane and not lies_on(file, *plane):
        return []
    have = [n for n, item in file.items() if isinstance(item, h5py.Dataset) and item.ndim == 2]
    line = have and min(file[have[0]].shape) == 1
    usual = [n for n in USUAL if n in have and not line]
    chosen = [n for n in names if n in have] if names else usual or have
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


def line_of(run):
    """The letter of the one axis along which a flow varies, or ""."""
    n = run.case.get("grid.n")
    long = [c for c, count in zip("xyz", n) if count > 1] if isinstance(n, list) and len(n) == 3 else []
    return long[0] if len(long) == 1 else ""


def names_of(run, options):
    """The quantities asked for; of a gas along a line density, velocity and pressure; else None, what is usual."""
    if options.field:
        return options.field.split(",")
    along = line_of(run)
    return ["rho", dict(zip("xyz", "uvw"))[along], "p"] if along and run.solver == "compressible" else None


def of_run(run, options):
    """The cuts to draw: of the run's slices, or, where those do not show what is asked for, of its fields."""
    plane = parse_plane(options.plane) if options.plane else None
    names, along = names_of(run, options), line_of(run)
    cuts = of_slices(run.slice_files, names, plane, options.at)
    if cuts and (not names or {c.name for c in cuts} >= set(names)):
        return cuts
    if not run.field_files:
        if cuts or (along and not options.field and run.slice_files):
            return cuts or of_slices(run.slice_files, None, plane, options.at)
        raise Absent(f"{run.path}: has " + (f"no slice of {options.field or 'the flow'} there, and no fields to make one from"
                                            if run.slice_files else "neither slices nor fields") +
                     " (output.slices_interval, output.fields_interval)")
    # gravity is along z: layers are seen from the side
    plane = plane or (next(c for c in "zyx" if c != along) if along else "y" if run.solver == "boussinesq" else "z", None)
    path = nearest(run.field_files, options.at)
    cuts = of_fields(path, names, plane)
    if not cuts:
        raise Absent(f"{path}: contains none of velocity, magnetic field, theta and psi")
    return cuts
