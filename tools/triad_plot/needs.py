"""The modules that figures need, with the names under which people install them. Imports nothing but the standard
library, and reads on Pythons too old for the rest."""
import importlib
import sys

OLDEST = (3, 9)
MODULES = (("numpy", "python3-numpy", "numpy"), ("h5py", "python3-h5py", "h5py"),
           ("matplotlib", "python3-matplotlib", "matplotlib"))
EXIT_MISSING = 69


def missing():
    """(module, Debian package, pip package, why) of those that this Python cannot import."""
    absent = []
    for module, apt, pip in MODULES:
        try:
            importlib.import_module(module)
        except Exception as error:  # a broken installation fails in its own ways
            absent.append((module, apt, pip, "%s: %s" % (type(error).__name__, error)))
    return absent


def explain(absent):
    lines = ["triad-plot: %s cannot import %s" % (sys.executable or "this Python", ", ".join(a[0] for a in absent))]
    lines += ["  %s cannot be imported: %s" % (a[0], a[3]) for a in absent if "No module named" not in a[3]]
    lines.append("  Debian, Ubuntu:  apt install " + " ".join(a[1] for a in absent))
    lines.append("  otherwise:       python3 -m pip install " + " ".join(a[2] for a in absent))
    return "\n".join(lines)


def check_or_exit():
    """End with 69 and a text that names the packages, when something is missing."""
    if sys.version_info < OLDEST:
        sys.stderr.write("triad-plot: Python %d.%d is too old; 3.9 or newer is required\n" % sys.version_info[:2])
        sys.exit(EXIT_MISSING)
    absent = missing()
    if absent:
        sys.stderr.write(explain(absent) + "\n")
        sys.exit(EXIT_MISSING)
