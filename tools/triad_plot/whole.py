"""Files that are there whole or not at all."""
import contextlib
import os

from triad_plot.problem import INPUT_OUTPUT, Problem


@contextlib.contextmanager
def written(path):
    """The name of a temporary file beside `path`, which it becomes where the block ends well; its folder is made."""
    temporary = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise Problem(f"{path}: cannot be written: {error.strerror or error}", INPUT_OUTPUT) from None
