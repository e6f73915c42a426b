"""triad export: runs as The Well, Zarr, NetCDF or VTKHDF."""
import os
import re
import shutil
import sys

import numpy as np

from triad_plot.export import conventions, netcdf, source, vtkhdf, well, zarr
from triad_plot.options import Parser
from triad_plot.problem import INPUT_OUTPUT, MISSING, USAGE, Problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
ONLY = {"split": ("well",), "name": ("well",), "cube": ("zarr",), "shard": ("zarr",), "double": ("zarr", "netcdf"), "medium": ("zarr", "netcdf")}
FORMATS = ("well", "zarr", "netcdf", "vtkhdf")


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if np.isnan(value):
        raise Problem(f"{text[:80]!r} is not a number; triad export --help", USAGE)
    return value


def count(text):
    if not (text.isdecimal() and int(text) >= 2):
        raise Problem(f"{text[:80]!r} is not a whole number of at least 2; triad export --help", USAGE)
    return int(text)


def parse(words):
    p = Parser(prog="triad export", add_help=False, allow_abbrev=False)
    p.add_argument("runs", nargs="*")
    for name in FORMATS:
        p.add_argument(f"--{name}")
    p.add_argument("--grid", type=count)
    p.add_argument("--fields")
    p.add_argument("--from", dest="first", type=number, default=-np.inf)
    p.add_argument("--to", dest="last", type=number, default=np.inf)
    p.add_argument("--name")
    p.add_argument("--split")
    p.add_argument("--cube", type=count)
    p.add_argument("--shard", type=count)
    p.add_argument("--medium", choices=conventions.MEDIA)
    p.add_argument("--double", action="store_true")
    p.add_argument("--triad")
    return p.parse_intermixed_args(words)


def check(options):
    """The one format, with its path."""
    given = [name for name in FORMATS if getattr(options, name) is not None]
    if len(given) != 1:
        raise Problem("triad export requires one of --well DIR, --zarr DIR, --netcdf FILE and --vtkhdf FILE", USAGE)
    kind = given[0]
    if not options.runs:
        raise Problem(f"triad export --{kind} requires a run directory; triad export --help", USAGE)
    if kind != "well" and len(options.runs) != 1:
        raise Problem(f"triad export --{kind} exports one run, not {len(options.runs)}", USAGE)
    for option, kinds in ONLY.items():
        if getattr(options, option) not in (None, False) and kind not in kinds:
            raise Problem(f"--{option} does not apply to --{kind}", USAGE)
    if kind == "vtkhdf" and options.grid:
        raise Problem("--grid does not apply to --vtkhdf, which refers to the files of the run", USAGE)
    if options.first > options.last:
        raise Problem(f"--from {options.first:g} is later than --to {options.last:g}", USAGE)
    out = getattr(options, kind).rstrip("/") or "/"
    options.name = options.name or os.path.basename(os.path.realpath(out))
    if not NAME.fullmatch(options.name):
        raise Problem(f"--name {options.name[:80]!r}: must be letters, digits, '_', '.' and '-'", USAGE)
    if os.path.lexists(out):
        raise Problem(f"{out}: exists already; choose another name, or remove it", USAGE)
    place = os.path.dirname(os.path.abspath(out))
    if not os.path.isdir(place):
        raise Problem(f"{place}: no such folder", MISSING)
    return kind, out


def make(kind, out, options):
    options.split = well.parse_split(options.split or "80,10,10")
    sources = source.open_all(options.runs, options)
    if kind != "well" and len(sources) != 1:
        raise Problem(f"{options.runs[0]}: is an ensemble of {len(sources)} runs; --{kind} exports one of them", USAGE)
    work = os.path.join(os.path.dirname(os.path.abspath(out)), f".{os.path.basename(out)}.{os.getpid()}.part")
    try:
        if kind in ("well", "zarr"):
            os.makedirs(work)
        writer = {"well": lambda: well.write(work, sources, options), "zarr": lambda: zarr.write(work, sources[0], options),
                  "netcdf": lambda: netcdf.write(work, sources[0], options), "vtkhdf": lambda: vtkhdf.write(work, out, sources[0])}
        lines = writer[kind]()
        os.replace(work, out)
    except OSError as error:
        raise Problem(f"{out}: cannot be written: {error.strerror or error}", INPUT_OUTPUT) from None
    finally:
        if os.path.isdir(work):
            shutil.rmtree(work, ignore_errors=True)
        elif os.path.exists(work):
            os.remove(work)
    return lines


def run_command(words):
    options = parse(words)
    kind, out = check(options)
    lines = make(kind, out, options)
    for line in lines:
        if line.startswith("warning: "):
            print(f"triad export: {line}", file=sys.stderr)
        else:
            print(line)
    print(out)
    return 0
