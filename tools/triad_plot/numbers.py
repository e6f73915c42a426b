"""The numbers of a run for its report: at the end, and their means over the later half of the time, as `flux` takes it."""
import numpy as np

from triad_plot.style import words_of

# words that stand without the company of a figure
WORDS = {"re_lambda", "integral_scale", "taylor_scale", "kolmogorov_scale", "kmax_eta", "u_max"}
# columns of series.csv in the order of the table: symbol
COLUMNS = {
    "energy": "E", "kinetic_energy": "E_k", "magnetic_energy": "E_b", "potential_energy": "E_p", "interaction_energy": "E_i",
    "incompressible_energy": "", "compressible_energy": "", "quantum_energy": "", "enstrophy": "Z", "dissipation": "\u03b5",
    "injection": "P", "buoyancy_flux": "B", "cross_helicity": "", "re_lambda": "Re_\u03bb", "integral_scale": "\u2113_0",
    "taylor_scale": "\u03bb_T", "kolmogorov_scale": "\u03b7", "kmax_eta": "k_max \u03b7", "u_max": "", "mach_rms": "",
    "density_rms": "", "mass": "",
}
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


def candidates(series):
    """(words with symbol, values, unit)."""
    out = []
    for name, symbol in COLUMNS.items():
        if name in series:
            words = words_of(name) if name in WORDS else name.replace("_", " ")
            out.append((f"{words}{f', {symbol}' if symbol else ''}", series[name], series.unit(name)))
        if name == "kolmogorov_scale" and turnover(series) is not None:
            out.append(("turnover time, \u2113_0/u\u2032", turnover(series), "T"))
    return out


def rows(series):
    """[(words, at the end, mean +- spread, unit)] of what is a finite number and not zero."""
    t = series.t
    late = t >= t[-1] / 2
    out, seen = [], []
    for words, y, unit in candidates(series):
        if not np.isfinite(y[late]).all() or not np.any(np.abs(y) > SMALL * np.abs(series.columns.get("energy", y)).max()) or \
                any(np.array_equal(y, other) for other in seen):
            continue
        seen.append(y)
        mean, spread = mean_and_spread(t[late], y[late])
        out.append((words, f"{y[-1]:.4g}", f"{mean:.4g} \u00b1 {spread:.2g}", "" if unit == "1" else unit))
    return out


def peak(series):
    """When the dissipation was largest, if that was in between."""
    if "dissipation" not in series:
        return None
    at = int(np.argmax(series["dissipation"]))
    if at in (0, len(series.t) - 1):
        return None
    return f"largest dissipation {series['dissipation'][at]:.4g} at t = {series.t[at]:.4g}"


def head(series):
    first = series.t[series.t >= series.t[-1] / 2][0]
    return ("", f"at t = {series.t[-1]:.4g}", f"mean of t = {first:.4g} to {series.t[-1]:.4g}", "")
