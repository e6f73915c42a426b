"""When call-backs are due; columns of the series that Python measures."""
import math

from triad import library
from triad.errors import UsageError


def name_of(function):
    return getattr(function, "__name__", type(function).__name__)


class Calls:
    """Functions, and when they are called: multiples of a time are counted from t = 0, as those of files are."""

    def __init__(self):
        self._timed, self._stepped, self._once = [], [], []

    def every(self, time, steps):
        if (time is None) == (steps is None):
            raise UsageError("every takes a time or steps=")
        if not (time if steps is None else steps) > 0 or steps is not None and steps != int(steps):
            raise UsageError(f"every: {time if steps is None else steps} is no interval")

        def add(function):
            (self._stepped if time is None else self._timed).append((steps if time is None else time, function))
            return function
        return add

    def at(self, times):
        if not times:
            raise UsageError("at takes times")

        def add(function):
            self._once += [(float(time), function) for time in times]
            return function
        return add

    def next(self, t):
        """The next time that a step must not step over."""
        ahead = [(math.floor(t / every + 1e-9) + 1) * every for every, _ in self._timed]
        ahead += [time for time, _ in self._once if time > t * (1 + 1e-12)]
        return min(ahead, default=math.inf)

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
        self.name = name or name_of(function)
        words = about or " ".join((function.__doc__ or "").split()) or f"the diagnostic {self.name}"
        self._call = library.MEASURED(lambda _who, out: self._measure(flow, function, out))
        library.check(library.add_column(flow._open(), self.name.encode(), unit.encode(), words.encode(), self._call, None))

    @staticmethod
    def _measure(flow, function, out):
        """An exception is kept for step to raise: it cannot pass through C."""
        inside, flow._inside = flow._inside, True
        try:
            value = flow._agree(lambda flow: float(function(flow)))
            out[0] = value
            return 0
        except BaseException as error:
            flow._raised = error
            return 70
        finally:
            flow._inside = inside
