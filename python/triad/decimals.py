"""Numbers are read and written with a point, whatever the program's locale is: toolkits of windows set that of the user, and the C library
then has a comma in many countries, in case files and tables too."""
import ctypes
import functools
import locale

_c = ctypes.CDLL(None)
for _name, _arguments in {"newlocale": (ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p), "duplocale": (ctypes.c_void_p,),
                          "uselocale": (ctypes.c_void_p,)}.items():
    getattr(_c, _name).restype, getattr(_c, _name).argtypes = ctypes.c_void_p, _arguments
_c.freelocale.restype, _c.freelocale.argtypes = None, (ctypes.c_void_p,)
GLOBAL, NUMBERS = ctypes.c_void_p(-1), 1 << locale.LC_NUMERIC  # LC_GLOBAL_LOCALE, LC_NUMERIC_MASK of <locale.h>


def with_points(function):
    """A function of the library, during which this thread's numbers have a point; all else of the locale, which call-backs see, stays."""
    @functools.wraps(function)
    def call(*arguments):
        if locale.nl_langinfo(locale.RADIXCHAR) == ".":
            return function(*arguments)
        before = _c.uselocale(_c.newlocale(NUMBERS, b"C", _c.duplocale(GLOBAL)))
        try:
            return function(*arguments)
        finally:
            _c.freelocale(_c.uselocale(before))
    return call
