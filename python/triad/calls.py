"""When call-backs are due; columns of the series that Python measures."""
import math
import numbers

import numpy as np

from triad import library
from triad.errors import UsageError


def name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def whole(what, n, words):
    """A whole number, 0 or more, that may come as another type than int."""
    if not isinstance(n, (numbers.Real, np.number, np.ndarray)) or np.ndim(n) or not 0 <= n < math.inf or n != int(n):
        raise UsageError(f"{what}({n}): {words}")
    return int(n)


AHEAD = 2e-12  # of t: what steps count as having come to is within half of it


class Calls:
    """Functions, and when they are called: multiples of a time are counted from t = 0, as those of files are."""

    def __init__(self):
        self._timed, self._stepped, self._once = [], [], []

    def every(self, time, steps):
        if (time is None) == (steps is None):
            raise UsageError("every requires a time or steps=")
        interval = time if steps is None else steps
        if not 0 < interval < math.inf or steps is not None and steps != int(steps):
            raise UsageError(f"every({interval}): the interval must be a positive number")

        def add(function):
            (self._stepped if time is None else self._timed).append((int(steps) if time is None else float(time), function))
            return function
        return add

    def at(self, times):
        if not times:
            raise UsageError("at requires times")
        for time in times:
            if not 0 < time < math.inf:
                raise UsageError(f"at({time}): times must be positive, because call-backs run after steps")

        def add(function):
            self._once += [(float(time), function) for time in times]
            return function
        return add

    def signature(self):
        """The times and numbers of steps, which all ranks must have."""
        return repr([[when for when, _ in some] for some in (self._timed, self._stepped, self._once)])

    def next(self, t):
        """The next time that a step must not step over."""
        ahead = [self._multiple(every, t) for every, _ in self._timed]
        ahead += [time for time, _ in self._once if time > t * (1 + AHEAD)]
        return min(ahead, default=math.inf)

    @staticmethod
    def _multiple(every, t):
        """With a fixed step t may miss a multiple by what many roundings come to: to step to there would be no step."""
        number = math.floor(t / every + 1e-9) + 1
        return number * every if number * every > t * (1 + AHEAD) else max((number + 1) * every, t * (1 + 2 * AHEAD))

    def steps_left(self, steps):
        """How many steps there are until one of those that are counted in steps is due."""
        return min((every - steps % every for every, _ in self._stepped), default=1 << 62)

    def due(self, before, t, steps):
        """What is due after the step from `before` to t, in the order of its making."""
        out = [f for every, f in self._timed if math.floor(t / every + 1e-9) > math.floor(before / every + 1e-9)]
        out += [f for every, f in self._stepped if steps % every == 0]
        return out + [f for time, f in self._once if before < time * (1 - 1e-12) and t >= time * (1 - 1e-12)]


class Column:
    """A column of the series; ctypes keeps no reference to what it calls, so this does."""

    def __init__(self, flow, function, name, unit, about):
        self.name, self._function = name or name_of(function), function
        words = about or " ".join((function.__doc__ or "").split()) or f"the diagnostic {self.name}"
        flow._together(f"diagnostic({self.name!r})", flow._open)
        self._call = library.MEASURED(lambda _who, out: self._measure(flow, out))
        library.check(library.add_column(flow._open(), self.name.encode(), unit.encode(), words.encode(), self._call, None))

    def measure(self, flow):
        """Its value now; an exception passes to the caller."""
        inside, flow._inside = flow._inside, True
        try:
            return flow._agree(self._function, self._number)
        finally:
            flow._inside = inside

    @staticmethod
    def _number(flow, value):
        """The series is rank 0's: the others need return none."""
        return float(value) if flow.rank == 0 else math.nan

    def _measure(self, flow, out):
        """For C. An exception is kept for step to raise: it cannot pass through there."""
        try:
            out[0] = self.measure(flow)
            return 0
        except BaseException as error:
            flow._raised = error
            return 70
