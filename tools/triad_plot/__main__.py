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

if __name__ == "__main__":
    gc.disable()  # modules are made to stay: looking through them for what nobody holds takes a tenth of a report's time
    needs.check_or_exit()
    from triad_plot.command import main
    gc.freeze()
    gc.enable()
    sys.exit(main(sys.argv[1:]))
