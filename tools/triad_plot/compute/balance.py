"""The energy budget dE/dt = injection - dissipation, integrated between the rows of series.csv.

Over the rows t_0, .. t_i the energy must change by the integral of q = injection - dissipation. Where the series has the integral of
a rate, added up in each step, its differences are used. Else the integral is that of the cubic through four neighbouring rows; the same
with the straight line through two, the larger of it and of those beside it, estimates its error.
    r_i = (E_{i+1} - E_i - int q dt)/(t_{i+1} - t_i)           what the budget does not account for [U^2/T]
No integral is taken across a break: a change of the case in the course of the run, say, after which the rates are others. The interval
that holds a break is left out.
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


def largest_near(x):
    """The largest of each number and its neighbours: where a rate has a kink, polynomials on both sides of it are wrong."""
    beside = np.concatenate([x[:1], x, x[-1:]])
    return np.maximum.reduce([beside[:-2], beside[1:-1], beside[2:]])


def joined(pieces):
    return np.concatenate(pieces) if pieces else np.zeros(0)


def segments(t, breaks):
    """Slices of the rows between which there is no break; a break at a row belongs to the interval after it."""
    slack = 1e-9 * (t[-1] - t[0])
    ends = sorted({int(np.nonzero(t <= b + slack)[0][-1]) for b in breaks if t[0] - slack <= b < t[-1] - slack})
    starts = [0, *(i + 1 for i in ends)]
    return [slice(a, b + 1) for a, b in zip(starts, [*ends, len(t) - 1]) if b > a], len(ends)


class Balance:
    """t: middles of the intervals; residual, change, gain, loss: rates there; doubt: error of the quadrature [U^2/T]; left_out: how many
    intervals hold a break."""

    def __init__(self, series, breaks=(), loss="dissipation", counted=None, lost=None):
        """counted: (integral, rate): the injection is the rate of change of the integral, and the rate; lost: integral of the loss."""
        keep = np.concatenate([[True], np.diff(series.t) > 0]) & np.isfinite(series["energy"])
        t = series.t[keep]
        if len(t) < 2:
            raise ValueError("a budget requires two rows")
        parts, self.left_out = segments(t, breaks)
        if not parts:
            raise ValueError("a budget requires two rows between changes of the case")
        rate_in = counted[1] if counted else series["injection"]
        rate_out = np.zeros(len(series.t)) if lost is not None else series[loss]
        whole_in = counted[0] if counted else np.zeros(len(series.t))
        whole_out = lost if lost is not None else np.zeros(len(series.t))
        pieces = [self._part(*(y[keep][part] for y in (series.t, series["energy"], rate_in, rate_out, whole_in, whole_out)))
                  for part in parts]
        self.t, self.length, self.change, self.gain, self.loss, self.doubt = (joined(list(x)) for x in zip(*pieces))
        self.residual = self.change - self.gain + self.loss
        self.energy = series["energy"][keep]

    @staticmethod
    def _part(t, energy, rate_in, rate_out, whole_in, whole_out):
        length = np.diff(t)
        put, taken = integrals(t, rate_in, 3), integrals(t, rate_out, 3)
        doubt = largest_near(np.abs(integrals(t, rate_in - rate_out, 1 if len(t) > 2 else 0) - (put - taken)))
        gain, loss = put + np.diff(whole_in), taken + np.diff(whole_out)
        return t[:-1] + length / 2, length, np.diff(energy) / length, gain / length, loss / length, doubt / length

    def turned_over(self):
        """Energy that went in and out of the flow, at least what is in it: what a residual is measured against."""
        return max(float(np.sum((np.abs(self.gain) + np.abs(self.loss)) * self.length)), float(np.abs(self.energy).max()))

    def unaccounted(self):
        """|E(end) - E(0) - integral of q| / turned_over(), without the intervals that are left out."""
        scale = self.turned_over()
        return abs(float(np.sum(self.residual * self.length))) / scale if scale > 0 else 0.0

    def error(self):
        """What the quadrature may be wrong by, over turned_over()."""
        scale = self.turned_over()
        return float(np.sum(self.doubt * self.length)) / scale if scale > 0 else 0.0
