"""Rows of a surface at even times: which of them, what is wrong with them, interpolation."""
import numpy as np

from triad_plot.problem import Absent, Problem
from triad_plot.read import probes
from triad_plot.read.particles import LARGEST_ERROR, at_times, error_at_times

LOST = 1.75           # times the gaps before and after: a gap in which rows are missing
SAMPLED = 64          # points that the error of the interpolation is estimated from
BLOCK = 1 << 25       # numbers that are held at once
FIELDS = ("rho", "u", "v", "w", "p")


class Record:
    """Times of the rows that are used. even: times at equal intervals dt; error: of values at them, over the rms of the pressure."""

    def __init__(self, patches, first, last):
        self.path = patches[0].probe.path
        all_t = patches[0].probe.t
        for patch in patches[1:]:
            if len(patch.probe.t) != len(all_t) or not np.array_equal(patch.probe.t, all_t):
                raise Problem(f"{patch.probe.path}: its rows have other times than those of {self.path}")
        self.rows = np.nonzero((all_t >= first) & (all_t <= last))[0]
        self.t = all_t[self.rows]
        if len(self.t) < 8:
            raise Absent(f"{self.path}: {len(self.t)} rows at these times are too few; the rows cover t = {all_t[0]:g} to {all_t[-1]:g}")
        self._refuse_gaps()
        self.dt = float((self.t[-1] - self.t[0]) / (len(self.t) - 1))
        self.even = self.t if probes.is_even(self.t) else self.t[0] + self.dt * np.arange(len(self.t))
        self.error = 0.0
        if self.even is not self.t:
            self.even[-1] = self.t[-1]
            self.error = self._error(patches[0].probe)

    def _refuse_gaps(self):
        gaps = np.diff(self.t)
        if (gaps <= 0).any():
            raise Problem(f"{self.path}: times do not increase after t = {self.t[int(np.argmax(gaps <= 0))]:g}")
        neighbours = np.maximum(np.append(gaps[1:], gaps[-2]), np.insert(gaps[:-1], 0, gaps[1]))
        lost = np.nonzero(gaps > LOST * neighbours)[0]
        if len(lost):
            i = int(lost[0])
            raise Problem(f"{self.path}: rows are missing between t = {self.t[i]:g} and {self.t[i + 1]:g}, or steps are longer than half of "
                          "output.probes_interval; select rows without a gap by --from and --to")

    def _error(self, probe):
        points = slice(None, None, max(1, len(probe.x) // SAMPLED))
        p = probe.read("p", points)[self.rows]
        error = error_at_times(self.t, p - p.mean(axis=0))
        if not error <= LARGEST_ERROR:
            raise Problem(f"{self.path}: rows are too far apart to interpolate to equal intervals: the error is {100 * error:.2g} % of the rms "
                          "pressure; set a smaller output.probes_interval, or a constant time.dt")
        return error

    def blocks(self, probe):
        size = max(1, BLOCK // (len(FIELDS) * len(self.t)))
        return [slice(i, min(i + size, len(probe.x))) for i in range(0, len(probe.x), size)]

    def read(self, probe, points):
        """{field: [row, point]} at the even times."""
        found = {}
        for name in FIELDS:
            if name not in probe.fields:
                raise Problem(f"{probe.path}: has no {name}")
            values = probe.read(name, points)[self.rows]
            if not np.isfinite(values).all():
                row = int(np.argmin(np.isfinite(values).all(axis=1)))
                raise Problem(f"{probe.path}: {name} is not finite at t = {self.t[row]:g}")
            found[name] = values if self.even is self.t else at_times(self.t, values, self.even)
        return found
