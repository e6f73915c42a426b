"""What can go wrong, as one line for the user and an exit code (the table in docs/reference/exit-codes.md)."""
import errno

USAGE, BAD, MISSING, FEATURE, MEMORY, INPUT_OUTPUT = 64, 65, 66, 69, 71, 74


class Problem(Exception):
    """A line for the user, without a traceback."""

    def __init__(self, text, code=BAD):
        super().__init__(text)
        self.code = code


class Absent(Problem):
    """The files are sound but hold nothing for this figure. `all` and the report leave the figure out."""


def of_reading(path, error):
    """The Problem that an OSError, ValueError, .. met while reading `path` amounts to."""
    if isinstance(error, Problem):
        return error
    number = getattr(error, "errno", None)
    if isinstance(error, FileNotFoundError) or number == errno.ENOENT:
        return Problem(f"{path}: no such file or folder", MISSING)
    if isinstance(error, PermissionError) or number in (errno.EACCES, errno.EPERM):
        return Problem(f"{path}: cannot be read: permission denied", MISSING)
    if isinstance(error, IsADirectoryError):
        return Problem(f"{path}: is a folder; a file is required", BAD)
    words = " ".join(str(error).split()) or type(error).__name__
    return Problem(f"{path}: cannot be read: {words[:200]}", BAD)
