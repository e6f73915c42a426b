"""Memory of a flow for other libraries without a copy: DLPack (numpy.from_dlpack, torch.from_dlpack, cupy.from_dlpack), and on
a GPU __cuda_array_interface__ (cupy.asarray, numba)."""
import ctypes

import numpy as np

CPU, CUDA = 1, 2
FLOAT, COMPLEX = 2, 5
_shown = {}  # address of a managed tensor: what it needs, until its taker gives it back


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("number", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _capsules(name, result, *arguments):
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, arguments
    return function


_new = _capsules("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR)
_is_valid = _capsules("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _capsules("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


@DELETER
def _give_back(managed):
    _shown.pop(ctypes.addressof(managed.contents), None)


@DESTRUCTOR
def _not_taken(capsule):
    """Of a capsule that nobody has taken: who takes one gives it another name."""
    if _is_valid(capsule, b"dltensor"):
        _shown.pop(_pointer(capsule, b"dltensor"), None)


class Memory:
    """An array [shape], the last dimension fastest, at an address on a device; not to be written into."""

    def __init__(self, owner, address, shape, dtype, device, number=0):
        self._owner, self.shape, self.dtype = owner, tuple(shape), np.dtype(dtype)
        self._address, self._device = address, (device, number)
        if device == CUDA:
            self.__cuda_array_interface__ = {"data": (address, True), "typestr": self.dtype.str, "shape": self.shape,
                                             "version": 3, "strides": None}

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, stream=None, **_later):
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        code = COMPLEX if self.dtype.kind == "c" else FLOAT
        managed = Managed(Tensor(self._address, Device(*self._device), len(self.shape), code, 8 * self.dtype.itemsize, 1,
                                 ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)), None, 0), None, _give_back)
        _shown[ctypes.addressof(managed)] = managed, shape, self._owner
        return _new(ctypes.addressof(managed), b"dltensor", _not_taken)
