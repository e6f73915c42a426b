"""A flow's own memory as numpy arrays: nothing is copied."""
import ctypes
import weakref

import numpy as np

from triad import dlpack, library, values as given
from triad.errors import FeatureError, UsageError


class Held:
    """Memory of a flow; what numpy keeps as the base of its arrays, so that the flow knows who still looks."""

    def __init__(self, flow, address, reals, real, writable):
        flow._held.add(self)
        self.__array_interface__ = {"data": (address, not writable), "typestr": np.dtype(real).str, "shape": (reals,),
                                    "version": 3}


def array_of(flow, address, reals, writable=False):
    return np.asarray(Held(flow, address, reals, flow.real, writable))


class State:
    """Fields of the state by name: arrays of this rank's part, the flow's own memory, not to be written.

    Of points real [z, y, x] of own points; of modes see Modes; of other spaces all numbers in a row.
    """

    def __init__(self, flow):
        self._flow, self._grids = weakref.proxy(flow), flow._grids
        self.fields = []
        field = library.Field()
        while library.field_at(flow._handle, len(self.fields), field) == 0:
            self.fields.append(field)
            field = library.Field()
        self.names = [f.name.decode() for f in self.fields]
        self._about = [(f.long_name.decode(), f.unit.decode()) for f in self.fields]  # the texts end with the flow

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __contains__(self, name):
        return name in self.names

    def number(self, name):
        if name not in self.names:
            raise UsageError(f"no field {name!r}; the fields are {', '.join(self.names)}")
        return self.names.index(name)

    def about(self, name):
        """Its meaning and unit."""
        return self._about[self.number(name)]

    def _check_grid(self):
        if self._grids != self._flow._grids:
            raise UsageError("the grid of the flow has changed; use flow.state or flow.modes again")

    def _address(self, name, write, device):
        self._check_grid()
        out = ctypes.c_void_p()
        library.check(library.memory(self._flow._open(), self.number(name), write, device, out))
        return out.value or 0

    def _array(self, name, write):
        flow, field = self._flow, self.fields[self.number(name)]
        parts = 2 if field.kind == library.MODES else 1
        address = self._address(name, write, False)
        if address == 0:
            return np.zeros((0,) * (3 if field.kind != library.OTHER else 1), flow.real)
        row = array_of(flow, address, field.memory * parts, write)
        if field.kind == library.OTHER:
            return row
        if field.kind == library.MODES:
            return flow.modes._shaped(row)
        size = row.itemsize
        return np.lib.stride_tricks.as_strided(
            row[field.origin:], tuple(field.local)[::-1], tuple(s * size for s in field.stride)[::-1], writeable=write)

    def __getitem__(self, name):
        return self._array(name, False)

    def __setitem__(self, name, values):
        def check():
            self._flow._may_change()
            self.number(name)

        def fit():
            fitted = given.numbers(name, values, array.dtype)
            if fitted.shape not in ((), array.shape):
                raise UsageError(f"{name}: the shape must be {array.shape}, not {fitted.shape}")
            return fitted

        self._flow._together(f"state[{name!r}] = ..", check)
        array = self._array(name, True)
        array[...] = self._flow._together(f"state[{name!r}] = ..", fit)

    def memory(self, name, device=dlpack.CPU):
        """It in the order of memory, as DLPack: modes complex [block, kz, lane], else real numbers in a row."""
        flow, field = self._flow, self.fields[self.number(name)]
        address = self._address(name, False, device == dlpack.CUDA)
        if field.kind == library.MODES:
            m = flow.modes
            shape, dtype = (m._blocks, m._nkz, m._lanes), np.result_type(flow.real, np.complex64)
        else:
            shape, dtype = (field.memory,), flow.real
        return dlpack.Memory(Held(flow, address, 1, flow.real, False), address, shape, dtype, device)

    def on_gpu(self, name):
        """The memory on a GPU, which cupy.asarray and torch.from_dlpack take without a copy."""
        return self.memory(name, dlpack.CUDA)


class Modes(State):
    """The modes u(k) of a spectral flow: complex [block, lane, kz], u(x) = sum u(k) exp(i k.x).

    kx, ky [block, lane, 1] and kz [1, 1, kz] are wavenumbers, mx, my, mz the integers; with a mean shear ky changes with each step.
    weight [block, lane, 1] is 2 where a mode stands for its conjugate too, which is not held: sums over k are sums of weight * f.
    kept is true for modes that are evolved; column is a column's number among those of all ranks, -1 in padding.
    """

    def __init__(self, flow):
        super().__init__(flow)
        at = library.Layout()
        if library.layout_of(flow._handle, at):
            raise FeatureError(f"solver {flow.solver} has no modes; use flow.state")
        self._blocks, self._lanes, self._nkz = at.n_blocks, at.lanes, at.nkz
        n = at.n_blocks * at.lanes

        def columns(pointer):
            return np.ctypeslib.as_array(pointer, (n,)).reshape(self._blocks, self._lanes, 1).copy() if n else \
                np.zeros((0, self._lanes, 1))

        self.kx, self._ky, self.weight = columns(at.kx), columns(at.ky), columns(at.weight)
        self.mx, self.my, extent = columns(at.mx), columns(at.my), columns(at.extent)
        self._self = columns(at.self)[..., 0] != 0
        self.kz = np.ctypeslib.as_array(at.kz, (at.nkz,)).reshape(1, 1, -1).copy()
        self.mz = np.ctypeslib.as_array(at.mz, (at.nkz,)).reshape(1, 1, -1).copy()
        self.kept = np.abs(self.mz) <= extent
        number = np.arange(n).reshape(self._blocks, self._lanes, 1)
        self.column = np.where(number < at.n_columns, at.first_column + number, -1)
        self.n, self.length = tuple(at.n), tuple(at.length)

    @property
    def ky(self):
        """Those of the time of the flow; of one that is closed or has another grid those that were read last."""
        at = library.Layout()
        try:
            there = self._flow._handle and self._grids == self._flow._grids and not library.layout_of(self._flow._handle, at)
        except ReferenceError:
            there = False
        if there and self._ky.size:
            self._ky = np.ctypeslib.as_array(at.ky, (self._ky.size,)).reshape(self._ky.shape).copy()
        return self._ky

    def _shaped(self, row):
        return row.view(np.result_type(row.dtype, np.complex64)).reshape(
            self._blocks, self._nkz, self._lanes).transpose(0, 2, 1)

    def __setitem__(self, name, values):
        """Modes that are not kept become 0, and those of columns that are their own conjugates real fields' ones."""
        def keep():
            self._check_grid()
            kept = np.where(self.kept, given.numbers(name, values, np.complex128), 0)
            own = self._self & (self.weight[..., 0] > 0)
            kept[own] = (kept[own] + np.conj(kept[own][:, -np.arange(self._nkz)])) / 2
            return kept
        super().__setitem__(name, self._flow._together(f"modes[{name!r}] = ..", keep))
