"""Exact derivatives of the trigonometric interpolant of periodic samples, in a plane of a field that stays in its file.

Along the plane: by FFT. Across it: du/dn at point m is a sum over the points of the normal's line,
    du/dn(m) = sum_j D(m - j) u(j),   D(s) = (pi/L) (-1)^s cot(pi s/n) (n even),  (pi/L) (-1)^s / sin(pi s/n) (n odd),
    D(0) = 0
(Trefethen 2000, Spectral Methods in MATLAB, eqs. 3.9 and p. 29), so planes are read one slab after the other and memory
is that of some planes, whatever the grid.
"""
import numpy as np

SLAB_BYTES = 64 << 20


def row(n, m, length):
    """D(m - j) for j = 0 .. n-1."""
    s = m - np.arange(n)
    x = np.pi * s / n
    with np.errstate(divide="ignore"):
        d = np.where(s == 0, 0.0, (-1.0) ** s / (np.tan(x) if n % 2 == 0 else np.sin(x)))
    return np.pi / length * d if n > 1 else np.zeros(1)


def along(plane, axis, length):
    """Derivative of a plane [rows][columns] along its axis 0 or 1; the Nyquist mode of an even count has none."""
    n = plane.shape[axis]
    k = 2j * np.pi / length * np.fft.fftfreq(n, 1 / n)
    if n % 2 == 0:
        k[n // 2] = 0
    k = k[:, None] if axis == 0 else k[None, :]
    return np.fft.ifft(k * np.fft.fft(plane, axis=axis), axis=axis).real


class Plane:
    """The plane of index m across axis 0, 1 or 2 (z, y, x) of datasets of shape n = (nz, ny, nx)."""

    def __init__(self, n, lengths, normal, m):
        self.n, self.lengths, self.normal, self.m = n, lengths, normal, m
        self.inside = [a for a in range(3) if a != normal]

    def values(self, data):
        where = [slice(None)] * 3
        where[self.normal] = self.m
        return np.asarray(data[tuple(where)], dtype=float)

    def across(self, data):
        """Derivative along the normal."""
        d = row(self.n[self.normal], self.m, self.lengths[self.normal])
        out = np.zeros([self.n[a] for a in self.inside])
        planes = max(1, int(SLAB_BYTES // (8 * self.n[1] * self.n[2])))
        for z in range(0, self.n[0], planes):
            slab = np.asarray(data[z:z + planes], dtype=float)
            if self.normal == 0:
                out += np.tensordot(d[z:z + planes], slab, axes=(0, 0))
            else:
                out[z:z + planes] = np.tensordot(slab, d, axes=(self.normal, 0))
        return out

    def derivative(self, data, axis):
        """d/dx (axis 2), d/dy (1) or d/dz (0) on the plane."""
        if axis == self.normal:
            return self.across(data)
        place = self.inside.index(axis)
        return along(self.values(data), place, self.lengths[axis])

    def curl(self, u, v, w):
        d, x, y, z = self.derivative, 2, 1, 0
        return d(w, y) - d(v, z), d(u, z) - d(w, x), d(v, x) - d(u, y)
