"""Making a figure of some panels, and writing it as PNG, SVG or PDF."""
import os

import matplotlib
import numpy as np
from PIL import Image
from matplotlib import ticker
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from triad_plot.draw import style
from triad_plot.problem import USAGE, Problem
from triad_plot.whole import written

MOST_POINTS = 4000
KINDS = (".png", ".svg", ".pdf")
PRINT = 300   # dots per inch of a PNG
MAXCOVERAGE = 1   # of Pillow, which has named it in two ways
FEWER_COLOURS = 3   # of 255: colours so near look the same
RAISED = str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")
MOST_MINOR = 5   # decades: on longer axes there are no ticks between powers of ten
# on a log axis of more decades than this, the digits that are labelled
SUBTICKS = ((1.5, (1, 3)), (0.7, (1, 2, 5)), (0.35, (1, 2, 3, 5, 7)), (-1.0, range(1, 10)))


def power_of_ten(exponent):
    """10 with a raised exponent as plain letters: setting formulae takes a third of the time of a report."""
    return f"10{str(exponent).translate(RAISED)}"


class Numbers(ticker.ScalarFormatter):
    """Plain numbers; a common power of ten, where there is one, at the end of the axis."""

    def get_offset(self):
        return f"\u00d7{power_of_ten(self.orderOfMagnitude)}" if self.orderOfMagnitude else ""


def panels(rows=1, columns=1, width=7.0, height=4.2, **more):
    """A figure and its axes as a 2-D array, in the house's style."""
    matplotlib.rcParams.update(style.RC)
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **more)
    for axis in axes.flat:
        axis.xaxis.set_major_formatter(Numbers())
        axis.yaxis.set_major_formatter(Numbers())
    return figure, axes


def one(width=7.0, height=4.2):
    figure, axes = panels(width=width, height=height)
    return figure, axes[0, 0]


def name_axes(axis, x, y, log=""):
    """Labels; log names the logarithmic axes: "", "x", "y", "xy"."""
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    for which in log:
        getattr(axis, f"set_{which}scale")("log")


def label_sparse_decades(axis):
    """On a log axis of less than a decade or so the ticks at powers of ten say nothing: label those between, too."""
    low, high = sorted(axis.get_view_interval())
    if low <= 0 or not np.isfinite([low, high]).all():
        return
    decades = np.log10(high / low)
    axis.set_minor_formatter(ticker.NullFormatter())
    if decades >= 2.2:
        axis.set_major_formatter(ticker.FuncFormatter(lambda x, _at: power_of_ten(round(np.log10(x)))))
        # every tick costs five objects: two of the eight between powers of ten are enough to read by
        axis.set_minor_locator(ticker.LogLocator(subs=(2, 5)) if decades < MOST_MINOR else ticker.NullLocator())
    else:
        subs = next(digits for least, digits in SUBTICKS if decades > least)
        axis.set_major_locator(ticker.LogLocator(subs=subs))
        axis.set_major_formatter(ticker.FuncFormatter(lambda x, _at: f"{x:g}"))


def finish_log(axis):
    """After the data are drawn and the limits are set: ticks that fit the range."""
    for one_axis in (axis.xaxis, axis.yaxis):
        if one_axis.get_scale() == "log":
            label_sparse_decades(one_axis)


def thin(x, *ys):
    """At most MOST_POINTS of a long record, the extremes of each y in every stretch among them."""
    n = len(x)
    if n <= MOST_POINTS:
        return (x, *ys)
    edges = np.linspace(0, n, MOST_POINTS // (2 * len(ys)) + 1).astype(int)
    keep = {0, n - 1}
    for a, b in zip(edges[:-1], edges[1:]):
        for y in ys:
            piece = np.nan_to_num(y[a:b])
            keep.update((a + int(piece.argmin()), a + int(piece.argmax())))
    index = sorted(keep)
    return tuple(np.asarray(v)[index] for v in (x, *ys))


def legend(axis, **more):
    handles, labels = axis.get_legend_handles_labels()
    if len(labels) > 1:
        axis.legend(loc=more.pop("loc", "best"), **more)


def clear_legends(figure):
    """Move each legend that hides a line to the right of its panel."""
    figure.draw_without_rendering()
    for axis in figure.axes:
        box = axis.get_legend()
        if box is None or box.get_bbox_to_anchor().bounds != axis.bbox.bounds:
            continue   # it has a place outside already
        area = box.get_window_extent()
        lines = [line for line in axis.get_lines() if line.get_transform().contains_branch(axis.transData)]
        if any(line.get_path().transformed(line.get_transform()).intersects_bbox(area, filled=False)
               for line in lines if len(line.get_xdata())):
            box.set_bbox_to_anchor((1.0, 1.0), axis.transAxes)
            box.set_loc("upper left") if hasattr(box, "set_loc") else setattr(box, "_loc", 2)
            box.set_frame_on(False)


def legend_above(axis):
    """In a row over the panel, where nothing is drawn."""
    axis.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=6, frameon=False, borderaxespad=0.2)


