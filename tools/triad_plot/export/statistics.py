"""Means and deviations of fields and of their changes from step to step, for models that learn from them."""
import numpy as np

FLOOR = 1e-4   # below which The Well replaces a standard deviation


class Moments:
    """Count, mean and sum of squared deviations, merged without cancellation (Chan, Golub and LeVeque 1983)."""

    def __init__(self):
        self.count, self.mean, self.squares = 0, 0.0, 0.0

    def add(self, values):
        """values: [point, component], in double."""
        count, mean = len(values), values.mean(axis=0)
        squares = ((values - mean) ** 2).sum(axis=0)
        total, off = self.count + count, mean - self.mean
        self.squares = self.squares + squares + off ** 2 * (self.count * count / total)
        self.mean = self.mean + off * (count / total)
        self.count = total

    @property
    def std(self):
        return np.sqrt(self.squares / max(1, self.count))

    @property
    def rms(self):
        return np.sqrt(self.mean ** 2 + self.std ** 2)


class Statistics:
    """Those of every field, over all times and points that have been added."""

    def __init__(self):
        self.values, self.changes, self.scalar, self.last = {}, {}, {}, {}

    def add(self, name, values, order, begins):
        """The next time of a trajectory, or the first one (begins)."""
        values = values.astype(np.float64).reshape(-1, values.shape[-1] if order else 1)
        self.scalar[name] = not order
        self.values.setdefault(name, Moments()).add(values)
        if not begins:
            self.changes.setdefault(name, Moments()).add(values - self.last[name])
        self.last[name] = values

    def yaml(self):
        lines = []
        for suffix, table in (("", self.values), ("_delta", self.changes)):
            for what in ("mean", "std", "rms"):
                lines.append(f"{what}{suffix}:")
                for name, moments in table.items():
                    numbers = [f"{value:.4E}" for value in np.atleast_1d(getattr(moments, what))]
                    lines += [f"  {name}: {numbers[0]}"] if self.scalar[name] else [f"  {name}:", *(f"  - {number}" for number in numbers)]
        return "\n".join(lines) + "\n"

    def small(self):
        """Fields whose deviation The Well would replace."""
        return [f"{name}: the standard deviation{of} is {np.min(moments.std):.2g}, and The Well replaces values below {FLOOR:g}: use larger units"
                for of, table in (("", self.values), (" of changes", self.changes)) for name, moments in table.items() if np.min(moments.std) <= FLOOR]
