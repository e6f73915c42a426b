"""Standard errors of means over time."""
import statistics

import numpy as np

FAR = 2      # standard errors that a drift may be away from none
FEWEST = 4   # blocks of which a standard error is made
BLOCKS = 8   # of which a drift is made


def error_of(rows):
    """The standard error of the mean of rows [time, ..] that may be correlated: the largest that blocks of 1, 2, 4, .. rows
    give, as long as there are FEWEST blocks; nan for fewer than two rows."""
    rows = np.asarray(rows, float)
    n = len(rows)
    out = np.full(rows.shape[1:], np.nan)
    size = 1
    while n // size >= (FEWEST if size > 1 else 2):
        blocks = rows[:n // size * size].reshape(n // size, size, *rows.shape[1:]).mean(axis=1)
        out = np.fmax(out, blocks.std(axis=0, ddof=1) / np.sqrt(len(blocks)))
        size *= 2
    return out


def drift_of(t, y):
    """(rise, standard error, degrees of freedom) of a straight line through the means of BLOCKS blocks of y, over the whole of t, as
    means.h5 has them; nan for fewer rows than that."""
    t, y = np.asarray(t, float), np.asarray(y, float)
    size = len(t) // BLOCKS
    if size < 1 or not t[-1] > t[0]:
        return np.nan, np.nan, 0
    first = len(t) - size * BLOCKS
    x, means = (v[first:].reshape(BLOCKS, size).mean(axis=1) for v in (t, y))
    x = (x - x.mean()) / (t[-1] - t[0])
    slope = float(x @ (means - means.mean()) / (x @ x))
    left = means - means.mean() - slope * x
    return slope, float(np.sqrt(left @ left / (BLOCKS - 2) / (x @ x))), BLOCKS - 2


def student(probability, dof):
    """The quantile of Student's distribution (Abramowitz and Stegun 26.7.5)."""
    z = statistics.NormalDist().inv_cdf(probability)
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + sum(term / dof ** (i + 1) for i, term in enumerate(terms))


def drifts(trend, error, dof, tests):
    """Does one of so many numbers drift by more than chance makes one of them drift in a twentieth of all stationary runs?"""
    return bool(np.isfinite(trend) and dof > 0 and abs(trend) > student(1 - 0.025 / tests, dof) * error)


def is_stationary(trend, error):
    """By two standard errors of one number."""
    return bool(np.isfinite(trend) and abs(trend) <= FAR * error)
