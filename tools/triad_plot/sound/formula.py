"""Farassat's formulation 1A for a permeable surface at rest in a uniform stream, in numpy (docs/far-field.md, eq. 1 to 5).

F. Farassat 2007, NASA/TM-2007-214853 (formulation 1A); P. di Francescantonio 1997, J. Sound Vib. 202, 491, and K. S. Brentner and
F. Farassat 1998, AIAA J. 36, 1379 (U and L on a permeable surface). In the frame of the medium, surface and observers move at
v = -U. They do not accelerate, so the terms with derivatives of M and of the normal vanish, and every delay is constant.
"""
from typing import NamedTuple

import numpy as np

STENCIL = 6               # rows of the polynomial through which values at emission times are found
BEFORE = STENCIL // 2 - 1  # of them before the interval of the emission time
RIGHT = 0.01              # error of the derivative that bounds the frequencies


class Medium(NamedTuple):
    """The fluid at rest or in uniform motion around the surface."""
    p: float              # pressure
    rho: float            # density
    c: float              # speed of sound
    stream: np.ndarray    # velocity U [3]


def sources(n, rho, u, p, medium):
    """(U_n, L_x, L_y, L_z) [4, ...] on a surface at rest with the outward normal n [point, 3]; eq. (1), (2).

    rho, p [row, point] and u [3, row, point] are those of the flow in the frame of the surface. With the medium at U the velocity in
    its frame is u - U, and that of the surface is -U: u_n - v_n is u_n of the file."""
    un = sum(n[:, i] * u[i] for i in range(3))
    out = np.empty((4, *p.shape))
    out[0] = rho * un / medium.rho - n @ medium.stream
    for i in range(3):
        out[1 + i] = (p - medium.p) * n[:, i] + rho * (u[i] - medium.stream[i]) * un
    return out


class Paths(NamedTuple):
    """From points of a surface to one observer."""
    r: np.ndarray          # distance between emission point and observer at reception, in the frame of the medium [point]
    direction: np.ndarray  # unit vector along it [point, 3]
    delay: np.ndarray      # r/c [point]
    fast: np.ndarray       # coefficients of d/dt of (U_n, L) [4, point]
    slow: np.ndarray       # coefficients of (U_n, L) [4, point]


def paths(y, observer, weights, medium):
    """Distances and coefficients of eq. (3) to (5) for points y [point, 3] of areas `weights`, which include the factor 1/(4 pi)."""
    mach = -medium.stream / medium.c
    square = mach @ mach
    d = observer - y
    along = d @ mach
    r = (along + np.sqrt(along**2 + (1 - square) * np.sum(d**2, axis=1))) / (1 - square)
    direction = d / r[:, None] + mach
    mr = direction @ mach
    doppler = 1 - mr
    w = weights / (4 * np.pi)
    fast, slow = np.empty((4, len(y))), np.empty((4, len(y)))
    fast[0] = w * medium.rho / (r * doppler**2)
    fast[1:] = w * direction.T / (medium.c * r * doppler**2)
    slow[0] = w * medium.rho * medium.c * (mr - square) / (r**2 * doppler**3)
    slow[1:] = w * ((direction - mach).T / (r**2 * doppler**2) + direction.T * (mr - square) / (r**2 * doppler**3))
    return Paths(r, direction, r / medium.c, fast, slow)


def stencil(fraction):
    """Weights [.., STENCIL] of the value and of the derivative (per interval) at `fraction` of an interval, of the polynomial through
    rows -BEFORE .. STENCIL - 1 - BEFORE."""
    nodes = np.arange(STENCIL) - BEFORE
    # coefficients of the powers of each Lagrange polynomial
    powers = np.linalg.inv(np.vander(nodes, increasing=True)).T
    f = np.asarray(fraction, float)[..., None]
    k = np.arange(STENCIL)
    return f**k @ powers.T, (k[1:] * f**(k[1:] - 1)) @ powers[:, 1:].T


def highest(dt):
    """The frequency up to which the derivative at any time between rows is right within RIGHT."""
    fraction, turn = np.linspace(0, 1, 21), np.linspace(0.02, np.pi, 400)
    nodes = np.arange(STENCIL) - BEFORE
    made = stencil(fraction)[1] @ np.exp(1j * nodes[:, None] * turn)
    error = np.abs(made - 1j * turn * np.exp(1j * fraction[:, None] * turn)).max(axis=0) / turn
    wrong = np.nonzero(error > RIGHT)[0]
    return turn[wrong[0] - 1 if len(wrong) else -1] / (2 * np.pi * dt)


def window(delay, rows, dt):
    """(first, count): the first reception time, counted from that of the first row, at which the signals of all points are known, and
    the number of reception times at intervals dt from there."""
    first = float(delay.max()) + BEFORE * dt
    last = float(delay.min()) + (rows - 1 - (STENCIL - 1 - BEFORE)) * dt
    return first, int(np.floor((last - first) / dt + 1e-9)) + 1


def add(out, q, path, first, dt):
    """Add to out [time] the pressure at reception times first + i dt of points with sources q [4, row, point]; eq. (3), (4).

    Advanced in groups of points whose delays differ by less than an interval: each group is one product of matrices."""
    at = (first - path.delay) / dt
    shift = np.floor(at + 1e-9).astype(int)
    value, slope = stencil(at - shift)
    # [STENCIL, 4, point]
    weights = slope.T[:, None] * (path.fast / dt) + value.T[:, None] * path.slow
    count = len(out)
    for step in np.unique(shift):
        some = shift == step
        begin = step - BEFORE
        rows = q[:, begin:begin + count + STENCIL - 1, some]
        mixed = np.tensordot(weights[:, :, some], rows, axes=([1, 2], [0, 2]))   # [STENCIL, row]
        for k in range(STENCIL):
            out += mixed[k, k:k + count]
