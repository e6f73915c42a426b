"""What must hold of a run, checked from its files: a verdict, a number, and what it was measured against.

Tolerances come from round-off and from the quadrature between rows (balance.py), not from what runs have given.
"""
import math
import os
import subprocess

import numpy as np

from triad_plot.compute import closes
from triad_plot.problem import Absent, Problem
from triad_plot.report import along
from triad_plot.report.verdict import FAIL, PASS, UNTOLD, WARN, Check

EPSILON = {"double": 2.0 ** -52, "single": 2.0 ** -23}
UNACCOUNTED = 0.01   # of the energy turned over: what a reader of a budget still calls closed
VERIFY_SECONDS = 30


def epsilon(run):
    return EPSILON.get(run.case.get("precision"), EPSILON["double"])


def finished(run):
    """Did the run reach its end?"""
    end, most, s = run.case.get("time.end"), run.case.get("time.max_steps") or 0, run.series
    t, step = float(s.t[-1]), int(s["step"][-1]) if "step" in s else 0
    name = "The run reached its end"
    if not isinstance(end, (int, float)):
        return Check(UNTOLD, name, f"last row: step {step}, t = {t:g}; case.toml is missing, so the end time is unknown")
    text = f"step {step}, t = {t:g} of {end:g}"
    residuals = [float(s[c][-1]) for c in s.columns if c.startswith("residual_")]
    asked = run.case.get("time.residual") or 0
    if run.case.get("time.steady") and asked > 0 and residuals and max(residuals) > asked and most and step >= most:
        return Check(FAIL, "The flow has converged", f"step {step}: the largest residual is {max(residuals):.2g}, time.residual = {asked:g}")
    if t >= end * (1 - 1e-9):
        return Check(PASS, name, text)
    if most and step >= most:
        return Check(PASS, name, f"{text}; time.max_steps = {most} reached")
    if run.case.get("time.steady") and residuals and max(residuals) <= asked:
        return Check(PASS, name, f"step {step}: the flow is steady; the largest residual is {max(residuals):.2g}")
    return Check(WARN, name, f"{text}; the same command resumes the run")


def finite(run):
    """Are all numbers of the series finite, and do steps increase?"""
    s = run.series
    # a number that means nothing, as Re_lambda without viscosity, is an empty place; a value that is there is finite
    bad = [name for name, column in s.columns.items() if name in s.spoilt or np.isinf(column).any()]
    name = "All numbers in series.csv are finite, and steps increase"
    if bad:
        return Check(FAIL, name, "not finite: " + ", ".join(bad))
    if "step" in s and len(s.t) > 1 and (np.diff(s["step"]) <= 0).any():
        return Check(FAIL, name, "steps do not increase")
    empty = [name for name, column in s.columns.items() if np.isnan(column).any()]
    return Check(PASS, name, f"{len(s.t)} rows, {len(s.columns)} columns" +
                 (f"; empty where undefined: {', '.join(empty)}" if empty else ""))


def budget(run):
    """Does dE/dt = injection - dissipation close over the run?"""
    gas = run.solver == "compressible"
    name = f"Energy budget closes: dE/dt = injection \u2212 {'cooling' if gas else 'dissipation'}"
    if not closes.applies(run):
        return None
    try:
        b, why = closes.balance_of(run)
    except (ValueError, np.linalg.LinAlgError):
        return Check(UNTOLD, name, "requires two rows of series.csv between changes of the case")
    left, doubt = b.unaccounted(), b.error()
    text = (f"residual {left:.2g} of the energy exchanged (limit {UNACCOUNTED:g}; quadrature error {doubt:.1g})")
    if why:
        text += f"; without the interval{'s' * (b.left_out > 1)} of rows in which {', and '.join(why[:4])}{' ..' * (len(why) > 4)}"
    if not math.isfinite(left):
        return Check(FAIL, name, "the budget contains values that are not finite")
    if left <= UNACCOUNTED:
        return Check(PASS, name, text)
    return Check(UNTOLD if doubt > left / 2 else FAIL, name, text)   # twice its own error is no fault


