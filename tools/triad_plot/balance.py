"""The energy budget dE/dt = injection - dissipation, integrated between the rows of series.csv.

Over the rows t_0, .. t_i the energy must change by the integral of q = injection - dissipation. The integral is that of
the cubic through four neighbouring rows; the same with the straight line through two tells how far it can be trusted.
    r_i = (E_{i+1} - E_i - int q dt)/(t_{i+1} - t_i)           what the budget does not account for [U^2/T]
"""
import numpy as np


def integrals(t, q, degree):
    """The integral over each interval between rows of the polynomial of `degree` through the rows around it.

    In x = (t - t_first)/(t_last - t_first) of the degree + 1 rows taken, weights w solve sum_j w_j x_j^p = int x^p dx.
    """
    n = min(degree + 1, len(t))
    i = np.arange(len(t) - 1)
    if n == 1:
        return np.diff(t) * q[:-1]
    first = np.clip(i - (n - 2) // 2, 0, len(t) - n)
    rows = first[:, None] + np.arange(n)
    scale = t[first + n - 1] - t[first]
    x = (t[rows] - t[first, None]) / scale[:, None]
    power = np.arange(n)
    begin, end = ((t[i + one] - t[first]) / scale for one in (0, 1))
    moments = (end[:, None] ** (power + 1) - begin[:, None] ** (power + 1)) / (power + 1)
    w = np.linalg.solve(np.swapaxes(x[:, :, None] ** power, 1, 2), moments[:, :, None])[:, :, 0]
    return scale * np.sum(w * q[rows], axis=1)


class Balance:
    """t: middles of the intervals; residual, change, gain, loss: rates there; doubt: of the quadrature [U^2/T]."""

    def __init__(self, series):
        t, energy = series.t, series["energy"]
        keep = np.concatenate([[True], np.diff(t) > 0]) & np.isfinite(energy)
        t, energy = t[keep], energy[keep]
        gain, loss = series["injection"][keep], series["dissipation"][keep]
        if len(t) < 2:
            raise ValueError("a budget needs two rows")
        self.length = np.diff(t)
        self.t = t[:-1] + self.length / 2
        put, taken = integrals(t, gain, 3), integrals(t, loss, 3)
        self.gain, self.loss = put / self.length, taken / self.length
        self.change = np.diff(energy) / self.length
        self.residual = self.change - self.gain + self.loss
        lower = 1 if len(t) > 2 else 0
        self.doubt = np.abs(integrals(t, gain - loss, lower) - (put - taken)) / self.length
        self.energy = energy

    def turned_over(self):
        """Energy that went in and out of the flow, at least what is in it: what a residual is measured against."""
        return max(float(np.sum((np.abs(self.gain) + np.abs(self.loss)) * self.length)), float(np.abs(self.energy).max()))

    def unaccounted(self):
        """|E(end) - E(0) - integral of q| / turned_over()."""
        scale = self.turned_over()
        return abs(float(np.sum(self.residual * self.length))) / scale if scale > 0 else 0.0
