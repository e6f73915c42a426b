"""The program `triad` that belongs to this code, for what it computes better: checksums, citations, plans."""
import os
import subprocess

from triad_plot import FOLDER


def find_triad():
    """That of the tree, or of the same prefix; None."""
    places = (os.path.join(FOLDER, *up, "bin", "triad") for up in (("..", ".."), ("..", "..", "..")))
    return next((os.path.normpath(path) for path in places if os.access(path, os.X_OK)), None)


def cite(triad, run):
    """(BibTeX entries of a run, ""), or ("", why there are none)."""
    triad = triad or find_triad()
    if not triad:
        return "", "the program triad was not found"
    try:
        done = subprocess.run([triad, "cite", run.path], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        return "", f"triad cite failed: {error}"
    said = done.stderr.strip().splitlines()
    return (done.stdout, "") if done.returncode == 0 else ("", f"triad cite failed: {said[-1] if said else done.returncode}")
