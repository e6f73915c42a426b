"""The numbers of a run for its report: at the end, and their means over the later half of the time, as `flux` takes it.

The spread of a quantity about its mean has a column of its own; "a +- b" is kept for a mean and its standard error (means.py).
"""
import re

import numpy as np

from triad_plot.draw.style import words_of
from triad_plot.report import contents

# words that need no figure beside them
WORDS = {"re_lambda", "integral_scale", "taylor_scale", "kolmogorov_scale", "kmax_eta", "u_max", "cl", "cd", "cm", "strouhal", "drag_x", "drag_y", "drag_z",
         "wall_shear", "nusselt_lower", "nusselt_upper", "nusselt_volume", "mean_temperature", "wall_heat_flux"}
# symbols of columns of series.csv; of a solver that contents.py does not know, the order of the table too
COLUMNS = {
    "energy": "E", "kinetic_energy": "E_k", "magnetic_energy": "E_b", "potential_energy": "E_p", "interaction_energy": "E_i",
    "incompressible_energy": "", "compressible_energy": "", "quantum_energy": "", "enstrophy": "Z", "dissipation": "\u03b5",
    "injection": "P", "buoyancy_flux": "B", "cross_helicity": "", "re_lambda": "Re_\u03bb", "integral_scale": "\u2113_0",
    "taylor_scale": "\u03bb_T", "kolmogorov_scale": "\u03b7", "kmax_eta": "k_max \u03b7", "u_max": "", "mach_rms": "",
    "density_rms": "", "mass": "", "cl": "c_l", "cd": "c_d", "cm": "c_m", "strouhal": "St",
    "drag_x": "F_x/\u03c1", "drag_y": "F_y/\u03c1", "drag_z": "F_z/\u03c1", "wall_shear": "\u03c4_w/\u03c1",
    "nusselt_lower": "Nu", "nusselt_upper": "Nu", "nusselt_volume": "Nu", "mean_temperature": "\u27e8T\u27e9", "wall_heat_flux": "q_w",
    "temperature_variance": "\u27e8\u03b8\u00b2\u27e9/2", "temperature_dissipation": "\u03b5_T", "buoyancy_power": "B",
}
NAMED = ("cl_", "cd_", "cm_")   # coefficients of one wall, or their part by friction
SPREAD = "rms about it"
SMALL = 1e-12   # of the energy: what is round-off, such as a cross-helicity that stays zero


def turnover(series):
    """l_0/u', u' the rms of a component of the velocity: (2 E_k/3)^(1/2) [T]; None where the scales are not there."""
    energy = series.columns.get("kinetic_energy", series.columns.get("energy"))
    if "integral_scale" not in series or energy is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        return series["integral_scale"] / np.sqrt(2 * energy / 3)


def mean_and_spread(t, y):
    """Mean and standard deviation over time, by the trapezoidal rule."""
    if len(t) < 2:
        return float(y[-1]), 0.0
    weights = np.zeros(len(t))
    weights[1:] += np.diff(t) / 2
    weights[:-1] += np.diff(t) / 2
    weights /= weights.sum()
    mean = float(weights @ y)
    return mean, float(np.sqrt(weights @ (y - mean) ** 2))


def label(name):
    words = words_of(name) if name in WORDS else name.replace("_", " ")
    for head in NAMED:
        if name.startswith(head):
            words = f"{words_of(head[:-1])} {name[len(head):].replace('_', ' ')}".replace(" friction", " by friction")
    out = re.fullmatch(r"momentum_([xyz])_out_(.+)", name)
    if out:
        return f"{out[1]}-momentum transferred to {out[2]}"
    symbol = COLUMNS.get(name, "")
    return words + (f", {symbol}" if symbol else "")


def candidates(run, series):
    """(words with symbol, values, unit)."""
    table = contents.of(run)
    names = contents.numbers_of(run) if table else [name for name in COLUMNS if name in series]
    out = []
    for name in names:
        out.append((label(name), series[name], series.unit(name)))
        if name == "kolmogorov_scale" and turnover(series) is not None:
            out.append(("turnover time, \u2113_0/u\u2032", turnover(series), "T"))
    return out


def is_zero(y, scale):
    return not np.any(np.abs(y) > SMALL * scale)


def family_of(words):
    """The same for the components of one vector, and for the coefficients of one body."""
    return re.sub(r"\b([xyzuvw]|lift|drag|moment|force|along)\b|, [cF]_\w(/\u03c1)?", "", words).split("(")[0].strip()


def scale_of(words, y, unit, series, families):
    """What a number may be the round-off of: the energy, as for cross-helicity that stays zero, or the other components."""
    scale = float(np.abs(series.columns.get("energy", y)).max()) if unit.startswith(("U^2", "M U^2")) else 0.0
    return max(scale, *(float(np.nanmax(np.abs(other))) for family, other in families if family == family_of(words)))


def rows(run, series):
    """[(words, at the end, mean, spread, unit)] of what is a finite number and not zero; of a steady flow, which is its end, without mean
    and spread."""
    t, steady = series.t, run.case.get("time.steady")
    late = t >= t[-1] / 2
    out, seen = [], []
    found = candidates(run, series)
    families = [(family_of(words), y) for words, y, _ in found]
    for words, y, unit in found:
        if not np.isfinite(y[late]).all() or is_zero(y, scale_of(words, y, unit, series, families)) or any(np.array_equal(y, other) for other in seen):
            continue
        seen.append(y)
        mean, spread = mean_and_spread(t[late], y[late])
        out.append((words, f"{y[-1]:.4g}", *(() if steady else (f"{mean:.4g}", f"{spread:.2g}")), "" if unit == "1" else unit))
    return out


def peak(series):
    """When the dissipation was largest, if that was in between."""
    if "dissipation" not in series:
        return None
    at = int(np.argmax(series["dissipation"]))
    if at in (0, len(series.t) - 1):
        return None
    return f"largest dissipation {series['dissipation'][at]:.4g} at t = {series.t[at]:.4g}"


def head(run, series):
    if run.case.get("time.steady"):
        return ("", f"at step {int(series['step'][-1])}" if "step" in series else "at the end", "")
    first = series.t[series.t >= series.t[-1] / 2][0]
    return ("", f"at t = {series.t[-1]:.4g}", f"mean over t = {first:.4g} to {series.t[-1]:.4g}", SPREAD, "")
