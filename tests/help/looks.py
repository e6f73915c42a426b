"""Small runs for figures and reports to draw, and what to look for in a figure."""

import contextlib
import io
import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
PLOT = ROOT / "tools/triad-plot"

# case, and settings that make it a matter of a second
RUNS = {
    "hd": ("taylor-green-demo", "grid.n=[16,16,16]", "time.end=1.0", "output.spectra_interval=0.25",
           "output.fields_interval=1", "output.slices_interval=0.5", 'output.slices=["z=0", "x=pi: speed"]',
           "equations.viscosity=0.05"),
    "calm": ("taylor-green-demo", "output.slices_interval=0", "grid.n=[16,16,16]", "time.end=0.5", "output.spectra_interval=0.25",
             "equations.viscosity=0.1"),
    "mhd": ("orszag-tang", "grid.n=[16,16,16]", "equations.viscosity=0.2", "equations.resistivity=0.2",
            "time.end=0.2", "output.spectra_interval=0.1",
            "output.fields_interval=0.2"),
    "boussinesq": ("stratified-taylor-green", "grid.n=[16,16,16]", "time.end=0.5", "output.spectra_interval=0.25",
                   "output.fields_interval=0.5"),
    "gpe": ("gpe-taylor-green", "grid.n=[16,16,16]", "time.end=0.1", "output.spectra_interval=0.05",
            "output.fields_interval=0.1", "output.series_interval=0.01"),
}


def make_run(triad, launcher, folder, name):
    case, *settings = RUNS[name]
    arguments = [word for setting in settings for word in ("--set", setting)]
    done = launcher(1, triad, "run", f"runs/{case}/case.toml", "--dir", folder, *arguments, timeout=60)
    if done.code != 0:
        pytest.fail(str(done), pytrace=False)
    return folder


def make_all(triad, launcher, folder):
    return {name: make_run(triad, launcher, folder / name, name) for name in RUNS}


def plot(*arguments, env=None, cwd=None, timeout=100):
    """Runs tools/triad-plot; a traceback is never an answer."""
    done = subprocess.run([str(a) for a in (PLOT, *arguments)], capture_output=True, text=True, timeout=timeout, env=env,
                          cwd=cwd, stdin=subprocess.DEVNULL)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def plot_here(*arguments, cwd=None):
    """The same in this process, which has imported matplotlib already: (exit code, stdout, stderr)."""
    from triad_plot.begin import main
    out, err, before = io.StringIO(), io.StringIO(), os.getcwd()
    try:
        os.chdir(cwd or before)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(a) for a in arguments])
    finally:
        os.chdir(before)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


# ---- what a reader would complain of ----

def texts_of(figure):
    """(text, its box in pixels) of all that is written and seen in a figure."""
    import matplotlib.text
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    unseen = hidden(figure)
    for item in figure.findobj(matplotlib.text.Text):
        if item.get_visible() and item.get_text().strip() and id(item) not in unseen:
            box = item.get_window_extent(renderer)
            if box.width > 0:
                yield item.get_text(), box


def hidden(figure):
    """Ids of texts in axes that are not shown, and of labels of ticks beyond the ends of their axis."""
    import matplotlib.text
    out = set()
    for axes in figure.axes:
        if not axes.get_visible():
            out.update(map(id, axes.findobj(matplotlib.text.Text)))
        for axis in (axes.xaxis, axes.yaxis):
            every = {id(label) for tick in axis.majorTicks + axis.minorTicks for label in (tick.label1, tick.label2)}
            out |= every - set(map(id, drawn_labels(axis)))
    return out


def drawn_labels(axis):
    return [label for tick in axis._update_ticks() for label in (tick.label1, tick.label2)]


def faults(figure):
    """What is clipped or written over something else, in words."""
    width, height = figure.canvas.get_width_height()
    found = list(texts_of(figure))
    out = [f"{text!r} leaves the picture" for text, b in found
           if b.x0 < -1 or b.y0 < -1 or b.x1 > width + 1 or b.y1 > height + 1]
    for (one, a), (two, b) in itertools.combinations(found, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        up = min(a.y1, b.y1) - max(a.y0, b.y0)
        if across > 1 and up > 1:
            out.append(f"{one!r} lies over {two!r}")
    for axis in figure.axes:
        if axis.get_visible() and not (axis.lines or axis.collections or axis.patches or axis.images or axis.tables):
            out.append("empty axes")
        for which, scale in ((axis.xaxis, axis.get_xscale()), (axis.yaxis, axis.get_yscale())):
            if axis.get_visible() and scale == "log" and len([t for t in drawn_labels(which) if t.get_text()]) < 2:
                out.append(f"a log axis with fewer than two labels ({which.axis_name})")
    return out


def colours_apart(hexes, matrix):
    """Least CIE distance (1976) between any two colours as someone with this deficiency sees them."""
    def lab(colour):
        rgb = np.array([int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        linear = np.clip(matrix @ linear, 0, 1)
        xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
        f = np.cbrt(xyz / np.array([0.9505, 1.0, 1.089]))
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
    return min(np.linalg.norm(lab(a) - lab(b)) for a, b in itertools.combinations(hexes, 2))
