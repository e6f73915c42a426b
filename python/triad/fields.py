"""The fields of a flow: what Flow has of them."""
import ctypes

import numpy as np

from triad import library
from triad.errors import UsageError
from triad.memory import Modes, State
from triad.points import Points
from triad.values import numbers


class Fields:
    """State, modes, values at points, and sums over all ranks."""

    @property
    def state(self):
        """Fields of the state, by name: this rank's part of them, the flow's own memory."""
        self._open()
        if self._state is None:
            self._state = State(self)
        return self._state

    @property
    def modes(self):
        """The same of a spectral flow, with its wavenumbers."""
        self._open()
        if self._modes is None:
            self._modes = Modes(self)
        return self._modes

    def _grid(self):
        self._open()
        if self._points is None:
            self._points = Points(self)
        return self._points

    @property
    def grid(self):
        """x, y, z of all points of the grid."""
        return tuple(self._grid().at)

    def points(self, name, **planes):
        """A quantity (`triad case --quantities` lists them) at this rank's points [z, y, x]; on a plane with x =, y = or
        z =, the grid's nearest one; on a line with two. Collective."""
        self._together(f"points({name!r})", lambda: (self._open(), Points.check(name, planes)))
        return self._grid().take(name, planes)

    def _may_change(self):
        self._open()
        if self._inside:
            raise UsageError("a diagnostic must not change the flow; use a call-back")

    def set(self, name=None, values=None, **fields):
        """Fields of the state from values at points: flow.set("u", array) or flow.set(u=.., v=.., w=..). An array has this
        rank's part [z, y, x], or all of the grid. What several calls set is made a field of the equations (without
        divergence, say) before its next use. Collective."""
        arrays = ({name: values} if name is not None else {}) | fields
        call = f"set({', '.join(map(str, arrays))})"
        self._together(call, self._may_change)
        grid = self._grid() if any(field.kind == library.MODES for field in self.state.fields) else None

        def prepare():
            numbers = [self.state.number(field) for field in arrays]
            return [(n, field, grid.prepare(array, field) if self.state.fields[n].kind == library.MODES else array)
                    for n, (field, array) in zip(numbers, arrays.items())]
        for number, field, array in self._together(call, prepare):
            if self.state.fields[number].kind == library.MODES:
                grid.put(number, array)
            else:
                self.state[field] = array

    def sum(self, x):
        """The sum of numbers over all ranks: of an array, of all its entries. Likewise min and max. Collective."""
        return self._reduce(0, lambda: np.sum(x))

    def min(self, x):
        return self._reduce(1, lambda: np.min(x) if np.size(x) else np.inf)

    def max(self, x):
        return self._reduce(2, lambda: np.max(x) if np.size(x) else -np.inf)

    def mean(self, x):
        """The mean of an array over all its points on all ranks. Collective."""
        return self.sum(x) / self._reduce(0, lambda: np.size(x))

    def _reduce(self, what, x):
        name = ("sum", "min", "max")[what]
        row = self._together(name, lambda: np.array([numbers(name, x(), np.float64)], np.float64))
        library.check(library.reduce(self._open(), what, 1, row.ctypes.data_as(ctypes.c_void_p)))
        return float(row[0])
