"""A grid that follows the flow (docs/methods/forcing.md): for check, beside it."""

import resource
import subprocess

import numpy as np

import outputs
from following import CASE, at_times

SETS = ("equations.viscosity=0.0025", "grid.n=[32,32,32]", "target.kmax_eta=1.8", "target.empty=1e-3", "target.n_least=32", "time.end=20",
        "time.cfl=0.85", "time.dt_max=0.05", "parallel.threads=1", "parallel.reproducible=false", "output.series_interval=0.05")


def seconds(command):
    """Processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def vortex(options, name, folder, note):
    """The Taylor-Green vortex of Re 400 to t = 20, and on the finest of its grids throughout."""
    case, ours, theirs = folder / "follow.toml", folder / name, folder / f"{name}-fixed"
    case.write_text(CASE)
    sets = [word for value in SETS for word in ("--set", value)]
    took = seconds([options.triad, "run", "-q", case, "--dir", ours, *sets])
    a = outputs.series(ours)
    n = int(a["points_most"].max())
    fixed = seconds([options.triad, "run", "-q", case, "--dir", theirs, *sets, "--set", "target.grid=fixed", "--set",
                     "target.kmax_eta=0", "--set", f"grid.n=[{n},{n},{n}]"])
    b = outputs.series(theirs)
    times = np.linspace(0.1, 19.9, 199)
    # what modes hold that are not there yet, or no more, is of the order of target.empty a change
    for column, bound, wanted in (("energy", 1e-3, "1e-3"), ("dissipation", 5e-3, "5e-3; 1e-3 is open")):
        x, y = (at_times(one, column, times) for one in (a, b))
        off = np.abs(x - y).max() / y.max()
        note(f"{name}: {column} to t = 20, largest difference, of its largest value", f"{off:.1e}", wanted, off < bound)
    changes = np.count_nonzero(np.diff(a["points_most"]))
    note(f"{name}: processor time, {changes} changes, {int(a['points_most'].min())} to {n} points",
         f"{took:.0f} s, {fixed:.0f} s fixed: {took / fixed:.2f}", "0.65; 0.5 is open", took < 0.65 * fixed)
