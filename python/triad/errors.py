"""What can go wrong: a type for each exit code of `triad`. One that nobody catches ends Python with that code."""
import sys


class Error(Exception):
    """A failure that Triad tells of; `code`: the exit code that `triad` would end with."""
    code = 70


class UsageError(Error):
    """A call that cannot be."""
    code = 64


class CaseError(Error):
    """A bad case or bad data."""
    code = 65


class InputError(Error):
    """An input file is missing."""
    code = 66


class FeatureError(Error):
    """Not built, or the device is not there, or not of this solver."""
    code = 69


class InternalError(Error):
    """A fault of Triad or of a library below it."""
    code = 70


class CallbackError(InternalError):
    """A call-back or a diagnostic of another rank has raised; that rank raises what it was."""


class OutOfMemory(Error):
    code = 71


class FileError(Error):
    """Files could not be read or written."""
    code = 74


class Stopped(Error):
    """Stopped early as asked (a signal, `triad stop`, the wall-clock limit), with a checkpoint; advance goes on."""
    code = 75


class BlowUp(Error):
    """The solution stopped being finite."""
    code = 80


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during steps: the step was finished, and a checkpoint stands; advance goes on."""
    code = 75


TYPES = {cls.code: cls for cls in (UsageError, CaseError, InputError, FeatureError, InternalError, OutOfMemory,
                                   FileError, Stopped, BlowUp)}


def of(code, message):
    """The exception for an exit code."""
    error = TYPES.get(code, InternalError)(message or f"exit code {code}")
    error.code = code
    return error


uncaught = False  # an exception is ending the program
_before = sys.excepthook


def _end_with_code(cls, error, trace):
    global uncaught
    uncaught = True
    _before(cls, error, trace)
    if isinstance(error, (Error, Interrupted)):
        raise SystemExit(error.code)


sys.excepthook = _end_with_code
