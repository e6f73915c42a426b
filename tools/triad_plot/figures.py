"""Every verb of triad-plot: what it draws, and out of what."""
import functools
from typing import Callable, NamedTuple

from triad_plot import (budget, compensated, flux, history, increments, map, phases, records, run, scaling, slices,
                        spectrum, structure, superfluid, sweep, tune)


class Verb(NamedTuple):
    name: str
    about: str
    draw: Callable     # (list of what `open` made, options) -> a matplotlib figure
    open: Callable     # path -> what is drawn
    of_runs: bool = True
    most: int = 7      # files in one figure


def history_of(name, about):
    return Verb(name, about, functools.partial(history.draw, name), run.Run)


VERBS = (
    history_of("energy", "energy and its parts against time"),
    history_of("enstrophy", "enstrophy (and mean j^2/2) against time"),
    history_of("dissipation", "dissipation, its parts, and injection against time"),
    Verb("budget", "dE/dt, injection, dissipation, and the residual of their sum", budget.draw, run.Run),
    Verb("spectrum", "E(k) at some times", spectrum.draw, run.Run),
    Verb("compensated", "E(k) k^(5/3) eps^(-2/3) against k eta; k^(3/2) for mhd", compensated.draw, run.Run),
    Verb("map", "E(k_perp, k_par) about the flow's axis", map.draw, run.Run, most=4),
    Verb("flux", "energy flux Pi(k), averaged over time, with its spread", flux.draw, run.Run),
    Verb("structure", "structure functions against separation, and the 4/5 law", structure.draw, run.Run),
    Verb("increments", "PDFs of velocity increments at some separations", increments.draw, run.Run, most=3),
    Verb("slice", "a plane of |omega|, |j|, theta, density", slices.draw, run.Run, most=6),
    Verb("gpe", "the parts of a superfluid's energy against time", superfluid.draw, run.Run, most=3),
    Verb("phases", "time of a step by phase, from triad bench --json", phases.draw, records.bench_of, False, 16),
    Verb("tune", "step and phases against nstreams, from what triad tune prints, or triad bench --json", tune.draw,
         sweep.of_path, False, 64),
    Verb("scaling", "strong and weak scaling, from several triad bench --json", scaling.draw, records.bench_of, False, 200),
)


def find(name):
    return next((verb for verb in VERBS if verb.name == name), None)
