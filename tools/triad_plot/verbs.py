"""Every verb of triad-plot: what it draws, its input, and the options that apply."""
import functools
from typing import Callable, NamedTuple

from triad_plot.figures.bench import ladder, mcups, overlap, phases, scaling, tune
from triad_plot.figures.particles import lagrange
from triad_plot.figures.scales import compensated, flux, increments, map, spectrum, structure
from triad_plot.figures.sound import far, levels
from triad_plot.figures.space import axis, blocks, faces, parts, slices, solid, walls
from triad_plot.figures.time import budget, columns, decay, forces, history, means, probe, residual, superfluid
from triad_plot.options import (AT, BESIDE, COLOUR, FIELD, GRID, LABEL, LEVEL, MANY, MEAN, PLANE, SOURCE, STREAMLINES, VECTORS,
                                TIMES, TITLE)
from triad_plot.read import records, run, sweep


class Verb(NamedTuple):
    name: str
    about: str
    draw: Callable          # (list of what `open` made, options) -> a matplotlib figure
    takes: tuple = ()       # options besides -o
    open: Callable = run.Run
    of_runs: bool = True
    most: int = 7           # files in one figure
    columns: bool = False   # words that are no path name columns
    solid: bool = False     # a picture in space: by VTK, where it is there, and of small grids where nobody asks for it


WHO = (LABEL, TITLE)
SPECTRA = (TIMES, AT, *WHO)


def history_of(name, about):
    return Verb(name, about, functools.partial(history.draw, name), (TIMES, *WHO))


VERBS = (
    history_of("energy", "energy and its parts against time"),
    history_of("enstrophy", "enstrophy against time; mhd: also mean j^2/2"),
    history_of("dissipation", "dissipation, its parts and injection against time"),
    Verb("budget", "energy budget: dE/dt, injection, dissipation and the residual", budget.draw, (TIMES, *WHO)),
    Verb("series", "any columns of series.csv against time: series PATH.. COLUMN..", columns.draw, (TIMES, *WHO), columns=True),
    Verb("decay", "decaying turbulence compared with grid turbulence: energy, exponent, scale, Reynolds number", decay.draw,
         (TIMES, *WHO), most=4),
    Verb("spectrum", "E(k) or another spectrum, at several times or averaged", spectrum.draw, (*SPECTRA, MEAN, FIELD)),
    Verb("compensated", "E(k) k^(5/3) eps^(-2/3) against k eta; k^(3/2) for mhd", compensated.draw, (*SPECTRA, MEAN)),
    Verb("map", "E(k_perp, k_par) about the flow's axis", map.draw, (*SPECTRA, FIELD), most=4),
    Verb("flux", "energy flux Pi(k), averaged over time, with spread", functools.partial(flux.draw, "Pi"),
         (TIMES, *WHO, FIELD)),
    Verb("transfer", "energy transfer k T(k), averaged over time, with spread", functools.partial(flux.draw, "T"),
         (TIMES, *WHO, FIELD)),
    Verb("structure", "structure functions against separation, and the 4/5 law", structure.draw, (AT, *WHO, FIELD)),
    Verb("increments", "PDFs of velocity increments at several separations", increments.draw, (AT, *WHO, FIELD), most=3),
    Verb("means", "means over time with standard errors: profiles, spectra, numbers", means.draw, (*WHO, FIELD), most=4),
    Verb("probe", "a field at probe points against time, and its power spectral density", probe.draw, (TIMES, *WHO, FIELD)),
    Verb("levels", "level of the pressure along lines, cylinders and disks of probes", levels.draw, (TIMES, *WHO, FIELD), most=4),
    Verb("sound", "levels against the angle and spectra, from triad far-field", far.draw, WHO, most=4),
    Verb("particles", "particles: displacement, pairs, accelerations, ..; select with --field [GROUP:]NAME", lagrange.draw,
         (*WHO, FIELD), most=1),
    Verb("slice", "planes of the flow, or profiles of a one-dimensional flow", slices.draw, (AT, MANY, *WHO, FIELD, PLANE, STREAMLINES, VECTORS),
         most=6),
    Verb("vortices", "isosurfaces of Q, |omega|, |j|, the density of a superfluid, or any field", functools.partial(solid.draw, "vortices"),
         (AT, *WHO, FIELD, LEVEL, COLOUR, GRID, SOURCE), most=3, solid=True),
    Verb("volume", "volume rendering of a field", functools.partial(solid.draw, "volume"), (AT, *WHO, FIELD, GRID, SOURCE), most=3,
         solid=True),
    Verb("gpe", "the parts of a superfluid's energy against time", superfluid.draw, (TIMES, *WHO), most=3),
    Verb("forces", "forces and coefficients of bodies and walls against time, or against steps for steady flows", forces.draw, (TIMES, *WHO)),
    Verb("residual", "residuals of a steady flow against steps", residual.draw, (TIMES, *WHO)),
    Verb("surface", "pressure, friction or temperature on walls against x", blocks.draw_surface, (AT, *WHO, FIELD, PLANE, BESIDE)),
    Verb("walls", "walls of blocks in space, coloured by pressure, friction or temperature", walls.draw, (AT, TITLE, FIELD), most=1),
    Verb("contour", "a field on a plane of a mesh or of blocks, with contour lines", blocks.draw_contour,
         (AT, TITLE, FIELD, PLANE, STREAMLINES, VECTORS), most=1),
    Verb("axis", "mean Mach number and pressure along a line of probes, with the shock cells of a jet", axis.draw,
         (TIMES, *WHO, FIELD), most=4),
    Verb("parts", "partition of blocks among ranks, from triad grid --ranks", parts.draw, (TITLE,), parts.of_path, False, 1),
    Verb("faces", "faces of a small mesh by colour, from triad grid --write FILE.vtkhdf", faces.draw, (TITLE,), faces.of_path, False, 1),
    Verb("phases", "time per step by phase, from triad bench --json", phases.draw, WHO, records.bench_of, False, 16),
    Verb("tune", "time per step against nstreams, from the output of triad tune or triad bench --json", tune.draw, (TITLE,),
         sweep.of_path, False, 64),
    Verb("scaling", "strong and weak scaling, from several files of triad bench --json", scaling.draw, (TITLE,), records.bench_of,
         False, 200),
    Verb("ladder", "cell-steps per second and processor of triad bench --json files, in the given order", ladder.draw,
         WHO, records.bench_of, False, ladder.MOST_ROWS),
    Verb("mcups", "iterations of the pressure solver by size, strong and weak scaling, GPU against core, from triad bench --json",
         mcups.draw, (TITLE,), records.bench_of, False, 200),
    Verb("overlap", "parts of an iteration of the pressure solver, and time saved by overlap, from triad bench --json",
         overlap.draw, (TITLE,), records.bench_of, False, 64),
)


def find(name):
    return next((verb for verb in VERBS if verb.name == name), None)
