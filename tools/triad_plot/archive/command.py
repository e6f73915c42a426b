"""triad archive: make the archive of a run, or verify one."""
import contextlib
import datetime
import json
import os
import platform
import shutil
import sys

import h5py
import matplotlib
import numpy as np

from triad_plot.archive import authors, collect, licences, manifest, metadata
from triad_plot.options import Parser
from triad_plot.problem import INPUT_OUTPUT, MISSING, USAGE, Problem
from triad_plot.program import cite
from triad_plot.read import run as runs


def parse(words):
    p = Parser(prog="triad archive", add_help=False, allow_abbrev=False)
    p.add_argument("runs", nargs="*")
    p.add_argument("-o", "--output")
    p.add_argument("--author", action="append", default=[])
    p.add_argument("--license", "--licence", dest="license")
    p.add_argument("--title")
    p.add_argument("--description")
    p.add_argument("--fields", default="last")
    p.add_argument("--error", type=float, default=0.0)
    p.add_argument("--with", dest="kinds")
    p.add_argument("--no-figures", dest="figures", action="store_false")
    p.add_argument("--verify")
    p.add_argument("--triad")
    return p.parse_intermixed_args(words)


def check(options):
    if len(options.runs) != 1:
        raise Problem("triad archive requires one run directory; triad archive --help", USAGE)
    if not 0 <= options.error < 1:
        raise Problem(f"--error {options.error:g}: must be at least 0 and below 1", USAGE)
    run = runs.Run(options.runs[0])
    if os.path.lexists(run / "run.lock"):
        raise Problem(f"{run.path}: a run uses this directory (run.lock); stop it first: triad stop {run.path}", INPUT_OUTPUT)
    if not run.case_text or not run.has_series:
        raise Problem(f"{run.path}: an archive requires case.resolved.toml and series.csv")
    run.series   # a damaged one is an error now
    out = options.output or f"{run.path.rstrip('/')}-archive"
    if os.path.lexists(out):
        raise Problem(f"{out}: exists already; choose another name with -o", USAGE)
    if os.path.realpath(out).startswith(os.path.realpath(run.path) + os.sep):
        raise Problem(f"{out}: is within the run directory; choose another place with -o", USAGE)
    return run, out


def today():
    """SOURCE_DATE_EPOCH is heeded, so that an archive can be made again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch.isdecimal() else datetime.datetime.now(datetime.timezone.utc)
    return now.strftime("%Y-%m-%d")


def environment(run):
    packages = {"python": platform.python_version(), "numpy": np.__version__, "h5py": h5py.__version__, "hdf5": h5py.version.hdf5_version,
                "matplotlib": matplotlib.__version__}
    return json.dumps({"sessions": run.sessions, "figures": packages}, indent=1, ensure_ascii=False) + "\n"


def put(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def fill(folder, run, options, who, licence):
    kinds = collect.kinds_of(options.kinds)
    os.makedirs(os.path.join(folder, "run"))
    found = collect.collect(run, folder, options.fields, options.error, kinds)
    drawn, failed = [], []
    if options.figures:
        from triad_plot.archive import pictures
        drawn, failed = pictures.draw(folder)
    found.notes += [f"Not drawn: {line}" for line in failed]
    title = " ".join((options.title or run.title()).replace("\u00a0", " ").split())
    description = options.description or f"Data of a numerical simulation of a turbulent flow with Triad, solver {run.solver or 'unknown'}."
    session, date = run.provenance, today()
    put(folder, "environment.json", environment(run))
    text, why = cite(options.triad, run)
    if text:
        put(folder, "citation.bib", text)
    else:
        found.notes.append(f"No citation.bib: {why}")
    put(folder, "LICENSE.txt", licences.text_of(licence, who, date[:4]))
    put(folder, "CITATION.cff", metadata.citation(title, who, licence, date, session.get("version"), session.get("commit"), description))
    put(folder, "README.md", metadata.readme(folder, title, description, who, licence, session, drawn, found.errors, options.error, found.notes))
    put(folder, manifest.CRATE, metadata.crate(folder, title, description, who, licence, date, session))
    manifest.write(folder)
    return [f"not drawn: {line}" for line in failed] + ([f"no citation.bib: {why}"] if why else [])


@contextlib.contextmanager
def removed(path):
    """Whatever happens, nothing of it stays."""
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def make(options):
    run, out = check(options)
    who = authors.of_run(options.author, run)
    licence = licences.find(options.license or run.case.get("output.license") or "CC-BY-4.0")
    place = os.path.dirname(os.path.abspath(out))
    if not os.path.isdir(place):
        raise Problem(f"{place}: no such folder", MISSING)
    with removed(os.path.join(place, f".{os.path.basename(out)}.{os.getpid()}.part")) as work:
        try:
            os.makedirs(work)
            warnings = fill(work, run, options, who, licence)
            count = len(manifest.paths_in(work))
            if manifest.is_file_name(out):
                packed = work + "-" + os.path.basename(out)
                try:
                    manifest.pack(work, packed, os.path.basename(out))
                    os.replace(packed, out)
                finally:
                    if os.path.exists(packed):
                        os.remove(packed)
            else:
                os.rename(work, out)
        except OSError as error:
            raise Problem(f"{out}: cannot be written: {error.strerror or error}", INPUT_OUTPUT) from None
    for line in warnings:
        print(f"triad archive: warning: {line}", file=sys.stderr)
    print(f"{out}: {count} files; triad archive --verify {out} checks them")
    return 0


def run_command(words):
    options = parse(words)
    if options.verify is not None:
        if options.runs:
            raise Problem("--verify checks one archive, and makes none", USAGE)
        return manifest.say(options.verify)
    return make(options)
