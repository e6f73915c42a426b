"""The command line: triad-plot VERB [PATH...]."""
import difflib
import os
import sys

from triad_plot import options as words, verbs
from triad_plot.begin import HELP, say
from triad_plot.draw import beside, comparison, page, table
from triad_plot.problem import INPUT_OUTPUT, MISSING, USAGE, Absent, Problem
from triad_plot.read import run
from triad_plot.report import contents

HEAD = """Usage: triad-plot VERB [PATH...] [options]

Draw figures of Triad's output as PNG, SVG or PDF. PATH is a run directory, or a file of `triad bench --json`. Several
PATHs share one figure. The default is this folder if it is a run directory, else the newest run directory in it.
"""
OPTIONS = """
  all          every figure for which the run has data
  compare FIGURE RUN.. FILE..   a figure of curves with results of another code, from text, CSV or HDF5; --map
  film         slices as numbered frames and a film; --of vortices or --of volume films in space (also: movie)
  report       the report, a single page: report.html

  -o FILE      write FILE: .png, .svg or .pdf; without an extension both PNG and SVG; film: .mp4 or .gif
               (default: PATH/figures/VERB.png and .svg; for several PATHs VERB.png and .svg in this folder)
  --table FILE         also write the numbers of the figure: .csv (a row a point, any figure) or .tex (curves)
  --title TEXT, --label TEXT (one --label for each PATH, in the same order)
  --from T, --to T     draw these times only
  --at T               draw the spectrum or plane nearest to time T; slice: --at T1,T2,.. draws several panels
  --mean       spectrum, compensated: average over --from to --to (default: the second half) and show the spread
  --field NAME         spectrum: E_perp, E_kinetic_perp, H, .., separated by commas
                       map, flux, transfer: another dataset
                       slice, film: vorticity, current, theta, density, speed, magnetic, phase, or a dataset,
                       separated by commas
                       structure, increments: u_x, v_x, ..; probe: u, v, ..
                       probe, levels: NAME, FIELD or NAME:FIELD of a named probe
                       surface: cp, cf, p, temperature; contour: mach, p, ..
  --plane z=1.57       slice, film: a plane normal to x, y or z (default: normal to z at 3/8 of the side;
                       boussinesq: normal to y)
                       surface: y=0.24 selects the nearest strip of faces on each wall
  --beside FILE        add points of a table to any curves: columns x, NAME, .. (and NAME_error), or what --table wrote;
                       surface: x,cp or x/c,cp; with x/c each wall extends from 0 to 1
  --map WORDS          compare: columns of a file, once for all files or once for each: x=1,y=E/2,label=GHOST; columns by
                       number, name or dataset, with a factor; also panel=N, t=DATASET, at=T. Known without: spectra
                       and balance.txt of GHOST, spectra3d.h5 and spatial_means.txt of fluidsim
  --streamlines, --vectors   contour, slice of meshes and blocks: add the velocity in the plane

  --field, --colour NAME    vortices: draw surfaces of one field (q, vorticity, current, density, mach, rho, ..),
                       coloured by another (helicity, speed, ..)
  --level X            vortices: value on the surfaces (default: the value exceeded in 4 % of the volume)
  --grid N             vortices, volume, film: points along the longest axis; spectral fields are interpolated exactly
                       (default: 128, or the grid of the run if that is finer)
  --source KIND        draw from fields or from checkpoint (default: both)

An option that does not apply to a verb is an error.

Exit codes: 0 success; 64 usage; 65 invalid data, or nothing to draw; 66 file not found; 69 a Python module, VTK or ffmpeg
is missing; 74 I/O error.
"""


def help_text():
    lines = "\n".join(f"  {verb.name:<12} {verb.about}" for verb in verbs.VERBS)
    return f"{HEAD}\n{lines}{OPTIONS}"


def paths_of(given, verb):
    if given:
        return given
    if not verb.of_runs:
        raise Problem(f"triad-plot {verb.name} requires files: {verb.about}", USAGE)
    found = run.newest_below(".")
    if not found:
        raise Problem("no run directory in this folder; give its path, for example: triad-plot energy my-run", MISSING)
    return [found]


def open_all(verb, options):
    paths = paths_of(options.paths, verb)
    if len(paths) > verb.most:
        raise Problem(f"triad-plot {verb.name} draws at most {verb.most} paths, not {len(paths)}", USAGE)
    if options.labels and len(options.labels) != len(paths):
        raise Problem(f"--label must be given once for each path, not {len(options.labels)} times for {len(paths)}", USAGE)
    items = [verb.open(path) for path in paths]
    if verb.of_runs:
        for item, label in zip(items, options.labels or unique_labels(items)):
            item.label = label
    return items


