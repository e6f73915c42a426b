"""The numbers of a figure as a table: a row a point, as CSV or LaTeX (--table FILE)."""
import csv
import io
import os

import numpy as np

from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.whole import written

KINDS = (".csv", ".tex")
MOST_ROWS = 5_000_000


def _curves(axis):
    """(name, x, y, error or None) of the lines of a panel, in their order."""
    errors, caps = {}, set()
    for container in axis.containers:
        line = container[0] if hasattr(container, "has_yerr") else None
        caps.update(container[1] if line is not None else ())
        if line is not None:
            segments = container[2][-1].get_segments() if container.has_yerr else []
            errors[line] = container.get_label(), np.array([abs(s[1][1] - s[0][1]) / 2 if len(s) == 2 else np.nan for s in segments])
    out = []
    for line in axis.get_lines():
        x, y = np.asarray(line.get_xdata(orig=True)).ravel(), np.asarray(line.get_ydata(orig=True)).ravel()
        name, error = errors.get(line, (line.get_label(), None))
        if line in caps or len(x) != len(y) or not len(x) or line.get_transform() is not axis.transData and not line.get_transform().contains_branch(axis.transData):
            continue
        if line.get_gid() == "guide" or line.get_linestyle() in ("None", "") and line.get_marker() in ("None", ""):
            continue
        out.append(("" if str(name).startswith("_") else str(name), x, y, error if error is not None and len(error) == len(x) else None))
    return out


def _picture(axis):
    """(x, y, values) of the middles of a picture's cells; None."""
    from matplotlib.collections import PolyCollection, QuadMesh
    for image in axis.get_images():
        values = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
        if values.ndim == 2:
            left, right, bottom, top = image.get_extent()
            x = left + (np.arange(values.shape[1]) + 0.5) * (right - left) / values.shape[1]
            y = bottom + (np.arange(values.shape[0]) + 0.5) * (top - bottom) / values.shape[0]
            return (*(a.ravel() for a in np.meshgrid(x, y if image.origin == "lower" else y[::-1])), values.ravel())
    parts = []
    for mesh in axis.collections:
        if isinstance(mesh, QuadMesh) and mesh.get_array() is not None:
            corners = np.asarray(mesh.get_coordinates())
            middle = (corners[:-1, :-1] + corners[1:, :-1] + corners[:-1, 1:] + corners[1:, 1:]) / 4
            parts.append((middle[..., 0].ravel(), middle[..., 1].ravel(), np.ma.filled(np.ma.asarray(mesh.get_array(), float), np.nan).ravel()))
        elif isinstance(mesh, PolyCollection) and mesh.get_array() is not None:
            middle = np.array([path.vertices[:-1].mean(axis=0) for path in mesh.get_paths()]).reshape(-1, 2)
            parts.append((*middle.T, np.ma.filled(np.ma.asarray(mesh.get_array(), float), np.nan).ravel()))
    return tuple(np.concatenate(a) for a in zip(*parts)) if parts else None


def _is_bar(figure, axis):
    return any(getattr(a, "_colorbar", None) is not None for a in (axis,))


def of(figure):
    """[(number of the panel, its title, label of x, label of y, curves, picture)] of panels that show numbers."""
    out = []
    for number, axis in enumerate((a for a in figure.axes if not _is_bar(figure, a)), 1):
        curves, picture = _curves(axis), _picture(axis)
        if curves or picture is not None:
            out.append((number, axis.get_title() or axis.get_title(loc="left"), axis.get_xlabel(), axis.get_ylabel(), curves, picture))
    if not out:
        raise Absent("the figure has no numbers to write: it is a picture")
    if sum(len(c[1]) for panel in out for c in panel[4]) + sum(len(panel[5][0]) for panel in out if panel[5] is not None) > MOST_ROWS:
        raise Absent(f"the figure has more than {MOST_ROWS} numbers; read the files of the run instead")
    return out


def number_text(x):
    return "" if np.isnan(x) else repr(float(x))


def csv_of(panels, caption):
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    for line in filter(None, (caption, *(f"panel {n}{title and f', {title}'}: x is {x or 'a number'}, y is {y or 'a number'}"
                                         for n, title, x, y, *_ in panels))):
        out.write("# " + " ".join(line.split()) + "\n")
    with_error = any(curve[3] is not None for panel in panels for curve in panel[4])
    with_value = any(panel[5] is not None for panel in panels)
    rows.writerow(["panel", "curve", "x", "y", *["error"] * with_error, *["value"] * with_value])
    for number, _title, _x, _y, curves, picture in panels:
        for k, (name, x, y, error) in enumerate(curves, 1):
            for i in range(len(x)):
                more = [number_text(error[i]) if error is not None else ""] if with_error else []
                rows.writerow([number, name or k, number_text(x[i]), number_text(y[i]), *more, *[""] * with_value])
        if picture is not None:
            for x, y, value in zip(*picture):
                rows.writerow([number, "", number_text(x), number_text(y), *[""] * with_error, number_text(value)])
    return out.getvalue()


def _tex_text(text):
    """Outside of formulae, signs that LaTeX would take for its own."""
    parts = str(text).split("$")
    for i in range(0, len(parts), 2):
        for sign in "\\&%#_{}":
            parts[i] = parts[i].replace(sign, "\\textbackslash " if sign == "\\" else "\\" + sign)
        parts[i] = parts[i].replace("^", "\\textasciicircum{}").replace("~", "\\textasciitilde{}").replace("\u00b1", "$\\pm$").replace("\u00d7", "$\\times$")
    return "$".join(parts)


def _tex_number(x, digits=5):
    if np.isnan(x):
        return ""
    mantissa, e, exponent = f"{x:.{digits}g}".partition("e")
    return f"${mantissa}" + (rf"\times 10^{{{int(exponent)}}}$" if e else "$")


def tex_of(panels, caption):
    """A tabular a panel; curves over the same x are columns beside it, others follow each other."""
    out = [f"% {' '.join(caption.split())}"] if caption else []
    for number, title, x_label, y_label, curves, picture in panels:
        if picture is not None and not curves:
            raise Absent("a picture is no table for LaTeX; write --table FILE.csv")
        groups = []
        for k, (name, x, y, error) in enumerate(curves, 1):
            same = next((g for g in groups if len(g[0]) == len(x) and np.array_equal(g[0], x)), None)
            if same is None:
                groups.append((x, same := []))
                same = groups[-1]
            same[1].append((name or y_label or f"curve {k}", y, error))
        for x, columns in groups:
            heads = [_tex_text(x_label or "x")] + [_tex_text(name) for name, _y, _e in columns]
            out += [f"% panel {number}{title and f', {title}'}: {y_label}", r"\begin{tabular}{" + "r" * len(heads) + "}", r"\hline",
                    " & ".join(heads) + r" \\", r"\hline"]
            for i in range(len(x)):
                cells = [_tex_number(y[i]) + (rf" $\pm$ {_tex_number(e[i], 2)}" if e is not None and np.isfinite(e[i]) else "")
                         for _name, y, e in columns]
                out.append(" & ".join([_tex_number(x[i]), *cells]) + r" \\")
            out += [r"\hline", r"\end{tabular}", ""]
    return "\n".join(out).rstrip("\n") + "\n"


def write(figure, path):
    kind = os.path.splitext(path)[1].lower()
    if kind not in KINDS:
        raise Problem(f"--table {path}: the extension must be .csv or .tex", USAGE)
    text = (csv_of if kind == ".csv" else tex_of)(of(figure), getattr(figure, "caption", ""))
    with written(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
