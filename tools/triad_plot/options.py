"""What the command line says: reading it, and what of it a verb heeds."""
import argparse
import copy
import os
import re

import numpy as np

from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read.series import NAME

# option: is it given? (an entry of Verb.takes each)
GIVEN = {"--from, --to": lambda o: o.windowed, "--at": lambda o: o.at is not None, "--mean": lambda o: o.mean,
         "--field": lambda o: o.field is not None, "--plane": lambda o: o.plane is not None,
         "--label": lambda o: bool(o.labels), "--title": lambda o: o.title is not None, "--of": lambda o: o.of is not None,
         "--level": lambda o: o.level is not None, "--colour": lambda o: o.colour is not None,
         "--grid": lambda o: o.grid is not None, "--source": lambda o: o.source is not None,
         "--streamlines": lambda o: o.streamlines, "--vectors": lambda o: o.vectors, "--beside": lambda o: o.beside is not None,
         "--at T1,T2,..": lambda o: len(o.times) > 1, "--map": lambda o: bool(o.maps)}
TIMES, AT, MEAN, FIELD, PLANE, LABEL, TITLE, OF, LEVEL, COLOUR, GRID, SOURCE, STREAMLINES, VECTORS, BESIDE, MANY, MAP = GIVEN


MOST_POINTS = 1024   # of --grid: eight fields of as many points cubed are 70 GB


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem(f"{message}; {self.prog} --help", USAGE)


class Options(argparse.Namespace):
    """The report uses the defaults."""
    output, title, labels, t_from, t_to, at, field, plane = None, None, [], -np.inf, np.inf, None, None, None
    mean, columns, triad = False, [], None
    of, level, colour, grid, source = None, None, None, None, None
    streamlines, vectors, beside, table, maps = False, False, None, None, []
    times = []  # of --at, as many as there are; `at` is the first

    @property
    def windowed(self):
        return np.isfinite(self.t_from) or np.isfinite(self.t_to)

    def within(self, t):
        return (t >= self.t_from) & (t <= self.t_to)

    def _nothing(self, what, t):
        """An Absent that tells the times asked for, and those that there are."""
        ends = [f"{word} t = {end:g}" for word, end in (("from", self.t_from), ("to", self.t_to)) if np.isfinite(end)]
        return Absent(f"{what} {' '.join(ends)}; the data cover t = {np.min(t):g} to {np.max(t):g}")

    def rows(self, series, t=None):
        """Which of the rows (or of the times t between them) lie within --from and --to; Absent where none does."""
        t = series.t if t is None else t
        inside = self.within(t)
        if not inside.any():
            raise self._nothing(f"{series.path}: no rows", t)
        return inside

    def inside(self, files, what):
        """Those of the files, each with its t, that lie within --from and --to; Absent where none does."""
        found = [f for f in files if self.within(np.array([f.t]))[0]]
        if not found:
            raise self._nothing(what, [f.t for f in files])
        return found

    def title_of(self, runs):
        return self.title or (runs[0].title() if len(runs) == 1 else "")

    def at_time(self, t):
        """The same for one time."""
        other = copy.copy(self)
        other.at, other.times = t, []
        return other

    def refuse(self, verb, takes):
        """What the verb does not heed is an error: a figure of something else would be taken for the one asked for."""
        for name, given in GIVEN.items():
            if name not in takes and given(self):
                raise Problem(f"{name} {'do' if name == TIMES else 'does'} not apply to triad-plot {verb}", USAGE)
        if self.at is not None and (self.windowed or self.mean):
            raise Problem("--at selects one time and cannot be combined with --from, --to or --mean", USAGE)

    def only(self, takes):
        """These options less those that a verb does not heed."""
        other = copy.copy(self)
        if TIMES not in takes:
            other.t_from, other.t_to = -np.inf, np.inf
        if AT not in takes:
            other.at, other.times = None, []
        return other


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a number")
    return value


def times(text):
    return [number(part) for part in text.split(",")]


def points(text):
    if not (text.isdecimal() and 2 <= int(text) <= MOST_POINTS):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a number of points from 2 to {MOST_POINTS}")
    return int(text)


def parser():
    p = Parser(prog="triad-plot", add_help=False, allow_abbrev=False)
    p.add_argument("paths", nargs="*")
    p.add_argument("-o", "--output", default=None)
    p.add_argument("--title", default=None)
    p.add_argument("--label", dest="labels", action="append", default=[])
    p.add_argument("--from", dest="t_from", type=number, default=-np.inf)
    p.add_argument("--to", dest="t_to", type=number, default=np.inf)
    p.add_argument("--at", dest="times", type=times, default=[])
    p.add_argument("--mean", action="store_true", default=False)
    p.add_argument("--field", default=None)
    p.add_argument("--plane", default=None)
    p.add_argument("--of", choices=("slice", "vortices", "volume"), default=None)
    p.add_argument("--level", type=number, default=None)
    p.add_argument("--colour", default=None)
    p.add_argument("--grid", type=points, default=None)
    p.add_argument("--source", choices=("fields", "checkpoint"), default=None)
    p.add_argument("--streamlines", action="store_true", default=False)
    p.add_argument("--vectors", action="store_true", default=False)
    p.add_argument("--beside", default=None)
    p.add_argument("--table", default=None)
    p.add_argument("--map", dest="maps", action="append", default=[])
    p.add_argument("--triad", default=None)
    return p


def parse(arguments):
    """Options may stand between paths."""
    options = parser().parse_intermixed_args(arguments, namespace=Options())
    options.at = options.times[0] if options.times else None
    if options.t_from > options.t_to:
        raise Problem(f"--from {options.t_from:g} is later than --to {options.t_to:g}", USAGE)
    return options


def split_columns(options):
    """Of the words after `series` those that look like a column and are no folder are columns."""
    columns = [w for w in options.paths if re.fullmatch(NAME, w) and not os.path.exists(w)]
    options.columns = columns
    options.paths = [w for w in options.paths if w not in columns]
