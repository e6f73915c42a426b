"""What a specialist would ask of a run: is it resolved, is it stationary, how sure are its numbers, and how do they compare with published ones?

`Judgement` answers in one sentence and two tables; docs/reading-the-report.md explains them, docs/published-ranges.md the ranges.
"""
import math
from typing import NamedTuple

import numpy as np

from triad_plot.compute import ranges
from triad_plot.compute.errors import drift_of, drifts, error_of
from triad_plot.compute.turbulence import Statistics
from triad_plot.problem import Absent, Problem
from triad_plot.read.means import Means
from triad_plot.report import about, contents, numbers
from triad_plot.report.means import TESTS

FEWEST_ROWS = 16   # of a window, for errors and drifts
FEW = TESTS        # numbers whose drift is shown
SPECTRAL = ("hd", "boussinesq", "mhd")
POINT_SOLVERS = ("compressible", "staggered")
PLUS = "\u00b1"


class Line(NamedTuple):
    """A number next to a published range. anchor: of the range's source on the page; "" without one."""
    words: str
    value: str
    published: str
    verdict: str
    anchor: str


def with_error(value, error, digits=4):
    """Two digits of the error, and as many places of the value."""
    if not math.isfinite(error) or error <= 0:
        return f"{value:.{digits}g}"
    places = max(0, 1 - int(math.floor(math.log10(error))))
    return f"{value:.{places}f} {PLUS} {error:.{places}f}" if places <= 8 and abs(value) < 1e6 else f"{value:.{digits}g} {PLUS} {error:.2g}"


# ---- what kind of flow it is ----

def is_forced(run):
    return (run.case.get("forcing.kind") or "none") != "none"


def is_driven(run):
    """Can it be stationary: does something maintain the flow?"""
    c = run.case
    sides = {side for axis in "xyz" for side in c.get(f"boundaries.{axis}") or ()}
    if run.solver in ("fct", "multiblock"):
        return any(word in str(text) for text in c.get("boundaries.patches") or [] for word in contents.OPEN + ("supersonic-inflow", "subsonic-inflow"))
    stirs = is_forced(run) and c.get("forcing.kind") != "stirring"
    held = about.tables_of(run, "sponges") or (about.tables_of(run, "bodies") and any(c.get("equations.mean_velocity") or ()))
    heated = bool(c.get("equations.temperature")) and bool(c.get("equations.thermal_expansion"))
    return bool(stirs or held or sides & {"inflow", "outflow"} or any(c.get("boundaries.wall_velocity") or ()) or heated)


def is_isotropic(run):
    """Forced turbulence without a preferred direction, to which the published ranges apply."""
    c = run.case
    preferred = any(any(c.get(key) or ()) for key in ("equations.rotation", "equations.mean_gradient", "strain.rates") if isinstance(c.get(key), list))
    dims = [n for n in c.get("grid.n") or [] if n > 1]
    alone = not about.has_closure(run) and not about.tables_of(run, "bodies") and not about.tables_of(run, "sponges")
    return (run.solver == "hd" and alone and len(dims) == 3 and is_forced(run) and not preferred and not c.get("equations.beta")
            and not c.get("equations.drag") and not c.get("equations.hyperviscosity") and (c.get("equations.viscosity") or 0) > 0)


def means_of(run):
    try:
        return Means(run)
    except Problem:
        return None


# ---- the judgement ----

