"""How far a run on the GPU lies from the same run on the CPU: modes, series, spectra."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import outputs


def fields_of(modes):
    return [name for name in modes if name not in ("kx", "ky", "kz", "attributes")]


def mode_difference(a, b):
    """The largest |a_k - b_k| over the modes of a field, over the rms of its coefficients; the worst of the fields."""
    a, b = outputs.modes(a), outputs.modes(b)
    worst = 0.0
    for name in fields_of(b):
        kept = np.ones(b[name].shape, bool) if not np.any(b[name]) else b[name] != 0
        rms = np.sqrt((abs(b[name][kept])**2).mean())
        if rms > 0:
            worst = max(worst, float((abs(a[name] - b[name])).max() / rms))
    return worst


def relative_difference(a, b):
    """||a - b|| / ||b|| over all modes of all fields."""
    a, b = outputs.modes(a), outputs.modes(b)
    difference = sum((abs(a[n] - b[n])**2).sum() for n in fields_of(b))
    return float(np.sqrt(difference / sum((abs(b[n])**2).sum() for n in fields_of(b))))


def series_difference(a, b):
    """The largest difference of a series column over the largest value of that column; what is 0 but for round-off
    (divergences, helicities of a flow without) is measured by the energy."""
    a, b = outputs.series(a), outputs.series(b)
    scale = abs(b["energy"]).max()
    worst = ("", 0.0)
    for name, column in b.items():
        size = max(abs(column).max(), 1e-3 * scale)
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
