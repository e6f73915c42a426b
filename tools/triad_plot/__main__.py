"""Entry: python3 triad_plot VERB ..., as tools/triad-plot and `triad report` call it.

Says which modules are missing, and exits with 69, before anything that needs them is imported.
"""
import gc
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
if sys.path and os.path.realpath(sys.path[0]) == HERE:
    sys.path[0] = os.path.dirname(HERE)
else:
    sys.path.insert(0, os.path.dirname(HERE))

from triad_plot import needs  # noqa: E402


def end_with_parent():
    """Started by `triad`, this process is of no use without it: the system ends it when that one has ended, however."""
    parent = os.environ.pop("TRIAD_PARENT", "")
    if parent != str(os.getppid()):
        return
    import ctypes
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9)
    if os.getppid() != int(parent):
        sys.exit(70)


if __name__ == "__main__":
    end_with_parent()
    gc.disable()  # modules are made to stay: looking through them for what nobody holds takes a tenth of a report's time
    needs.check_or_exit()
    from triad_plot.begin import main
    gc.freeze()
    gc.enable()
    sys.exit(main(sys.argv[1:]))