class Judgement:
    def __init__(self, run):
        self.run, self.s = run, run.series
        self.steady = bool(run.case.get("time.steady"))
        self.means = means_of(run)
        t = self.s.t
        self.window = self.means.times if self.means else (float(max(t[-1] / 2, t[0])), float(t[-1]))
        self.inside = (self.s.t >= self.window[0] * (1 - 1e-12)) & (self.s.t <= self.window[1] * (1 + 1e-12))
        self.rows = int(self.inside.sum())
        self.long = self.rows >= FEWEST_ROWS and not self.steady
        self.turnovers = self._turnovers()
        self.eta = self._eta()
        self.drifts = self._drifts() if self.long and is_driven(run) else []

    def _turnovers(self):
        """Turnover times l_0/u' in the window; None where the series has no scales."""
        time = numbers.turnover(self.s)
        if time is None or self.rows < 2:
            return None
        t, time = self.s.t[self.inside], time[self.inside]
        if not np.isfinite(time).all() or not (time > 0).all():
            return None
        return float(np.sum(np.diff(t) * (1 / time[1:] + 1 / time[:-1]) / 2))

    def _eta(self):
        """(smallest k_max eta of all diffusivities in the window, its mean), None where there is none, and with a closure."""
        found = []
        if about.has_closure(self.run):
            return None
        for name, (least, _bound) in self.s.limits().items():
            y = self.s[name][self.inside]
            if least and name.endswith("kmax_eta") and len(y) and np.isfinite(y).any() and np.nanmax(y) > 0:
                found.append((float(np.nanmin(y)), float(np.nanmean(y))))
        return min(found) if found else None

    def _piled_up(self):
        return any(not least and np.nanmax(self.s[name][self.inside]) > bound for name, (least, bound) in self.s.limits().items()
                   if np.isfinite(self.s[name][self.inside]).any())

    def _drifts(self):
        """[(name, words, mean, error, drift, its error, degrees of freedom, unit)] of the first numbers of the solver's table, from its
        means where it has them."""
        out = []
        names = contents.numbers_of(self.run) if contents.of(self.run) else list(self.s.columns)
        first = [name for name in ("energy", "dissipation", "re_lambda") if name in names]
        for name in [*first, *(n for n in names if n not in first)]:
            y = self.s[name][self.inside]
            if len(out) == FEW or name.endswith(("_error", "_drift")) or name in ("iterations", "divergence", "cfl"):
                continue
            if not np.isfinite(y).all() or np.ptp(y) <= 1e-10 * np.abs(y).max():
                continue
            if self.means and name in self.means.numbers:
                found = (*self.means.numbers[name][:4], self.means.blocks - 2)
            else:
                found = numbers.mean_and_spread(self.s.t[self.inside], y)[0], float(error_of(y)), *drift_of(self.s.t[self.inside], y)
            out.append((name, numbers.label(name), *found, self.s.unit(name)))
        return out

    def _moves(self, drift):
        """Is this more than chance?"""
        return drifts(drift[4], drift[5], drift[6], len(self.drifts))

    # ---- sentences ----

    def resolution(self):
        """(is it resolved?, words); None: not known."""
        if about.has_closure(self.run):
            return None, f"a large-eddy simulation with closure {self.run.case['closure.model']}: what depends on the smallest scales is modelled; compare with a finer grid"
        if self.eta is None:
            return None, "the solver writes no measure of resolution: repeat the run on a finer grid and compare"
        least, mean = self.eta
        points = self.run.solver in POINT_SOLVERS
        words = f"k_max \u03b7 = {mean:.2f} (smallest {least:.2f}): {ranges.eta_words(least, points)}"
        if self._piled_up():
            return False, words + ", but a spectrum piles up at the cut-off"
        return least >= ranges.ETA[0] * (ranges.ON_POINTS if points else 1), words

    def stationarity(self):
        """(is it stationary?, words); None: not known, or not asked."""
        if self.steady:
            return None, "the run seeks a steady flow: see the check of its residuals"
        if not is_driven(self.run):
            return None, "nothing maintains the flow, so it is not stationary; compare its evolution in time"
        if not self.long:
            return False, f"{self.rows} rows of the series in the window are too few for errors and drifts"
        if not any(math.isfinite(d[4]) for d in self.drifts):
            return False, "the series is too short to know whether it drifts"
        moving = [f"{d[1].split(',')[0]} drifts by {d[4]:.2g} {PLUS} {d[5]:.1g}" for d in self.drifts if self._moves(d)]
        count = "" if self.turnovers is None else f"{self.turnovers:.3g} turnover times"
        if moving:
            return False, ", ".join(filter(None, (count, "; ".join(moving[:3]))))
        if self.turnovers is not None and self.turnovers < ranges.TURNOVERS[1]:
            return False, f"{count} are too few (at least {ranges.TURNOVERS[1]})"
        return True, ", ".join(filter(None, (count, "no drift that is more than chance")))

    def sentence(self):
        """May it be published as resolved and stationary? One sentence."""
        resolved, about_eta = self.resolution()
        stationary, about_time = self.stationarity()
        if self.steady:
            return f"This run seeks a steady flow: {about_eta}." if resolved is None else f"This run seeks a steady flow; {about_eta}."
        if stationary is None:
            lead = "This run may be published as resolved" if resolved else "This run may not be published as resolved" if resolved is False else "Resolution is not known"
            return f"{lead} ({about_eta}); {about_time}."
        if resolved and stationary:
            lead = "This run may be published as resolved and stationary"
        elif resolved is None:
            lead = f"This run may {'' if stationary else 'not '}be published as stationary; its resolution is not known"
        else:
            lacking = " and ".join(filter(None, ("resolved" if not resolved else "", "stationary" if not stationary else "")))
            lead = f"This run may not be published as {lacking}"
        return f"{lead} ({about_eta}; {about_time})."

    # ---- tables ----

    def drift_rows(self):
        """(words, mean +- error, drift +- error, verdict, unit)."""
        out = []
        for row in self.drifts:
            _name, words, mean, error, drift, of_drift, _dof, unit = row
            text = f"{drift:.2g} {PLUS} {of_drift:.1g}" if math.isfinite(drift) else ""
            out.append((words, with_error(mean, error), text, text and ("drifts" if self._moves(row) else "stationary"), "" if unit == "1" else unit))
        return out

    def drift_head(self):
        return ("", f"mean {PLUS} standard error, t = {self.window[0]:.4g} to {self.window[1]:.4g}", f"drift over this time {PLUS} standard error", "", "")

    def lines(self):
        """Numbers of isotropic turbulence next to published ranges; [] for other flows."""
        if not is_isotropic(self.run) or not self.long:
            return []
        return isotropic_lines(self.run, Statistics(self.run, self.window, self.means), self.turnovers)


