"""Curves of files that another code has written: columns of text, datasets of HDF5, chosen by a few words of mapping.

"x=COLUMN,y=COLUMN,label=TEXT,panel=N,at=T": a column is its number from 1, its name in the header, or the path of a dataset; a factor
may follow, as in y=2/2 or y=E*0.5. Without words the name of the file says which code wrote it.
"""
import itertools
import os
import re

import h5py
import numpy as np

from triad_plot.problem import MISSING, USAGE, Problem, of_reading
from triad_plot.read import hdf5

MOST = 1_000_000   # rows
KEYS = ("x", "y", "t", "at", "label", "panel")
FACTOR = re.compile(r"(.*?)((?:[*/][-+]?[\d.]+(?:[eE][-+]?\d+)?)*)", re.S)
# of files that are known by their names: pattern, code, {figure: words of mapping}; "" is any figure
KNOWN = (
    (r"[km]spectrum\.\d+\.txt", "GHOST", {"": "x=1,y=2"}),
    (r"balance\.txt", "GHOST", {"energy": "x=1,y=2/2", "enstrophy": "x=1,y=3/2"}),
    (r"spectra3d.*\.h5", "fluidsim", {"": "x=k_spectra3d,y=spectra_E,t=times"}),
    (r"spectra2D.*\.h5", "fluidsim", {"": "x=khE,y=spectrum2D_E,t=times"}),
    (r"spatial_means\.txt", "fluidsim", {"energy": "x=time,y=E", "dissipation": "x=time,y=epsK_tot"}),
)


class Curve:
    def __init__(self, x, y, label, panel):
        keep = np.isfinite(x) & np.isfinite(y)
        self.x, self.y, self.label, self.panel = x[keep], y[keep], label, panel


def words_of(text):
    """{"x": "1", ..} of --map."""
    found = {}
    for word in re.split(r",(?=\s*\w+=)", text):
        key, equals, value = word.strip().partition("=")
        if not equals or key not in KEYS or not value:
            raise Problem(f"--map {text[:80]!r}: {word.strip()[:40]!r} is not one of x=, y=, t=, at=, label=, panel=", USAGE)
        found[key] = value
    return found


def mapping(path, figure, text):
    """The words for a file: those that are given, before those that its name suggests."""
    given, name = words_of(text) if text else {}, os.path.basename(path)
    for pattern, code, by_figure in KNOWN:
        if re.fullmatch(pattern, name):
            known = by_figure.get(figure, by_figure.get(""))
            if known:
                return {"label": f"{code}, {name}", **words_of(known), **given}
    if "y" not in given:
        raise Problem(f"{path}: which of its columns the figure {figure} is to show is not known; say so: --map x=COLUMN,y=COLUMN", USAGE)
    return {"x": "1", "label": name, **given}


def split_factor(text):
    """("E", 0.5) of "E/2"."""
    name, rest = FACTOR.fullmatch(text).groups()
    factor = 1.0
    try:
        for sign, number in re.findall(r"([*/])([^*/]+)", rest):
            factor = factor * float(number) if sign == "*" else factor / float(number)
    except (ValueError, ZeroDivisionError):
        raise Problem(f"--map {text[:60]}: {rest[:40]} is no factor", USAGE) from None
    return name.strip(), factor


# ---- text ----

def numbers_in(line):
    """The numbers of a row, separated by commas, semicolons or blanks; components in brackets too. None for another line."""
    words = line.replace("(", " ").replace(")", " ").replace(",", " ").replace(";", " ").split()
    try:
        return [float(word.replace("D", "E").replace("d", "e")) for word in words] or None
    except ValueError:
        return None


def blocks_of(lines):
    """Columns of "name = value" lines, a block for each row, as fluidsim writes its means."""
    rows = []
    for line in lines:
        if line.startswith("####"):
            rows.append({})
        for name, value in re.findall(r"(\w+)\s*=\s*([-+\w.]+)", line):
            if rows:
                rows[-1][name] = (numbers_in(value) or [np.nan])[0]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return names, np.array([[row.get(name, np.nan) for name in names] for row in rows])


