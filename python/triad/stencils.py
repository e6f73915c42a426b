"""Weights of values at grid points for values and derivatives in between: Lagrange polynomials, differences, Hermite splines.

Names are those of the Johns Hopkins turbulence databases (turbulence.pha.jhu.edu/docs/Database-functions.pdf): lagN interpolates with
N points; fdNnoint differentiates at the nearest grid point to order N; fd4lag4 interpolates such derivatives; mMqQ are splines with M
continuous derivatives, from Q points (Lalescu, Teaca and Carati 2010, J. Comput. Phys. 229, 5862).
"""
import functools
import re

import numpy as np

from triad.errors import UsageError

FIELD = ("none", "lag4", "lag6", "lag8", "m1q4", "m2q8", "m2q14")
DIFFERENCES = ("fd4noint", "fd6noint", "fd8noint", "fd4lag4")
METHODS = {"field": FIELD, "gradient": (*DIFFERENCES, "m1q4", "m2q8", "m2q14"), "hessian": (*DIFFERENCES, "m2q8", "m2q14"),
           "laplacian": DIFFERENCES}


@functools.lru_cache(maxsize=None)
def differences(points, order):
    """Weights of values at -h .. h (points = 2 h + 1) for the derivative of this order at 0: exact for polynomials below `points`."""
    half = points // 2
    x = np.arange(-half, half + 1, dtype=float)
    right = np.zeros(points)
    right[order] = float(np.prod(np.arange(1, order + 1)))
    return np.linalg.solve(x[None, :] ** np.arange(points)[:, None], right)


def lagrange(points, s):
    """[point, weight] of values at 1 - points/2 .. points/2 for the position s in [0, 1)."""
    x = np.arange(1 - points // 2, points // 2 + 1, dtype=float)
    out = np.ones((len(s), points))
    for i in range(points):
        for j in range(points):
            if i != j:
                out[:, i] *= (s - x[j]) / (x[i] - x[j])
    return out


@functools.lru_cache(maxsize=None)
def hermite(m):
    """Coefficients [power, condition] of the polynomial of degree 2 m + 1 whose derivatives 0 .. m at 0, then at 1, are given."""
    size = 2 * m + 2
    conditions = np.zeros((size, size))
    for order in range(m + 1):
        factor = np.array([np.prod(np.arange(p, p - order, -1, dtype=float)) if p >= order else 0.0 for p in range(size)])
        conditions[order, order] = factor[order]
        conditions[m + 1 + order] = factor
    return np.linalg.inv(conditions)


def spline(m, q, s, order):
    """[point, weight] of values at 1 - q/2 .. q/2 for derivative number `order` of the spline at s."""
    rows = np.zeros((2 * m + 2, q))   # derivatives at 0 and at 1 as weights of the values
    for end in (0, 1):
        for d in range(m + 1):
            rows[end * (m + 1) + d, end:end + q - 1] = differences(q - 1, d)
    coefficients = hermite(m) @ rows
    out = np.zeros((len(s), q))
    for power in range(order, 2 * m + 2):
        out += np.prod(np.arange(power, power - order, -1, dtype=float)) * s[:, None] ** (power - order) * coefficients[power]
    return out


def weights(method, position, order):
    """(first index, [point, weight]) along an axis, for derivative number `order` (0, 1, 2) at positions in grid spacings, per spacing^order."""
    nearest, below = np.floor(position + 0.5).astype(int), np.floor(position).astype(int)
    s = position - below
    if method == "none":
        return nearest, np.ones((len(position), 1))
    noint, lag, knot = (re.fullmatch(pattern, method) for pattern in (r"fd(\d)noint", r"lag(\d)", r"m(\d)q(\d+)"))
    if noint:
        points = int(noint[1]) + 1
        return nearest - points // 2, np.tile(differences(points, order), (len(position), 1))
    if lag:
        return below + 1 - int(lag[1]) // 2, lagrange(int(lag[1]), s)
    if knot:
        m, q = int(knot[1]), int(knot[2])
        return below + 1 - q // 2, spline(m, q, s, order)
    inner, outer = differences(5, order), lagrange(4, s)   # fd4lag4
    out = np.zeros((len(position), 8))
    for i in range(4):
        out[:, i:i + 5] += outer[:, i:i + 1] * inner
    return below - 3, out


def check(method, operator):
    if operator not in METHODS:
        raise UsageError(f"operator {operator!r}: must be {', '.join(METHODS)}")
    if method not in METHODS[operator]:
        raise UsageError(f"spatial method {method!r}: for {operator} it must be {', '.join(METHODS[operator])}, or fourier for spectral solvers")