def compared(words, found, allowed, anchor, factor=1.0, note=""):
    """A Line of (value, error, samples, ..); None: files lack it."""
    if found is None:
        return Line(words, "not measured", allowed.text() if allowed else "", "", anchor)
    value, error, samples = found[0] * factor, found[1] * factor, found[2]
    verdict = ranges.judged(value, error, allowed, samples < 3)
    return Line(words, with_error(value, error) + note, allowed.text() if allowed else "none", verdict, anchor)


def isotropic_lines(run, st, turnovers):
    re_lambda = st.column("re_lambda")
    row, re = ranges.of(re_lambda[0]), re_lambda[0]
    side = max(run.case.get("grid.length") or [2 * np.pi])
    scale = st.column("integral_scale")
    out = [Line("Taylor Reynolds number, Re_\u03bb", with_error(*re_lambda[:2]), "", "", ""),
           Line("turnover times \u2113_0/u\u2032", "" if turnovers is None else f"{turnovers:.3g}", f"{ranges.TURNOVERS[1]} or more", "" if turnovers is None else
                "within" if turnovers >= ranges.TURNOVERS[1] else "outside", "time"),
           Line("integral scale over the side of the box", with_error(scale[0] / side, scale[1] / side), f"at most {ranges.LARGEST_SCALE:g}",
                "within" if scale[0] / side <= ranges.LARGEST_SCALE else "outside", "box"),
           compared("mean injection over mean dissipation", st.power(), ranges.POWER, "power"),
           compared("\u03b5 \u2113_0/u\u2032\u00b3, C_\u03b5", st.c_epsilon(), row and row.c_epsilon, "c-epsilon")]
    parts = st.components()
    if parts:
        out += [compared(f"mean square of {axis} over 2E/3", found, ranges.ISOTROPY, "isotropy") for axis, *found in parts]
    else:
        out.append(Line("mean squares of components over 2E/3", "not measured: output.means = [\"moments\"]", ranges.ISOTROPY.text(), "", "isotropy"))
    moments = "" if st.skewness() else ": output.means = [\"moments\"]"
    found = [compared("15\u03bd\u27e8(\u2202u/\u2202x)\u00b2\u27e9/\u03b5", st.gradients(), ranges.SMALL_SCALES, "small-scales"),
             compared("skewness of \u2202u/\u2202x, \u2212S", st.skewness(), row and row.skewness, "skewness"),
             compared("\u2212S from the spectrum", st.spectral_skewness(), row and row.skewness, "skewness"),
             compared("flatness of \u2202u/\u2202x", st.flatness(), row and row.flatness, "flatness")]
    out += [line._replace(value=line.value + moments) if line.value == "not measured" else line for line in found]
    peak, least, third = st.bottleneck(), st.compensated(), st.third_order()
    inertial = "C_K, smallest" if re >= ranges.INERTIAL_FROM else "smallest (no inertial range at this Re_\u03bb)"
    if least:
        out.append(compared(f"E k^(5/3) \u03b5^(\u22122/3), {inertial}", least, row and row.compensated, "spectrum", note=f" at k = {least[3]:.3g}"))
    if peak:
        out.append(compared("the same, bottleneck", peak, row and row.bottleneck, "spectrum", note=f" at k\u03b7 = {peak[3]:.2g}"))
    if st.flux():
        out.append(compared("largest energy flux \u03a0/\u03b5", st.flux(), ranges.FLUX if re >= ranges.FLUX_FROM else None, "flux"))
    if third:
        out.append(compared("4/5 law: largest \u2212S\u2083/(\u03b5r)", third, row and row.third_order, "third-order", note=f" at r = {third[3]:.3g} \u03b7"))
    else:
        out.append(Line("4/5 law: largest \u2212S\u2083/(\u03b5r)", "not measured: output.structure_functions = \"log\"",
                        row.third_order.text() if row else "none", "", "third-order"))
    return out


def of(run):
    """None without a series."""
    try:
        return Judgement(run)
    except (Absent, Problem):
        return None