def title(figure, text):
    """Above all panels, wrapped so that it never runs out of the picture."""
    room = int(figure.get_figwidth() * 12.5)
    lines = wrap(text, room)
    figure.suptitle("\n".join(lines[:3]), fontsize=11, x=0.01, ha="left")


def describe(figure, text):
    """A caption that knows what is in the picture; the report puts it below."""
    figure.caption = text


def wrap(text, room):
    """Lines of at most `room` letters; a longer word is cut."""
    text = "".join(c if c.isprintable() or c == "\u00a0" else "\ufffd" for c in text).replace("$", r"\$")
    lines, line = [], ""
    for word in text.split(" "):
        while len(word) > room:
            word, rest = word[:room - 1], word[room - 1:]
            lines += [line] if line else []
            lines.append(word)
            line, word = "", rest
        if line and len(line) + 1 + len(word) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def destinations(output, name, folder):
    """Paths to write: what -o says (with .png, .svg or .pdf that one only), else FOLDER/NAME.png and .svg."""
    if not output:
        return [os.path.join(folder, f"{name}.{kind}") for kind in ("png", "svg")]
    stem, suffix = os.path.splitext(output)
    if suffix.lower() in KINDS:
        return [output]
    if suffix.lower() in (".jpg", ".jpeg", ".eps", ".gif", ".tif", ".tiff", ".webp"):
        raise Problem(f"-o {output}: the extension must be .png, .svg or .pdf", USAGE)
    return [f"{output}.{kind}" for kind in ("png", "svg")]


def write(figure, paths, dpi=None):
    """Each in one piece: under a temporary name, then renamed. Without dpi it is one picture, for print, which may take its
    time to become small."""
    if not dpi:
        clear_legends(figure)
    for path in paths:
        kind = path.rsplit(".", 1)[-1].lower()
        with written(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=metadata(kind), dpi=dpi or PRINT)
            if kind == "png" and not dpi:
                make_small(temporary)


def make_small(path):
    """Store a PNG with 256 colours if none of them moves by more than FEWER_COLOURS of 255."""
    with Image.open(path) as image:
        whole = image.convert("RGB")
    fewer = whole.quantize(256, method=MAXCOVERAGE, dither=0)
    moved = np.abs(np.asarray(fewer.convert("RGB"), dtype=np.int16) - np.asarray(whole)).max()
    (fewer if moved <= FEWER_COLOURS else whole).save(path, "PNG", optimize=True, dpi=(PRINT, PRINT))


class Moving:
    """A figure of which only some artists and the title change from frame to frame: the rest is drawn once. `moving` holds
    them in the order in which they lie on each other, each with the axis that it belongs to; frame and letters lie on them."""

    def __init__(self, figure, moving, dpi):
        self.figure, self.canvas = figure, FigureCanvasAgg(figure)
        figure.set_dpi(dpi)
        self.canvas.draw()  # where everything lies is found now, and stands still from here on
        figure.set_layout_engine("none")
        self.moving = [(axis, artist) for axis, first in moving
                       for artist in (first, *axis.texts, *axis.spines.values())]
        for artist in [a for _axis, a in self.moving] + [figure._suptitle]:
            artist.set_animated(True)
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(figure.bbox)

    def write(self, path):
        """A PNG, in one piece; quickly rather than small, since there are many."""
        self.canvas.restore_region(self.background)
        for axis, artist in self.moving:
            axis.draw_artist(artist)
        self.figure.draw_artist(self.figure._suptitle)
        with written(path) as temporary:
            Image.fromarray(np.asarray(self.canvas.buffer_rgba())[..., :3]).save(temporary, "PNG", compress_level=1)


def metadata(kind):
    """No date and no versions: the same data give the same file."""
    return {"svg": {"Date": None, "Creator": None}, "png": {"Software": None},
            "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}[kind]


def legends_go_outside():
    """Constrained layout places "outside" legends from matplotlib 3.7 on."""
    return tuple(int(n) for n in matplotlib.__version__.split(".")[:2]) >= (3, 7)


def leave_room_below(figure, inches=0.42):
    """Keep the panels above a strip for the legend."""
    share = inches / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
