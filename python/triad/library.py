"""libtriad.so by ctypes: the functions and structs of src/drive/triad_drive.h, and no more of the library."""
import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_void_p

from triad import errors

HERE = os.path.dirname(os.path.realpath(__file__))
MODES, BOX, OTHER = 1, 2, 3
MEASURED = CFUNCTYPE(c_int, c_void_p, POINTER(c_double))
CHANGES = CFUNCTYPE(c_int, c_void_p)


class Options(ctypes.Structure):
    _fields_ = [("dir", c_char_p), ("text", c_char_p), ("sets", POINTER(c_char_p)), ("n_sets", c_int),
                ("has_comm", c_int), ("comm", c_int), ("from_start", c_int), ("new_case", c_int),
                ("break_lock", c_int), ("strict", c_int), ("walltime", c_double), ("program", c_char_p),
                ("words", POINTER(c_char_p)), ("n_words", c_int)]


class Instant(ctypes.Structure):
    _fields_ = [("step", c_int64), ("t", c_double), ("dt", c_double), ("end", c_double), ("rank", c_int),
                ("size", c_int), ("threads", c_int), ("single", c_int), ("dir", c_char_p), ("solver", c_char_p),
                ("limit", c_char_p)]


class Field(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("long_name", c_char_p), ("unit", c_char_p), ("kind", c_int),
                ("memory", c_int64), ("n", c_int64 * 3), ("begin", c_int64 * 3), ("local", c_int64 * 3),
                ("stride", c_int64 * 3), ("origin", c_int64), ("period", c_double * 3)]


class Layout(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in ("n_blocks", "nkz", "lanes", "n_columns", "first_column", "all_columns")] + [
        ("n", c_int64 * 3), ("length", c_double * 3)] + [
        (name, POINTER(c_int32)) for name in ("mx", "my", "extent", "self")] + [
        (name, POINTER(c_double)) for name in ("kx", "ky", "weight")] + [
        ("mz", POINTER(c_int32)), ("kz", POINTER(c_double))]


# name: (what it returns, what it takes); `status` functions are called through Library.call
DRIVE = c_void_p
FUNCTIONS = {
    "create": (c_int, POINTER(DRIVE), c_char_p, POINTER(Options)), "close": (c_int, POINTER(DRIVE)),
    "keep_memory": (None, DRIVE), "on_grid": (None, DRIVE, CHANGES, c_void_p), "finalize": (None,), "message": (c_char_p,), "said": (c_char_p, DRIVE),
    "steps": (c_int, DRIVE, c_double, c_int64, c_double), "save": (c_int, DRIVE), "wait": (c_int, DRIVE),
    "request": (None, DRIVE, c_int), "finished": (c_int, DRIVE), "where": (None, DRIVE, POINTER(Instant)),
    "case": (c_char_p, DRIVE), "field_at": (c_int, DRIVE, c_int, POINTER(Field)),
    "memory": (c_int, DRIVE, c_int, c_int, c_int, POINTER(c_void_p)), "layout_of": (c_int, DRIVE, POINTER(Layout)),
    "points": (c_int, DRIVE, POINTER(Field)), "axis": (c_int, DRIVE, c_int, c_void_p),
    "quantity": (c_int, DRIVE, c_char_p, POINTER(Field)), "values": (c_int, DRIVE, c_char_p, c_void_p),
    "put": (c_int, DRIVE, c_int, c_void_p),
    "column_at": (c_int, DRIVE, c_int, POINTER(c_char_p), POINTER(c_char_p), POINTER(c_char_p)),
    "measure": (c_int, DRIVE, c_void_p),
    "add_column": (c_int, DRIVE, c_char_p, c_char_p, c_char_p, MEASURED, c_void_p),
    "keep": (c_int, DRIVE, c_char_p), "kept": (c_char_p, DRIVE),
    "agree": (c_int, DRIVE, c_int, c_char_p, c_double), "meet": (c_int, DRIVE, c_int, c_int, c_char_p, c_double),
    "leave": (c_int, POINTER(DRIVE), c_int, c_double), "reduce": (c_int, DRIVE, c_int, c_int, c_void_p),
    "program": (c_int, c_int, POINTER(c_char_p)), "version": (c_char_p,)}


def _find():
    """$TRIAD_LIBRARY, beside this file, or where `make install` puts it beside share/."""
    places = [os.environ.get("TRIAD_LIBRARY"), os.path.join(HERE, "libtriad.so"),
              os.path.join(HERE, *[os.pardir] * 3, "lib", "libtriad.so")]
    for path in filter(None, places):
        if os.path.exists(path):
            return path
    raise ImportError(f"libtriad.so is missing in {HERE}: run make python, or set TRIAD_LIBRARY=PATH")


def _load_mpi():
    """The library of a wheel for other machines leaves MPI open: $TRIAD_MPI, MPICH that pip has installed, what the system's
    loader finds under the name that MPICH, Intel MPI and Cray MPICH share, else MPI for one process. One that was built here
    is linked with its MPI."""
    serial = os.path.join(HERE, "serial", "libmpi.so.12")
    if not os.path.exists(serial):
        return
    named = os.environ.get("TRIAD_MPI")
    for path in [named] if named else [os.path.join(HERE, *[os.pardir] * 3, "libmpi.so.12"), "libmpi.so.12", serial]:
        try:
            return ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        except OSError:
            if named:
                raise ImportError(f"TRIAD_MPI: {named} is no MPI library that can be loaded") from None


def _check_processor(path):
    """Such a library may be for newer processors than this one: say so, before an instruction ends the process."""
    needed = os.path.join(os.path.dirname(path), "serial", "processor")
    if os.path.exists(needed) and os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), None)
        with open(needed, encoding="utf-8") as file:
            lacks = [flag for flag in file.read().split() if flags and flag not in flags]
        if lacks:
            raise ImportError(f"this wheel is for processors with {', '.join(lacks)}; build Triad from its sources on this machine")


def _load():
    path = _find()
    _check_processor(path)
    _load_mpi()
    library = ctypes.CDLL(path)
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, "triad_drive_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def __getattr__(name):
    """library.step is triad_drive_step."""
    if name in FUNCTIONS:
        return getattr(_library, "triad_drive_" + name)
    raise AttributeError(name)


def check(code):
    """Raise what an exit code stands for, with the library's message."""
    if code:
        raise errors.of(code, _library.triad_drive_message().decode("utf-8", "replace"))


def texts(words):
    """A list as char *[]."""
    return (c_char_p * max(1, len(words)))(*[word.encode("utf-8", "surrogateescape") for word in words])


def version():
    return _library.triad_drive_version().decode()


def mpi_version():
    """The first words of what the MPI library says that it is."""
    text, length = ctypes.create_string_buffer(8192), c_int()
    _library.MPI_Get_library_version(text, ctypes.byref(length))
    return " ".join(text.value.decode("utf-8", "replace").split("\n")[0].split(",")[0].split())


def program(words):
    """`triad` with these words, in this process: its exit code."""
    return _library.triad_drive_program(len(words) + 1, texts(["triad", *words]))