def spectra_sum(run):
    """Does E(k) sum to the energy of the series at the same step? Of a gas, whose E is that of sqrt(rho) u, to the kinetic
    energy."""
    gas = run.solver == "compressible"
    name = "Each spectrum sums to the kinetic energy" if gas else "Each spectrum sums to the energy"
    s, worst, limit, n = run.series, 0.0, 0.0, 0
    on_points = run.solver in ("compressible", "staggered")
    points = run.case.get("grid.n") or [1, 1, 1024]
    for spectra in run.spectra:
        row = s.row_of(spectra.step)
        if row is None or "E" not in spectra:
            continue
        energy = float(s["kinetic_energy" if gas else "energy"][row])
        # Spectral flows: both sums are over modes, columns of nkz rounded once each; then the shells are added. Solvers on
        # points: the energy is a sum over points, and E(k) follows a transform, with some roundings per factor of 2 of the grid
        rounded = (16 + 4 * math.log2(float(np.prod(points)))) * epsilon(run)
        limit = max(limit, rounded if on_points else 2 * (points[2] + len(spectra["E"]) + 8) * 2.0 ** -53)
        difference = abs(math.fsum(spectra["E"]) - energy)
        worst, n = max(worst, difference / abs(energy) if energy else float(difference > 0)), n + 1
    if n == 0:
        return Check(UNTOLD, name, "no row of series.csv has the step of a spectrum")
    text = f"largest relative difference {worst:.1e} in {n} files (limit {limit:.1e})"
    return Check(PASS if worst <= limit else FAIL, name, text)


def transfer_sum(run):
    """Does the nonlinear term only move energy? Its tolerance is eq. (15)'s of docs/methods/statistics.md, with E(k) for norms."""
    name = "Nonlinear transfer conserves energy: T(k) sums to zero"
    if run.solver == "text":
        raise Absent("equations as text need not conserve energy: triad case --equations says what is kept")
    points = float(np.prod(run.case.get("grid.n") or [1024] * 3))
    mean = run.case.get("equations.mean_field") or [0.0]
    hall = run.case.get("equations.hall") or 0.0
    worst, at, n = 0.0, 0.0, 0
    for spectra in run.spectra:
        if "T" not in spectra:
            continue
        square, slope = 2 * spectra["E"].sum(), 2 * float((spectra["k"] ** 2) @ spectra["E"])
        carried = square + sum(b * b for b in mean) + hall ** 2 * slope
        limit = (8 + math.log2(points)) * epsilon(run) * math.sqrt(slope) * carried
        share = abs(math.fsum(spectra["T"])) / limit if limit > 0 else 0.0
        n += 1
        if share >= worst:
            worst, at = share, spectra.t
    if n == 0:
        raise Absent("no transfer")
    text = f"largest sum of T: {worst:.1g} of the round-off limit (t = {at:g}), in {n} files"
    return Check(PASS if worst <= 1 else FAIL, name, text)


def worst_of(s, name, is_least):
    """(worst value, when) of a column, None where it means nothing throughout."""
    column = np.where(np.isnan(s[name]), np.inf if is_least else -np.inf, s[name])
    at = int(np.argmin(column) if is_least else np.argmax(column))
    return (float(column[at]), float(s.t[at])) if math.isfinite(column[at]) else None


def limited(run, name, is_least, unit):
    """The columns that must be at least, or at most, what they say: one check of all of them."""
    s, texts, bad, bounds = run.series, [], False, set()
    for column, (least, bound) in s.limits().items():
        worst = worst_of(s, column, is_least) if least == is_least else None
        if worst is None or (column == "kmax_eta" and not np.any(s[column] > 0)):   # 0: no viscosity, in series of before
            continue
        bounds.add(bound)
        bad |= worst[0] < bound if is_least else worst[0] > bound
        texts.append((worst[0], f"{unit(column)} = {worst[0]:.2f}, at t = {worst[1]:g}"))
    if not texts:
        raise Absent("no column of this kind")
    texts.sort(reverse=not is_least)
    few = [text for _, text in texts[:4]] + ([f"and {len(texts) - 4} more"] if len(texts) > 4 else [])
    text = f"{'smallest' if is_least else 'largest'} {'; '.join(few)} ({' and '.join(f'{b:g}' for b in sorted(bounds))}"
    return Check(WARN if bad else PASS, name, f"{text} or {'more' if is_least else 'less'} counts as resolved)")


