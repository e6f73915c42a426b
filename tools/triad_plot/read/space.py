"""Fields in the whole box at one time, of fields/*.h5 or straight from a checkpoint's modes, on any finer grid.

A field of a spectral method is a sum over modes, so on a finer grid it is that sum: the spectrum with zeros beyond it, and a
derivative is i k times it. Of other solvers the points are what is known; their derivatives are those of the trigonometric
interpolant where the box is periodic, else differences.
"""
import functools
import os

import h5py
import numpy as np

from triad_plot.problem import Absent, Problem
from triad_plot.read import cells, hdf5, planes

USUAL, MOST = 128, 512   # points of the longest axis: where nothing is asked for; at all
AXES = "zyx"


def wavenumbers(n, length, half):
    """2 pi k/L along an axis of n points; a Nyquist mode has no derivative."""
    k = np.fft.rfftfreq(n, 1 / n) if half else np.fft.fftfreq(n, 1 / n)
    return np.where(2 * np.abs(k) == n, 0.0, 2 * np.pi / length * k)


def padded(c, n, m):
    """Half a spectrum [z][y][x/2+1] of n points as that of m >= n; a Nyquist mode of an even count is a cosine."""
    for axis in (0, 1):
        if m[axis] == n[axis]:
            continue
        c = np.moveaxis(c, axis, 0)
        out = np.zeros((m[axis], *c.shape[1:]), complex)
        up = (n[axis] + 1) // 2
        out[:up] = c[:up]
        out[m[axis] - (n[axis] - 1) // 2:] = c[n[axis] - (n[axis] - 1) // 2:]
        if n[axis] % 2 == 0:
            out[up] = out[m[axis] - up] = c[up] / 2
        c = np.moveaxis(out, 0, axis)
    if m[2] > n[2]:
        out = np.zeros((*c.shape[:2], m[2] // 2 + 1), complex)
        out[:, :, :c.shape[2]] = c
        if n[2] % 2 == 0:
            out[:, :, n[2] // 2] /= 2
        c = out
    return c


class Space:
    """n and lengths are (z, y, x); `fourier`: sums over modes; names of the fields; the time; the case's text."""

    def __init__(self, path, file, wanted):
        self.path, self.t, self.case = path, hdf5.time_of(file), hdf5.case_in(file)
        if hdf5.is_part(file):
            raise Absent(f"{path}: contains a part of the box, and derivatives require the whole box; use --source checkpoint")
        skew = hdf5.skew_of(file)
        if skew:
            raise Absent(f"{path}: is of a sheared flow, whose modes lean (skew {skew:.6g}), which is not supported; use a time at which "
                         "equations.shear t Ly/Lx is an integer")
        self.lengths = tuple(float(x) for x in file.attrs["length"])[::-1]
        self.modes = "kx" in file and "ky" in file and "kz" in file
        data = [name for name, item in file.items() if isinstance(item, h5py.Dataset) and item.ndim == 3]
        if not data:
            raise Absent(f"{path}: has no fields on a regular grid")
        self.names = data
        own = tuple(int(i) for i in file.attrs["n"])[::-1] if self.modes else file[data[0]].shape
        if min(own) < 2:
            raise Absent(f"{path}: a two-dimensional flow has no volume; use triad-plot slice")
        self.own = own
        self.fourier = self.modes or planes.are_fourier_sums(self.case)
        self.periodic = self.modes or planes.is_periodic(self.case)
        self.n = self.choose(wanted)
        self.coordinates = [self.along(file, letter, axis) for axis, letter in enumerate(AXES)]
        self.spectra = {}
        if self.modes:
            self.columns = tuple(file[k][()].astype(int) for k in ("kx", "ky", "kz"))

    def choose(self, wanted):
        most = max(self.own)
        if wanted is None:
            wanted = max(most, USUAL) if self.fourier else most
        if wanted > most and not self.fourier:
            raise Problem(f"--grid {wanted}: {self.path} has {most} values per side and cannot be interpolated exactly")
        wanted = max(wanted, most)
        return tuple(-(-i * wanted // most) for i in self.own)

    def along(self, file, letter, axis):
        n = self.n[axis]
        if not self.modes and letter in file and file[letter].shape == (n,):
            return file[letter][()].astype(float)
        return np.arange(n) * self.lengths[axis] / n

    def spectrum(self, name):
        """Half of the spectrum on the finer grid."""
        if name not in self.spectra:
            with hdf5.open_file(self.path) as file:
                data = file[name][()]
            if self.modes:
                c = self.placed(data[..., 0] + 1j * data[..., 1])
            else:
                c = padded(np.fft.rfftn(data.astype(float)) / data.size, self.own, self.n)
            self.spectra[name] = c
        return self.spectra[name]

    def placed(self, modes):
        """Columns [column][kz], each with its conjugate, in their places."""
        kx, ky, kz = self.columns
        c = np.zeros((self.n[0], self.n[1], self.n[2] // 2 + 1), complex)
        if (kx < 0).any() or 2 * max(abs(k).max() for k in (kx, ky, kz)) > min(self.own) * max(1, max(self.own) / min(self.own)):
            raise Problem(f"{self.path}: its modes do not match its grid")
        for i, (x, y) in enumerate(zip(kx, ky)):
            c[kz % self.n[0], y % self.n[1], x] = modes[i]
            if x == 0 and y != 0:
                c[-kz % self.n[0], -y % self.n[1], 0] = modes[i].conj()
        return c

    def values(self, name):
        """[z][y][x]"""
        if name not in self.names:
            raise Absent(f"{self.path}: has no {name}; the fields are {', '.join(self.names)}")
        if not self.modes and self.n == self.own:
            with hdf5.open_file(self.path) as file:
                return file[name][()].astype(float)
        return np.fft.irfftn(self.spectrum(name), self.n) * np.prod(self.n)

    def derivative(self, name, axis):
        """d/dz (0), d/dy (1), d/dx (2)."""
        if not self.periodic:
            return np.gradient(self.values(name), self.coordinates[axis], axis=axis)
        n, shape = self.own[axis], [1, 1, 1]
        shape[axis] = -1
        k = wavenumbers(self.n[axis], self.lengths[axis], axis == 2)
        if n % 2 == 0 and self.n[axis] > n:  # what was a Nyquist mode has none
            k = np.where(np.abs(np.round(k * self.lengths[axis] / (2 * np.pi))) == n // 2, 0.0, k)
        return np.fft.irfftn(1j * k.reshape(shape) * self.spectrum(name), self.n) * np.prod(self.n)

    def has(self, *names):
        return all(name in self.names for name in names)


# ---- quantities ----

def norm(space, *names):
    return np.sqrt(sum(space.values(name) ** 2 for name in names))


def curl(space, names):
    """(x, y, z)"""
    u, v, w = names
    d = space.derivative
    return d(w, 1) - d(v, 0), d(u, 0) - d(w, 2), d(v, 2) - d(u, 1)


def curl_norm(space, *names):
    return np.sqrt(sum(c ** 2 for c in curl(space, names)))


def second_invariant(space, *names):
    """Q = -1/2 d_j u_i d_i u_j: positive where rotation outweighs strain."""
    axes, total = (2, 1, 0), 0.0
    for i in range(3):
        total = total + space.derivative(names[i], axes[i]) ** 2 / 2
        for j in range(i):
            total = total + space.derivative(names[i], axes[j]) * space.derivative(names[j], axes[i])
    return -total


def helicity(space, *names):
    return sum(space.values(name) * c for name, c in zip(names, curl(space, names)))


def mach(space, *names):
    from triad_plot.read import case
    gamma = case.parse(space.case).get("equations.gamma", 1.4)
    rho, p = space.values("rho"), space.values("p")
    return norm(space, *names[:3]) / np.sqrt(np.maximum(gamma * p / rho, 1e-300))


def density(space, *names):
    return sum(space.values(name) ** 2 for name in names)


VELOCITY, FIELD, WAVE = ("u", "v", "w"), ("bx", "by", "bz"), ("psi_re", "psi_im")
# name: (what makes it, of which fields, symbol, unit, has it a sign)
QUANTITIES = {
    "q": (second_invariant, VELOCITY, "$Q$", "1/T^2", True),
    "vorticity": (curl_norm, VELOCITY, r"$|\omega|$", "1/T", False),
    "current": (curl_norm, FIELD, "$|j|$", "1/T", False),
    "density": (density, WAVE, r"$\rho = |\psi|^2$", "M", False),
    "speed": (norm, VELOCITY, "$|u|$", "U", False),
    "magnetic": (norm, FIELD, "$|b|$", "U", False),
    "helicity": (helicity, VELOCITY, r"$u\cdot\omega$", "U^2/L", True),
    "mach": (mach, (*VELOCITY, "rho", "p"), "$M$", "1", False),
    "vorticity_x": (lambda s, *n: curl(s, n)[0], VELOCITY, r"$\omega_x$", "1/T", True),
    "vorticity_y": (lambda s, *n: curl(s, n)[1], VELOCITY, r"$\omega_y$", "1/T", True),
    "vorticity_z": (lambda s, *n: curl(s, n)[2], VELOCITY, r"$\omega_z$", "1/T", True),
}
UNITS = dict.fromkeys((*VELOCITY, *FIELD, "theta"), "U")  # which checkpoints do not tell
VORTICES = (("density", "speed"), ("current", "vorticity"), ("q", "helicity"))  # surfaces of the first, in colours of the second


def quantity(space, name):
    """(values, symbol, unit, has it a sign) of a quantity or a field by name."""
    if name in QUANTITIES:
        make, parts, symbol, unit, signed = QUANTITIES[name]
        missing = [part for part in parts if part not in space.names]
        if missing and name in space.names:  # the file has the quantity itself
            return space.values(name), symbol, unit, signed
        if missing:
            raise Absent(f"{space.path}: has no {missing[0]}, required for {name}")
        return make(space, *parts), symbol, unit, signed
    values = space.values(name)
    with hdf5.open_file(space.path) as file:
        unit = hdf5.text_of(file[name], "units") or UNITS.get(name, "")
    return values, planes.SYMBOLS.get(name, name), unit, bool((values < 0).any())


def usual(space):
    """What surfaces show where nothing is asked for: vortices, current sheets of a magnetic field, lines of a superfluid."""
    for name, _colour in VORTICES:
        if space.has(*QUANTITIES[name][1]):
            return name
    raise Absent(f"{space.path}: contains neither velocity nor psi")


def colour_of(space, name):
    found = dict(VORTICES).get(name, "speed")
    return found if found in QUANTITIES and space.has(*QUANTITIES[found][1]) else name


# ---- files ----

def checkpoint_files(run):
    folder = run / "checkpoints"
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [path for name in names if name.startswith("step-") and os.path.exists(path := f"{folder}/{name}/modes.h5")]


def files(run, source):
    """[(t, path)] in the order of time; of one time a checkpoint counts, which has all bits."""
    paths = (run.field_files if source != "checkpoint" else []) + (checkpoint_files(run) if source != "fields" else [])
    found = {planes.time_of(path): path for path in paths}
    if not found and cells.files_of(run):
        raise Absent(f"{run.path}: surfaces and clouds require fields on a grid of points; for meshes and blocks use slice, contour or film, "
                     "or open fields/fields.xmf in ParaView")
    if not found:
        raise Absent(f"{run.path}: has neither fields (output.fields_interval) nor checkpoints of modes"
                     if source is None else f"{run.path}: has no {'checkpoints of modes' if source == 'checkpoint' else source}")
    return sorted(found.items())


@functools.lru_cache(maxsize=1)
def opened(path, grid):
    return hdf5.read(path, lambda file: Space(path, file, grid))


def of_run(run, options):
    """The Space at the time asked for, or the last."""
    found = files(run, options.source)
    at = options.at
    _t, path = found[-1] if at is None else min(found, key=lambda item: abs(item[0] - at))
    return opened(path, options.grid)
