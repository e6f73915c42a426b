"""How far a run on the GPU lies from the same run on the CPU: modes, series, spectra, moments."""

import sys
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "help"))
import outputs


def fields_of(modes):
    return [name for name in modes if name not in ("kx", "ky", "kz", "attributes")]


def mode_difference(a, b):
    """(relative, absolute): the largest |a_k - b_k| over the modes of a field, each over |b_k| or the rms of the field's
    coefficients, whichever is larger; and over that rms alone, which the largest modes exceed a hundredfold. The worst
    field of each."""
    a, b = outputs.modes(a), outputs.modes(b)
    relative = absolute = 0.0
    for name in fields_of(b):
        kept = b[name] != 0 if np.any(b[name]) else np.ones(b[name].shape, bool)
        rms = np.sqrt((abs(b[name][kept])**2).mean())
        if rms > 0:
            difference = abs(a[name] - b[name])
            relative = max(relative, float((difference / np.maximum(abs(b[name]), rms)).max()))
            absolute = max(absolute, float(difference.max() / rms))
    return relative, absolute


def relative_difference(a, b):
    """||a - b|| / ||b|| over all modes of all fields."""
    a, b = outputs.modes(a), outputs.modes(b)
    difference = sum((abs(a[n] - b[n])**2).sum() for n in fields_of(b))
    return float(np.sqrt(difference / sum((abs(b[n])**2).sum() for n in fields_of(b))))


def bounds(columns):
    """What Cauchy-Schwarz allows columns that may vanish, and then hold nothing but round-off: aliasing is a part of the rates,
    whose rounding is theirs."""
    energy, enstrophy = columns["energy"].max(), columns["enstrophy"].max()
    out = {"divergence": np.sqrt(2 * enstrophy), "helicity": 2 * np.sqrt(energy * enstrophy), "cross_helicity": energy,
           "aliasing": 1.0}
    out["divergence_b"] = np.sqrt(2 * columns["current_squared"].max()) if "current_squared" in columns else 0
    if "mass" in columns:
        for axis in "xyz":
            out["momentum_" + axis] = np.sqrt(2 * columns["mass"].max() * columns["kinetic_energy"].max())
    return out


def series_difference(a, b):
    """The largest difference of a series column over the largest value of that column, or its bound."""
    a, b = outputs.series(a), outputs.series(b)
    scale, bound = 1e-3 * abs(b["energy"]).max(), bounds(b)
    worst = ("", 0.0)
    for name, column in b.items():
        size = max(abs(column).max(), bound.get(name, scale))
        worst = max(worst, (name, float(abs(a[name] - column).max() / size)), key=lambda w: w[1])
    return worst


def spectra_difference(a, b):
    """Likewise for the spectra of the last time, each bin by the largest of its spectrum (of all transfers, for one)."""
    a, b = outputs.spectra(a)[-1][1], outputs.spectra(b)[-1][1]
    assert a.keys() == b.keys()
    flows = [n for n in b if n.startswith(("T", "Pi"))]
    transfers = max((abs(b[n]).max() for n in flows), default=0)
    energy = abs(b["E"]).max()
    worst = ("", 0.0)
    for name, values in b.items():
        size = transfers if name in flows else max(abs(values).max(), 1e-3 * energy)
        worst = max(worst, (name, float(abs(a[name] - values).max() / size) if size > 0 else 0.0), key=lambda w: w[1])
    return worst


def moments_difference(a, b):
    """The largest difference of a moment in means.h5, over the power of the rms that it has; and what part of the points is in
    other bins of a density."""
    worst, moved = ("", 0.0), 0.0
    with h5py.File(a / "means.h5") as f, h5py.File(b / "means.h5") as g:
        for name in (n for n in g if n.endswith("_moments")):
            x, y = f[name][:], g[name][:]
            off = float((abs(x - y) / y[1]**(0.5 * np.arange(1, 5))).max())
            worst = max(worst, (name, off), key=lambda w: w[1])
        width = np.diff(g["deviation"][:2])[0]
        for name in (n for n in g if n.endswith("_pdf")):
            moved = max(moved, float(abs(f[name][:] - g[name][:]).sum() * width))
    return worst, moved


def fields_difference(a, b):
    """The dataset of the newest files of fields that differs most, over the largest value of it."""
    with h5py.File(sorted((a / "fields").glob("*.h5"))[-1]) as f, h5py.File(sorted((b / "fields").glob("*.h5"))[-1]) as g:
        names = [name for name in g if getattr(g[name], "ndim", 0) == 3]
        return max(((n, float(abs(f[n][:] - g[n][:]).max() / abs(g[n][:]).max())) for n in names), key=lambda w: w[1])