def resolved(run):
    """Is k_max eta at least 1 throughout, of the viscosity and of every other diffusivity?"""
    def unit(column):
        field = column.removesuffix("kmax_eta").rstrip("_")
        return "k_max \u03b7" + (f" of {field}" if field else "")
    return limited(run, "The smallest scales are resolved: k_max \u03b7 \u2265 1", True, unit)


def piled_up(run):
    """Do spectra fall before the grid ends?"""
    return limited(run, "No spectrum piles up at the cut-off", False,
                   lambda column: f"share of the squared gradients of {column.removesuffix('_tail')} in the last fifth of k")


def near_solenoidal(run):
    """On a staggered mesh div u is what solver.tolerance leaves: the largest of any cell, next to rms u over its side."""
    s, tolerance = run.series, run.case["solver.tolerance"]
    n, length = run.case["grid.n"], run.case["grid.length"]
    h = min((side / cells for side, cells in zip(length, n) if cells > 1), default=1.0)
    speed = math.sqrt(2 * float(np.max(s["energy"])))
    if not speed > 0:
        raise Absent("no velocity")
    worst = float(np.max(s["divergence"])) * h / speed
    return Check(PASS if worst <= 10 * tolerance else FAIL, "The velocity is divergence-free",
                 f"largest div u / (rms u / h): {worst:.1e} (limit {10 * tolerance:.1e})")


def solenoidal(run):
    """Is div u round-off next to the gradients of the flow?"""
    s = run.series
    if run.solver == "staggered":
        return near_solenoidal(run)
    vorticity = np.sqrt(2 * s["enstrophy"])
    some = vorticity > 0
    if not some.any():
        raise Absent("no vorticity")
    worst = float(np.max(s["divergence"][some] / vorticity[some]))
    # each k.u_k is a sum of three products; the projection before it was rounded likewise
    limit = 32 * epsilon(run)
    return Check(PASS if worst <= limit else FAIL, "The velocity is divergence-free",
                 f"rms div u / rms curl u: at most {worst:.1e} (limit {limit:.1e})")


def quiet(log):
    """Did the run complain?"""
    errors, warnings = log.of_level("error"), log.of_level("warning")
    if not log.entries:
        return None
    verdict = FAIL if errors else WARN if warnings else PASS
    counts = [f"{len(some)} {what}{'s' * (len(some) != 1)}" for some, what in ((errors, "error"), (warnings, "warning"))]
    return Check(verdict, "The log has no errors or warnings", ", ".join(counts))


def checkpoints(run, triad):
    """Every byte of every checkpoint against its checksum, by `triad info`, where that program is known."""
    folder = run / "checkpoints"
    names = sorted(n for n in os.listdir(folder) if n.startswith("step-")) if os.path.isdir(folder) else []
    if not names:
        return None
    name = "Checkpoints are valid"
    bare = [n for n in names if not os.path.isfile(os.path.join(folder, n, "manifest.txt"))]
    if bare:
        return Check(FAIL, name, f"{bare[-1]} has no manifest")
    if not triad:
        return Check(UNTOLD, name, f"{len(names)} with a manifest; verify them with triad info {run.path}")
    try:
        done = subprocess.run([triad, "info", folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=VERIFY_SECONDS, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return Check(UNTOLD, name, f"{len(names)}, too large to verify in {VERIFY_SECONDS} s; run triad info {run.path}")
    except OSError as error:
        return Check(UNTOLD, name, f"{triad} did not start: {error.strerror}")
    if done.returncode == 0:
        return Check(PASS, name, f"{len(names)}; all checksums verified by triad info")
    why = done.stderr.strip().splitlines()
    if done.returncode in (65, 66, 74):
        return Check(FAIL, name, (why[-1] if why else f"triad info ended with {done.returncode}")[:300])
    return Check(UNTOLD, name, f"triad info ended with {done.returncode}")


def of_run(run, log, triad=None):
    """Every check that applies. A file that cannot be read is a failed check, reported once."""
    out, broken = [], set()
    for look in (finished, finite, budget, spectra_sum, transfer_sum, resolved, piled_up, solenoidal, along.energy,
                 along.acceleration):
        try:
            out.append(look(run))
        except Absent:
            continue
        except Problem as problem:
            if str(problem) not in broken:
                out.append(Check(FAIL, "Files can be read", str(problem)))
            broken.add(str(problem))
    out += [checkpoints(run, triad), quiet(log)]
    return [check for check in out if check]
