"""What tests of whole runs read back: series, checkpoints, spectra, as numpy arrays."""

import json
from pathlib import Path

import h5py
import numpy as np


def rows(run):
    """Lines of series.csv without comments: the header, then a row each."""
    return [line for line in (Path(run) / "series.csv").read_text().splitlines() if not line.startswith("#")]


def series(run):
    """Columns of series.csv by name; nan for an empty place."""
    header, *values = rows(run)
    table = np.array([[float(word or "nan") for word in row.split(",")] for row in values], dtype=float)
    return dict(zip(header.split(","), table.reshape(-1, len(header.split(","))).T))


def checkpoints(run):
    """Folders of its checkpoints, oldest first."""
    return sorted((Path(run) / "checkpoints").glob("step-*"))


def modes(checkpoint):
    """A checkpoint (or the newest of a run) as {field: complex array [column][kz]}, with kx, ky, kz and attributes."""
    folder = Path(checkpoint)
    if (folder / "checkpoints").is_dir():
        folder = checkpoints(folder)[-1]
    with h5py.File(folder / "modes.h5") as f:
        out = {name: f[name][:] for name in ("kx", "ky", "kz")}
        for name in f:
            if name not in out and isinstance(f[name], h5py.Dataset):
                out[name] = f[name][..., 0] + 1j * f[name][..., 1]
        out["attributes"] = {k: v for k, v in f.attrs.items()}
    return out


def points(run, names, number=-1):
    """Fields at points or in cells of a checkpoint, the newest or that of a number: array [name][as in the file]."""
    with h5py.File(checkpoints(run)[number] / "points.h5") as f:
        return np.array([f[name][:] for name in names])


FIELDS = ("u", "v", "w")


def weights(m):
    """2 for a column that stands for its conjugate too, 1 for the mean column, which holds both (no Nyquist modes)."""
    return np.where((m["kx"] == 0) & (m["ky"] == 0), 1.0, 2.0)[:, None]


def energy(m):
    return sum((weights(m) * abs(m[f])**2).sum() for f in FIELDS) / 2


def by_wavenumber(m, field):
    """{(kx, ky, kz): coefficient} of the modes that are not zero."""
    c, j = np.nonzero(m[field])
    return {(int(m["kx"][a]), int(m["ky"][a]), int(m["kz"][b])): m[field][a, b] for a, b in zip(c, j)}


def same_bits(a, b):
    """Do two checkpoints hold the same modes, bit for bit?"""
    a, b = modes(a), modes(b)
    return all(np.array_equal(a[k], b[k]) for k in ("kx", "ky", "kz")) and all(
        a[f].tobytes() == b[f].tobytes() for f in FIELDS)


def distance(a, b):
    """||a - b|| / ||b|| over all modes of two checkpoints on one grid."""
    a, b = modes(a), modes(b)
    assert all(np.array_equal(a[k], b[k]) for k in ("kx", "ky", "kz"))
    difference = sum((weights(b) * abs(a[f] - b[f])**2).sum() for f in FIELDS)
    return float(np.sqrt(difference / (2 * energy(b))))


def spectra(run):
    """[(t, {name: array})] of the files in spectra/, in order."""
    out = []
    for path in sorted((Path(run) / "spectra").glob("spectra-*.h5")):
        with h5py.File(path) as f:
            out.append((float(f.attrs["t"]),
                        {n: f[n][:] for n in f if isinstance(f[n], h5py.Dataset)}))
    return out


def sets(**values):
    """Arguments of --set: sets(grid__n=[16, 16, 16], time__end=1.0)."""
    out = []
    for key, value in values.items():
        out += ["--set", f"{key.replace('__', '.')}={json.dumps(value)}"]
    return out
