"""A plane of a flow: its points, and the same drawn smoothly where they are samples of a Fourier sum.

Samples of u on n points a side determine a sum of Fourier modes, and a field of a truncated spectral method is that sum:
between the points it is known exactly. What is made of such fields (a modulus, a phase) is made after they are refined.
Of a modulus that stands in a file by itself the square is refined, which has no kinks.
"""
import numpy as np

SHOWN = 512  # points a side beyond which a picture shows no more


def fine(values, factor):
    """The trigonometric interpolant of periodic samples [rows][columns] on `factor` times as many points along each axis that
    has more than one; sample (i, j) comes back at (i factor, j factor). Of the Nyquist mode of an even count it is the cosine."""
    for axis, n in enumerate(values.shape):
        if n == 1 or factor == 1:
            continue
        c = np.fft.rfft(values, axis=axis)
        if n % 2 == 0:
            np.moveaxis(c, axis, 0)[n // 2] /= 2
        values = factor * np.fft.irfft(c, factor * n, axis=axis)
    return values


def modulus(parts):
    return np.sqrt(sum(c * c for c in parts))


def root(parts):
    """Of a square that was refined: it may fall below zero between its points."""
    return np.sqrt(np.maximum(parts[0], 0.0))


class Cut:
    """values [rows][columns]; `rows` and `columns`: letter and borders of the cells of each; where the plane lies, when; what it
    shows. values = combine(parts); `fourier`: the parts are samples of Fourier sums."""

    def __init__(self, parts, combine, rows, columns, where, t, label, fourier):
        self.parts, self.combine, self.fourier = parts, combine, fourier
        self.values = combine(parts)
        self.rows, self.columns, self.where, self.t = rows, columns, where, t
        self.name, self.symbol, self.unit, self.signed = label

    @property
    def is_line(self):
        return min(self.values.shape) == 1

    def along(self):
        """(letter, coordinates) of a line."""
        letter, edges = self.columns if self.values.shape[0] == 1 else self.rows
        return letter, (edges[1:] + edges[:-1]) / 2

    def drawn(self):
        """(values, (left, right, bottom, top)) of a picture, dense enough for its pixels where that is known."""
        n = max(self.values.shape)
        factor = -(-SHOWN // n) if self.fourier and n < SHOWN else 1
        values = self.combine([fine(p, factor) for p in self.parts]) if factor > 1 else self.values
        ends = []
        for edges in (self.columns[1], self.rows[1]):
            h = edges[1] - edges[0]
            shift = (h - h / factor) / 2  # the first point stays where it is, its cell shrinks
            ends += [edges[0] + shift, edges[-1] + shift]
        return values, tuple(ends)