def table_of(lines, path):
    """(names of columns, rows): the header is the last line before the numbers, with or without a sign of comments."""
    head, rows = "", []
    for number, line in enumerate(lines, 1):
        found = numbers_in(line) if line.strip() and line.lstrip()[0] not in "#%!" else None
        if found is None:
            if rows and line.strip() and line.lstrip()[0] not in "#%!":
                raise Problem(f"{path}:{number}: not a row of numbers: {line.strip()[:60]!r}")
            head = line if not rows and line.strip() else head
            continue
        if rows and len(found) != len(rows[0]):
            raise Problem(f"{path}:{number}: has {len(found)} numbers, but the rows before it have {len(rows[0])}")
        rows.append(found)
    if not rows:
        raise Problem(f"{path}: has no rows of numbers")
    head = head.strip().lstrip("#%! ")
    names = [word.strip().strip('"') for word in (head.split(",") if "," in head else head.split("\t") if "\t" in head else head.split())]
    return names if len(names) == len(rows[0]) else [], np.array(rows)


def column(names, rows, word, path):
    name, factor = split_factor(word)
    if name in names:
        return rows[:, names.index(name)] * factor
    if name.isdecimal() and 1 <= int(name) <= rows.shape[1]:
        return rows[:, int(name) - 1] * factor
    have = f"columns 1 to {rows.shape[1]}" + (f": {', '.join(names)}" if names else "")
    raise Problem(f"{path}: has no column {name[:40]}; it has {have}", MISSING)


def of_text(path, words):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = list(itertools.islice(file, MOST + 1))
    except OSError as error:
        raise of_reading(path, error) from None
    if len(lines) > MOST:
        raise Problem(f"{path}: has more than {MOST} lines")
    names, rows = blocks_of(lines) if any(line.startswith("####") for line in lines) else table_of(lines, path)
    return column(names, rows, words["x"], path), column(names, rows, words["y"], path)


# ---- HDF5 ----

def of_hdf5(path, words, at):
    def dataset(file, word):
        name, factor = split_factor(word)
        item = file.get(name)
        if not isinstance(item, h5py.Dataset):
            have = []
            file.visititems(lambda one, thing: have.append(one) if isinstance(thing, h5py.Dataset) else None)
            raise Problem(f"{path}: has no dataset {name[:60]}; it has {', '.join(have[:12])}", MISSING)
        return np.asarray(item[()], float) * factor

    def look(file):
        x, y = dataset(file, words["x"]), dataset(file, words["y"])
        if y.ndim == 2:
            row = -1
            if at is not None:
                if "t" not in words:
                    raise Problem(f"{path}: {words['y']} has a row for each time; name their dataset: t=DATASET", USAGE)
                row = int(np.argmin(np.abs(dataset(file, words["t"]) - at)))
            y = y[row]
        if x.ndim != 1 or x.shape != y.shape:
            raise Problem(f"{path}: {words['x']} has the shape {x.shape} and {words['y']} {y.shape}: both must be rows of one length")
        return x, y
    return hdf5.read(path, look)


def number_of(words, key, path):
    try:
        value = float(words[key]) if key in words else None
        if value is not None and not np.isfinite(value):
            raise ValueError
        return value
    except ValueError:
        raise Problem(f"{path}: --map {key}={words[key][:40]}: must be a number", USAGE) from None


def read(path, figure, text, at=None):
    """The Curve of a file for a figure. at: the time that the figure shows."""
    words = mapping(path, figure, text)
    at, panel = number_of(words, "at", path) if "at" in words else at, int(number_of(words, "panel", path) or 1)
    try:
        with open(path, "rb") as file:
            is_hdf5 = file.read(8) == b"\x89HDF\r\n\x1a\n"
    except OSError as error:
        raise of_reading(path, error) from None
    x, y = of_hdf5(path, words, at) if is_hdf5 else of_text(path, words)
    return Curve(x, y, words["label"], panel)
