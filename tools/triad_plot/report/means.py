"""Running means of a run (means.h5) for its report: numbers with their standard errors, and whether they drift."""
import os

import numpy as np

from triad_plot.draw.style import words_of
from triad_plot.read import hdf5
from triad_plot.report.numbers import COLUMNS

FAR = 2   # standard errors that a drift may be away from none


def read(run):
    """{name: (mean, error, trend, error of the trend, unit)}, samples, blocks, (first, last t); None without means.h5."""
    path = run / "means.h5"
    if not os.path.exists(path):
        return None

    def work(file):
        found = {}
        for name in file:
            parts = [name + end for end in ("", "_error", "_trend", "_trend_error")]
            if all(getattr(file.get(part), "shape", None) == (1,) for part in parts):
                found[name] = (*(float(file[part][0]) for part in parts), hdf5.text_of(file[name], "units"))
        return found, int(file.attrs["samples"]), int(file.attrs["blocks"]), tuple(file.attrs["times"])
    return hdf5.read(path, work)


def is_stationary(trend, error):
    return bool(np.isfinite(trend) and abs(trend) <= FAR * error)


def rows(found):
    """[(words, mean +- error, drift +- error, verdict, unit)] of the numbers that the report tells of."""
    out = []
    for name in COLUMNS:
        if name not in found or not np.isfinite(found[name][1]) or found[name][0] == 0:
            continue
        mean, error, trend, of_trend, unit = found[name]
        drift = f"{trend:.2g} \u00b1 {of_trend:.2g}" if np.isfinite(trend) else ""
        verdict = "" if not drift else "looks stationary" if is_stationary(trend, of_trend) else "not stationary"
        out.append((words_of(name), f"{mean:.5g} \u00b1 {error:.2g}", drift, verdict, "" if unit == "1" else unit))
    return out


def head(samples, blocks, times):
    return ("", f"mean of {samples} samples, t = {times[0]:.4g} to {times[1]:.4g}", f"drift, from {blocks} blocks", "", "")
