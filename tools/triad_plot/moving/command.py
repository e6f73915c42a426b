"""triad import: a case and a start from the files of another code."""
import importlib
import os
import sys

import numpy as np

from triad_plot.moving import start as starts
from triad_plot.options import Parser
from triad_plot.problem import USAGE, Problem

CODES = ("ghost", "fluidsim", "dedalus")
# options of one code only
ONLY = {"n": "ghost", "solver": "ghost", "map": "dedalus", "write": "dedalus", "viscosity": "dedalus", "diffusivity": "dedalus", "resistivity": "dedalus",
        "buoyancy_frequency": "dedalus"}


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not (np.isfinite(value) and value >= 0):
        raise Problem(f"{text[:80]!r} is not a number of at least 0; triad import --help", USAGE)
    return value


def points(text):
    words = text.split(",")
    if len(words) != 3 or not all(word.isdecimal() and 1 <= int(word) <= 1 << 20 for word in words):
        raise Problem(f"--n {text[:80]}: must be three numbers of points, such as 64,64,32", USAGE)
    return tuple(map(int, words))


def count(text):
    if not text.isdecimal() or not int(text):
        raise Problem(f"--write-number {text[:80]}: must be a whole number of at least 1", USAGE)
    return int(text)


def parse(words):
    p = Parser(prog="triad import", add_help=False, allow_abbrev=False)
    p.add_argument("code", nargs="?")
    p.add_argument("files", nargs="*")
    p.add_argument("-o", "--output")
    p.add_argument("--n", type=points)
    p.add_argument("--solver")
    p.add_argument("--map")
    p.add_argument("--write-number", dest="write", type=count)
    for name in ("viscosity", "diffusivity", "resistivity", "buoyancy-frequency"):
        p.add_argument(f"--{name}", type=number)
    p.add_argument("--triad")
    return p.parse_intermixed_args(words)


def run_command(words):
    options = parse(words)
    if options.code not in CODES:
        raise Problem(f"triad import requires one of {', '.join(CODES)}" + (f", not {options.code[:40]}" if options.code else ""), USAGE)
    if not options.output:
        raise Problem("triad import requires -o DIR", USAGE)
    for name, code in ONLY.items():
        if getattr(options, name) is not None and options.code != code:
            raise Problem(f"--{'write-number' if name == 'write' else name.replace('_', '-')} applies to triad import {code} only", USAGE)
    start = importlib.import_module(f"triad_plot.moving.{options.code}").read_run(options)
    starts.write(start, options.output.rstrip("/") or "/")
    for sentence in start.changed:
        print(sentence)
    for sentence in start.lost:
        print(f"triad import: not taken over: {sentence}", file=sys.stderr)
    print(os.path.join(options.output, "case.toml"))
    return 0
