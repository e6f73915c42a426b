"""particles/NAME.h5: rows of a group of particles, each dataset read when it is asked for.

Steps that follow a Courant number leave rows at uneven times. Statistics that need even ones use the velocity at even times of the
mean gap: at each the cubic through the four rows around it, whose error falls as the fourth power of the gap.
"""
import functools

import numpy as np

from triad_plot.problem import Absent
from triad_plot.read import hdf5


LARGEST_ERROR = 0.1   # of interpolated velocities over their rms: beyond it the rows are too far apart
FURTHER = 4 / (9 / 16)
SAMPLED = 1000        # particles that the error is estimated from


def weights(t, at):
    """Rows [time][4] and weights [time][4] of the cubic through the four rows of times t around each time of `at`."""
    first = np.clip(np.searchsorted(t, at, "right") - 2, 0, len(t) - 4)
    rows = first[:, None] + np.arange(4)
    x, w = t[rows], np.ones((len(at), 4))
    for i in range(4):
        for j in range(4):
            if j != i:
                w[:, i] *= (at - x[:, j]) / (x[:, i] - x[:, j])
    return rows, w


def at_times(t, values, at):
    """values[row][...] of times t at other times."""
    rows, w = weights(t, at)
    return sum(w[:, i].reshape(-1, *[1] * (values.ndim - 1)) * values[rows[:, i]] for i in range(4))


def error_at_times(t, values):
    """Estimate of the error of at_times over the rms of the values, from each row and the cubic through the two rows before it and the two
    after it. Products of distances, 4 there and 9/16 halfway between even rows, make that FURTHER times as wrong."""
    i = np.arange(2, len(t) - 2)
    left_out = 0
    for a in (-2, -1, 1, 2):
        w = np.prod([(t[i] - t[i + b]) / (t[i + a] - t[i + b]) for b in (-2, -1, 1, 2) if b != a], axis=0)
        left_out = left_out + w.reshape(-1, *[1] * (values.ndim - 1)) * values[i + a]
    rms = np.sqrt(np.mean(values**2))
    return float(np.sqrt(np.mean((left_out - values[i])**2)) / FURTHER / rms) if rms > 0 else 0.0


def derivative(t, values):
    """Of values[row][...] at all rows but the first and the last: of the parabola through three rows."""
    h = np.diff(t).reshape(-1, *[1] * (values.ndim - 1))
    slope = np.diff(values, axis=0) / h
    return (slope[1:] * h[:-1] + slope[:-1] * h[1:]) / (h[:-1] + h[1:])


class Group:
    def __init__(self, path):
        self.path = path
        self.data = {}

    def __contains__(self, name):
        return hdf5.read(self.path, lambda file: name in file)

    def __getitem__(self, name):
        if name not in self.data:
            if name not in self:
                raise Absent(f"{self.path}: has no {name} (key sample of [[particles]])")
            self.data[name] = hdf5.read(self.path, lambda file: file[name][:])
        return self.data[name]

    def part(self, name, *where):
        """self[name][where], and no more of it is read."""
        if name in self.data or name not in self:
            return self[name][where]
        return hdf5.read(self.path, lambda file: file[name][where])

    @property
    def t(self):
        return self["t"]

    @property
    def step(self):
        return self["step"]

    @functools.cached_property
    def count(self):
        return hdf5.read(self.path, lambda file: int(file["position"].shape[1]))

    def key(self, run, name):
        """What the case says of it."""
        own = self.path.replace("\\", "/").rsplit("/", 1)[-1][:-3]
        number = next((k for k in range(1, 65) if run.case.get(f"particles[{k}].name") == own), 0)
        return run.case.get(f"particles[{number}].{name}")

    def kind(self, run):
        return self.key(run, "kind")

    @staticmethod
    def kinetic(series, row):
        return float(series["kinetic_energy" if "kinetic_energy" in series else "energy"][row])

    @functools.cached_property
    def is_even(self):
        gaps = np.diff(self.t)
        if len(gaps) < 4 or not gaps.min() > 0:
            raise Absent(f"{self.path}: has {len(self.t)} rows; statistics in time require five at increasing times")
        return bool(np.ptp(gaps) <= 1e-3 * gaps.mean())

    @property
    def interval(self):
        """The mean gap of the rows, which is that of even_velocity."""
        return float((self.t[-1] - self.t[0]) / (len(self.t) - 1))

    @functools.cached_property
    def error(self):
        """Of even_velocity, over the rms: 0 where the rows are at even times themselves."""
        return 0.0 if self.is_even else error_at_times(self.t, self.part("velocity", slice(None), slice(SAMPLED)))

    @functools.cached_property
    def even_velocity(self):
        """velocity[time][particle][3] at even times, t[0] + i interval. Absent where rows are too far apart."""
        if self.is_even:
            return self["velocity"]
        if self.error > LARGEST_ERROR:
            raise Absent(f"{self.path}: rows are too far apart to interpolate to even times: the error is "
                         f"{100 * self.error:.0f} % of the velocity; set a smaller output.particles_interval")
        return at_times(self.t, self["velocity"], np.linspace(self.t[0], self.t[-1], len(self.t)))
