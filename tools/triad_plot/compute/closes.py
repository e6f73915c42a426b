"""Whether and how the energy of a run balances: which columns say what comes in and goes out."""
import numpy as np

from triad_plot.compute.balance import Balance

SOLVERS = ("hd", "boussinesq", "mhd", "gpe", "staggered", "compressible", "")


def open_sides(run):
    """Does energy enter or leave with the fluid?"""
    sides = {side for axis in "xyz" for side in run.case.get(f"boundaries.{axis}") or ()}
    return bool(sides & {"inflow", "outflow"}) if run.solver == "staggered" else bool(sides - {"periodic"})


def why_not(run):
    """Why the budget does not apply to this run; None: it does."""
    if run.solver not in SOLVERS:
        return "this solver does not write all terms of the energy budget"
    if run.case.get("equations.imaginary_time"):
        return "energy is not conserved in imaginary time"
    if open_sides(run):
        return "energy passes through the boundaries"
    if run.case.get("sponge.rate"):
        return "a sponge changes the energy, and no column records how much"
    return None


def applies(run):
    return why_not(run) is None


def breaks_of(run):
    """[(time, why)] at which rates jump, so that no integral between rows may span it."""
    found = [(t, f"{key} changes at t = {t:g}") for _step, t, key, _was, _now in run.changes
             if not key.startswith(("output.", "parallel.", "parameters.", "time.", "initial."))]
    c = run.case
    if c.get("solids.release") and run.solver == "staggered":
        found.append((c["solids.release"], f"solids become fluid at t = {c['solids.release']:g}"))
    if run.solver == "staggered" and any(c.get("strain.rates") or ()):
        found += [(c[key], f"the strain changes at t = {c[key]:g}") for key in ("strain.start", "strain.end") if c.get(key)]
    s = run.series
    if "points_most" in s:
        found += [(t, f"the grid changes after t = {t:g}") for t in s.t[:-1][np.diff(s["points_most"]) != 0]]
    return found


def counted(run, series):
    """(work_done, the rest of the injection as a rate); None where the series does not have the work done in each step."""
    if "work_done" not in series or not np.isfinite(series["work_done"]).all():
        return None
    if any(run.case.get("boundaries.wall_velocity") or ()):
        return None   # the power of moving walls is in the injection, and has no integral
    # series of earlier versions have the work of a strain as a rate only
    apart = "production" in series and "without production" in series.formulae.get("work_done", "")
    return series["work_done"], series["production"] if apart else np.zeros(len(series.t))


def balance_of(run):
    """The Balance of a run, and why intervals are left out. Absent without its columns; ValueError where there are too few rows."""
    series, gas = run.series, run.solver == "compressible"
    loss = "cooling" if gas else "dissipation"
    for column in ("energy", "injection", loss):
        series[column]
    found = breaks_of(run)
    lost = series["heat_removed"] if gas and "heat_removed" in series else None
    b = Balance(series, [t for t, _ in found], loss, counted(run, series), lost)
    return b, [why for t, why in found if series.t[0] <= t < series.t[-1]]
