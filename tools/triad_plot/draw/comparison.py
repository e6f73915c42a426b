"""compare: any figure of curves, with curves of files that another code has written."""
import os

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import foreign


def split(paths):
    """(run directories and columns, files)"""
    files = [path for path in paths if os.path.isfile(path)]
    return [path for path in paths if path not in files], files


def read(files, figure, maps, at):
    """A Curve for each file; one --map for each file in their order, one for all of them, or none."""
    if len(maps) not in (0, 1, len(files)):
        raise Problem(f"--map must be given once, or once for each of the {len(files)} files, not {len(maps)} times", USAGE)
    texts = [""] * len(files) if not maps else maps * len(files) if len(maps) == 1 else maps
    return [foreign.read(path, figure, text, at) for path, text in zip(files, texts)]


def add(figure, curves):
    """Dashed lines with symbols, in colours that the runs do not have."""
    axes = [axis for axis in figure.axes if getattr(axis, "_colorbar", None) is None]
    if not any(axis.get_lines() for axis in axes) or any(axis.get_images() for axis in axes):
        raise Problem("compare adds curves to figures of curves; this one has none", USAGE)
    for n, curve in enumerate(curves):
        if not 1 <= curve.panel <= len(axes):
            raise Problem(f"--map panel={curve.panel}: the figure has panels 1 to {len(axes)}", USAGE)
        axis = axes[curve.panel - 1]
        shown = (curve.x > 0) | (axis.get_xscale() != "log")
        shown &= (curve.y > 0) | (axis.get_yscale() != "log")
        if not shown.any():
            raise Absent(f"{curve.label}: has no numbers that the axes of this figure can show")
        x, y = page.thin(curve.x[shown], curve.y[shown])
        limits = axis.get_ylim()
        axis.plot(x, y, color=style.COLORS[-1 - n % 3], linestyle="--", marker="osd^v"[n % 5], markersize=3.5, markevery=max(1, len(x) // 24),
                  markerfacecolor="none", linewidth=1.3, label=curve.label)
        if axis.get_yscale() == "log":   # its lower end may hide tails of round-off
            axis.set_ylim(min(limits), max(max(limits), 1.3 * np.max(y)))
        else:
            axis.set_ylim(min(*limits, np.min(y)), max(*limits, np.max(y)))
        axis.legend(loc="best")
    figure.caption = f"{getattr(figure, 'caption', '')}; compared with {', '.join(curve.label for curve in curves)}".lstrip("; ")
