"""What an importer has found, written as a case and a file of fields."""
import json
import os
import shutil

import h5py
import numpy as np

from triad_plot.problem import INPUT_OUTPUT, MISSING, USAGE, Problem
from triad_plot.read import space

PACKED = 1000   # times that an array may be larger than its file
ORDER = ("equations", "grid", "initial", "forcing", "time", "output")


def array_of(item, index=()):
    """A dataset, or its part [index], of numbers; Problem where a damaged file claims more than it can hold."""
    path, size = item.file.filename, item.size or 0
    held = os.path.getsize(path)
    if item.dtype.kind not in "fiu" or size * item.dtype.itemsize > PACKED * held:
        raise Problem(f"{path}: damaged: {item.name} is no array of numbers that a file of {held} bytes can hold")
    return item[index]


class Start:
    """A run to be continued. keys: {"equations.viscosity": 0.01}; fields: {name: [z][y][x]}; lost: sentences about what is not taken
    over; changed: sentences about what is taken over in another form."""

    def __init__(self, code, source):
        self.code, self.source, self.t = code, source, 0.0
        self.keys, self.fields, self.lost, self.changed = {}, {}, [], []

    def set(self, key, value):
        if value is not None:
            self.keys[key] = value

    def field(self, name, values, where):
        if not np.isfinite(values).all():
            raise Problem(f"{where}: {name} has values that are not finite")
        shapes = {one.shape for one in self.fields.values()} | {values.shape}
        if len(shapes) > 1:
            raise Problem(f"{where}: {name} has {' x '.join(map(str, values.shape[::-1]))} points, but other fields have "
                          f"{' x '.join(map(str, next(iter(self.fields.values())).shape[::-1]))}")
        self.fields[name] = values

    @property
    def n(self):
        return next(iter(self.fields.values())).shape[::-1]

    def divergence(self, names):
        """rms of the divergence of a vector over the rms of its gradients in Fourier space: 0 for a vector without divergence."""
        lengths = self.keys["grid.length"]
        top = below = 0.0
        for i, name in enumerate(names):
            c = np.fft.rfftn(self.fields[name].astype(np.float64))
            k = wavenumbers(self.n, lengths)
            top = top + k[i] * c
            below += sum(np.sum(np.abs(one * c) ** 2) for one in k)
        return float(np.sqrt(np.sum(np.abs(top) ** 2) / below)) if below else 0.0


def wavenumbers(n, lengths):
    """(kx, ky, kz) of a transform [z][y][x/2+1]; those of Nyquist are 0, which have no derivative."""
    return [space.wavenumbers(size, length, axis == 0).reshape([-1 if 2 - axis == i else 1 for i in range(3)])
            for axis, (size, length) in enumerate(zip(n, lengths))]


def curl(vector, lengths):
    """The curl of three fields [z][y][x] in a periodic box."""
    n = vector[0].shape[::-1]
    c = [np.fft.rfftn(one.astype(np.float64)) for one in vector]
    kx, ky, kz = (1j * k for k in wavenumbers(n, lengths))
    back = lambda one: np.fft.irfftn(one, vector[0].shape, axes=(0, 1, 2))
    return back(ky * c[2] - kz * c[1]), back(kz * c[0] - kx * c[2]), back(kx * c[1] - ky * c[0])


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    return repr(value.item() if hasattr(value, "item") else value)


def comment(text):
    """A sentence as a comment of a line or more, without control characters."""
    words, lines = "".join(c if c.isprintable() else " " for c in text).split(), ["#  "]
    for word in words:
        if len(lines[-1]) + len(word) > 100:
            lines.append("#  ")
        lines[-1] += " " + word
    return lines


def case_text(start):
    lines = [*comment(f"Continues a run of {start.code} from {start.source}, where its time was {start.t:g}: t = 0 here is that time.")]
    for title, sentences in (("Taken over in another form:", start.changed), ("Not taken over:", start.lost)):
        if sentences:
            lines += ["#", f"# {title}"]
            for sentence in sentences:
                first, *rest = comment(sentence)
                lines += ["# - " + first[4:], *rest]
    lines[0] = "#" + lines[0][3:]
    for table in ORDER:
        found = {key.split(".")[1]: value for key, value in start.keys.items() if key.startswith(f"{table}.")}
        if found:
            lines += ["", f"[{table}]", *(f"{key} = {toml(value)}" for key, value in found.items())]
    return "\n".join(lines) + "\n"


def write_fields(path, start):
    n, lengths = start.n, start.keys["grid.length"]
    with h5py.File(path, "w") as file:
        for axis, size, length in zip("xyz", n, lengths):
            file[axis] = np.arange(size) * length / size
            file[axis].make_scale(axis)
        for name, values in start.fields.items():
            file[name] = values
            for dim, axis in zip(file[name].dims, "zyx"):
                dim.attach_scale(file[axis])
        file.attrs["t"], file.attrs["length"], file.attrs["source"] = start.t, np.array(lengths), f"{start.code}: {start.source}"


def finish(start):
    """Keys that every importer sets."""
    start.set("grid.n", [int(size) for size in start.n])
    start.keys["initial.kind"], start.keys["initial.file"] = "file", "start.h5"
    for names in (("u", "v", "w"), ("bx", "by", "bz")):
        if all(name in start.fields for name in names):
            off = start.divergence(names)
            if off > 1e-3:
                start.lost.append(f"The part of {', '.join(names)} with divergence ({off:.2g} of their gradients): Triad removes it.")


def write(start, out):
    if os.path.lexists(out):
        raise Problem(f"{out}: exists already; choose another name with -o, or remove it", USAGE)
    place = os.path.dirname(os.path.abspath(out))
    if not os.path.isdir(place):
        raise Problem(f"{place}: no such folder", MISSING)
    finish(start)
    work = os.path.join(place, f".{os.path.basename(out)}.{os.getpid()}.part")
    try:
        os.makedirs(work)
        write_fields(os.path.join(work, "start.h5"), start)
        with open(os.path.join(work, "case.toml"), "w", encoding="utf-8") as file:
            file.write(case_text(start))
        os.rename(work, out)
    except OSError as error:
        raise Problem(f"{out}: cannot be written: {error.strerror or error}", INPUT_OUTPUT) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def remaining(start, end, what):
    """time.end: how long the other run had still to go."""
    left = end - start.t
    if left <= 0:
        start.lost.append(f"{what} is {end:g}, which the run has reached: time.end = 1 is a guess; set it.")
        left = 1.0
    start.set("time.end", float(left))
