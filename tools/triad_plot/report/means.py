"""Running means of a run (means.h5) for its report: numbers with their standard errors, and whether they drift."""
import numpy as np

from triad_plot.compute.errors import drifts
from triad_plot.draw.style import words_of
from triad_plot.report.numbers import COLUMNS

TESTS = 6   # numbers by which a run is called stationary (judge.py)


def rows(found):
    """[(words, mean +- error, drift +- error, verdict, unit)] of the numbers that the report tells of."""
    out = []
    for name in COLUMNS:
        if name not in found.numbers or not np.isfinite(found.numbers[name][1]) or found.numbers[name][0] == 0:
            continue
        mean, error, trend, of_trend, unit = found.numbers[name]
        drift = f"{trend:.2g} \u00b1 {of_trend:.2g}" if np.isfinite(trend) else ""
        verdict = "" if not drift else "not stationary" if drifts(trend, of_trend, found.blocks - 2, TESTS) else "looks stationary"
        out.append((words_of(name), f"{mean:.5g} \u00b1 {error:.2g}", drift, verdict, "" if unit == "1" else unit))
    return out


def head(found):
    return ("", f"mean of {found.samples} samples, t = {found.times[0]:.4g} to {found.times[1]:.4g}", f"drift, from {found.blocks} blocks", "", "")
