"""Curves of a table next to those of a figure (--beside FILE): x and any columns, or what --table has written."""
import csv
import os

import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import USAGE, Absent, Problem, of_reading

MARKERS = "sd^vo"
MOST = 1_000_000   # rows


def number(word):
    return float(word) if word.strip() else np.nan


def read(path):
    """[(panel, name, x, y, error or None)]; the name of the table, from its first comment."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            lines = [line for _n, line in zip(range(MOST), file) if line.strip()]
    except OSError as error:
        raise of_reading(path, error) from None
    said = [line.strip().lstrip("# ") for line in lines if line.lstrip().startswith("#")]
    head, *rows = list(csv.reader(line for line in lines if not line.lstrip().startswith("#"))) or [[]]
    head = [word.strip() for word in head]
    try:
        if head[:4] == ["panel", "curve", "x", "y"]:
            return _of_figure(head, rows), os.path.splitext(os.path.basename(path))[0]
        table = np.array([[number(word) for word in row] for row in rows])
        if len(head) < 2 or table.ndim != 2 or table.shape[1] != len(head):
            raise ValueError
    except (ValueError, IndexError):
        raise Problem(f"{path}: the first line must be the names of the columns, x and then curves, followed by one row per point; an error "
                      "follows its curve as NAME_error") from None
    out = []
    for i, name in enumerate(head[1:], 1):
        if not name.endswith("_error"):
            error = table[:, head.index(f"{name}_error")] if f"{name}_error" in head else None
            out.append((1, name, table[:, 0], table[:, i], error))
    return out, said[0] if said else ""


def _of_figure(head, rows):
    has_error, out = "error" in head, {}
    for row in rows:
        x, y = number(row[2]), number(row[3])
        if len(head) > 4 and head[-1] == "value" and row[-1].strip():
            continue   # of a picture
        out.setdefault((int(row[0]), row[1]), []).append((x, y, number(row[head.index("error")]) if has_error else np.nan))
    found = [(*key, *np.array(points).T) for key, points in out.items()]
    return [(panel, name, x, y, error if np.isfinite(error).any() else None) for panel, name, x, y, error in found]


def add(figure, path):
    """Into the panels of a figure that has curves; axes grow to show them."""
    axes = [axis for axis in figure.axes if getattr(axis, "_colorbar", None) is None]
    curves, said = read(path)
    if not any(axis.get_lines() for axis in axes) or any(axis.get_images() for axis in axes):
        raise Problem("--beside adds curves to figures of curves; this one has none", USAGE)
    drawn = 0
    for n, (panel, name, x, y, error) in enumerate(curves):
        keep = np.isfinite(x) & np.isfinite(y)
        axis = axes[panel - 1] if panel <= len(axes) else None
        if axis is None or not keep.any():
            continue
        several = len([c for c in curves if c[0] == panel]) > 1
        label = ", ".join(filter(None, (said, name if several or not said else "")))
        limits = axis.get_ylim()
        axis.errorbar(x[keep], y[keep], None if error is None else np.nan_to_num(error[keep]), linestyle="none", marker=MARKERS[n % len(MARKERS)],
                      markersize=4, markerfacecolor="none", color=style.INK, elinewidth=0.9, capsize=2, label=label)
        shown = y[keep] if axis.get_yscale() != "log" else y[keep][y[keep] > 0]
        if len(shown) and axis.get_yscale() != "log":
            low, high = min(limits), max(limits)
            axis.set_ylim(min(low, shown.min()), max(high, shown.max()))
        drawn += 1
        axis.legend(loc="best")
    if not drawn:
        raise Absent(f"{path}: contains no points for this figure")
    figure.caption = f"{getattr(figure, 'caption', '')}; points: {said or os.path.basename(path)}".lstrip("; ")