def unique_labels(runs):
    """Folder names, with the folder above where two are the same."""
    labels = [r.label for r in runs]
    if len(set(labels)) == len(labels):
        return labels
    return [os.path.join(*os.path.realpath(r.path).split(os.sep)[-2:]) for r in runs]


def folder_for(items, verb):
    return os.path.join(items[0].path, "figures") if verb.of_runs and len(items) == 1 else "."


def draw_one(verb, options, name=None, others=()):
    """others: Curves of files that are added."""
    items = open_all(verb, options)
    paths = page.destinations(options.output, name or verb.name, folder_for(items, verb))
    figure = verb.draw(items, options)
    if others:
        comparison.add(figure, others)
    if options.beside and words.BESIDE not in verb.takes:
        beside.add(figure, options.beside)
    if options.table:
        table.write(figure, options.table)
        paths = [options.table, *paths]
    page.write(figure, paths[bool(options.table):])
    print("\n".join(paths))


def draw_all(options):
    """Each figure that has something to show; a damaged file is reported once, and only its own figures are missing."""
    worst, drawn, told = None, 0, set()
    options.refuse("all", (words.TIMES, words.AT, words.LABEL, words.TITLE))
    runs = [run.Run(path) for path in paths_of(options.paths, verbs.VERBS[0])]
    if options.table:
        raise Problem("--table applies to single figures only", USAGE)
    if options.output:
        raise Problem("triad-plot all writes to PATH/figures; -o applies to single figures only", USAGE)
    for verb in verbs.VERBS:
        if not verb.of_runs or verb.columns or verb.solid or len(options.paths) > verb.most:
            continue
        if not all(contents.has(run, verb.name) for run in runs):
            continue
        try:
            draw_one(verb, options.only(verb.takes))
            drawn += 1
        except Absent:
            continue
        except Problem as problem:
            if problem.code in (USAGE, MISSING, INPUT_OUTPUT):
                raise
            if str(problem) not in told:
                say(problem)
            told.add(str(problem))
            worst = problem
    if not drawn and not worst:
        raise Problem(f"{paths_of(options.paths, verbs.VERBS[0])[0]}: contains no data to draw")
    return worst.code if worst else 0


OTHERS = ("all", "compare", "film", "movie", "report")


def unknown(name):
    near = difflib.get_close_matches(name, [*(v.name for v in verbs.VERBS), *OTHERS], 1)
    return Problem(f"unknown verb {name[:80]}" + (f", did you mean {near[0]}?" if near else "") +
                   "; triad-plot --help lists them", USAGE)


def work(arguments):
    if not arguments:
        print(help_text(), end="", file=sys.stderr)
        return USAGE
    if HELP.intersection(arguments):
        print(help_text(), end="")
        return 0
    name, verb = arguments[0], verbs.find(arguments[0])
    if verb is None and name not in OTHERS:
        raise unknown(name)
    options = words.parse(arguments[1:])
    if verb is None:
        return work_other(name, options)
    options.refuse(name, (*verb.takes, words.BESIDE))
    if verb.columns:
        words.split_columns(options)
    draw_one(verb, options)
    return 0


def compare(options):
    """A figure with curves of files: the first word is its verb."""
    if not options.paths:
        raise Problem("triad-plot compare requires a figure, run directories and files; triad-plot --help", USAGE)
    figure, *paths = options.paths
    verb = verbs.find(figure)
    if verb is None or not verb.of_runs:
        raise unknown(figure) if verb is None else Problem(f"triad-plot compare: {figure} draws no run directories", USAGE)
    options.refuse(f"compare {figure}", (*verb.takes, words.BESIDE, words.MAP))
    options.paths, files = comparison.split(paths)
    if not files:
        raise Problem("triad-plot compare requires run directories and at least one file of another code", USAGE)
    if verb.columns:
        words.split_columns(options)
    others = comparison.read(files, figure, options.maps, options.at)
    draw_one(verb, options, f"compare-{figure}", others)
    return 0


def work_other(name, options):
    if name == "compare":
        return compare(options)
    if options.maps:
        raise Problem(f"--map does not apply to triad-plot {name}", USAGE)
    if name == "report":
        from triad_plot.report import report
        return report.run_command(options)
    if name in ("film", "movie"):
        from triad_plot.figures.space import movie
        return movie.run_command(options, name)
    return draw_all(options)
