"""Values at points: this rank's part of them, with the place it has in the whole."""
import ctypes
import warnings

import numpy as np

from triad import library, values as given
from triad.errors import UsageError

AXES = ("x", "y", "z")


class Part(np.ndarray):
    """An array [z, y, x] (of a plane two of them) that knows its place: `begin`, the numbers of its first point among
    the whole grid's, `whole`, the shape of that, `name`, `unit`, `long_name`, and coordinates `x`, `y`, `z` of its
    points. Arithmetic makes plain arrays of it."""

    def __new__(cls, values, **about):
        self = np.asarray(values).view(cls)
        self.__dict__.update(about)
        return self

    def __array_finalize__(self, _from):
        pass

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return np.asarray(array)[()] if np.ndim(array) == 0 else np.asarray(array)


class Points:
    """The points of a flow, made once."""

    def __init__(self, flow):
        self._flow, self._box = flow, library.Field()
        library.check(library.points(flow._handle, self._box))
        self.n, self.begin, self.local = (tuple(getattr(self._box, a))[::-1] for a in ("n", "begin", "local"))
        self.at = []
        for axis in range(3):
            x = np.empty(self._box.n[axis])
            library.check(library.axis(flow._handle, axis, x.ctypes.data_as(ctypes.c_void_p)))
            self.at.append(x)

    def _strided(self, row):
        size = row.itemsize
        return np.lib.stride_tricks.as_strided(row[self._box.origin:], self.local,
                                               tuple(s * size for s in self._box.stride)[::-1])

    def whole(self, name):
        """All of this rank's points, [z, y, x]."""
        flow, about = self._flow, library.Field()
        library.check(library.quantity(flow._open(), name.encode(), about))
        words = {"unit": about.unit.decode(), "long_name": about.long_name.decode()}
        row = np.zeros(max(1, self._box.memory), flow.real)
        library.check(library.values(flow._handle, name.encode(), row.ctypes.data_as(ctypes.c_void_p)))
        own = {AXES[a]: self.at[a][self._box.begin[a]:self._box.begin[a] + self._box.local[a]] for a in range(3)}
        return Part(self._strided(row), name=name, begin=self.begin, whole=self.n, **words, **own)

    def cut(self, part, planes):
        """The points nearest to x = .., y = .., z = .., of a periodic box through its sides."""
        library.check(library.points(self._flow._open(), self._box))   # a sheared flow is periodic along y at some times only
        index, kept = [slice(None)] * 3, {}
        for name, where in planes.items():
            axis = AXES.index(name)
            x, period = self.at[axis], self._box.period[axis]
            spacing = (x[-1] - x[0]) / (len(x) - 1) if len(x) > 1 else np.inf
            if period and not -period * (1 + 1e-9) <= where <= period * (1 + 1e-9):
                warnings.warn(f"{name} = {where:g} is outside the periodic box of length {period:.6g}; {name} = "
                              f"{where - period * np.floor(where / period):.6g} is used", RuntimeWarning, stacklevel=4)
            elif not period and not x[0] - spacing <= where <= x[-1] + spacing:
                raise UsageError(f"{name} = {where:g} is outside the box, whose points extend from {x[0]:.6g} to {x[-1]:.6g}")
            away = x - where
            number = int(np.argmin(np.abs(away - period * np.round(away / period) if period else away)))
            mine = number - self._box.begin[axis]
            inside = 0 <= mine < self._box.local[axis]
            index[2 - axis] = slice(mine, mine + 1) if inside else slice(0, 0)
            kept[name] = float(x[number])
        gone = tuple(2 - AXES.index(name) for name in planes)
        stay = [i for i in range(3) if i not in gone]
        block = np.asarray(part)[tuple(index)]
        if block.size:
            block = block.squeeze(axis=gone)
        else:  # another rank has it
            block = np.zeros((0,) * len(stay), block.dtype)
        about = dict(part.__dict__, begin=tuple(part.begin[i] for i in stay), whole=tuple(part.whole[i] for i in stay))
        return Part(block, **{**about, **kept})

    @staticmethod
    def check(name, planes):
        if not isinstance(name, str) or "\0" in name:
            raise UsageError(f"points: {name!r} is not the name of a quantity")
        for axis, where in planes.items():
            if axis not in AXES:
                raise UsageError(f"points accepts x, y and z, not {axis}")
            if not np.isscalar(where) or not np.isfinite(given.numbers(axis, where, np.float64)):
                raise UsageError(f"{axis} = {where!r} is not a position")

    def take(self, name, planes):
        part = self.whole(name)
        return self.cut(part, planes) if planes else part

    def prepare(self, values, name):
        """Values at this rank's points, or at all points, in the order of the flow's memory."""
        values = given.numbers(name, values, self._flow.real)
        if values.shape == self.n and self.n != self.local:
            values = values[tuple(slice(b, b + m) for b, m in zip(self.begin, self.local))]
        if values.shape not in ((), self.local):
            raise UsageError(f"{name}: the shape [z, y, x] must be {self.local} (this rank) or {self.n} (all ranks), not {values.shape}")
        row = np.zeros(max(1, self._box.memory), self._flow.real)
        self._strided(row)[...] = values
        return row

    def put(self, number, row):
        """They become the field of the state."""
        library.check(library.put(self._flow._open(), number, row.ctypes.data_as(ctypes.c_void_p)))
