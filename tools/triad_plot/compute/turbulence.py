"""Statistics of isotropic turbulence with their standard errors, from the files of a run: (value, error, from how many samples)."""
import numpy as np

from triad_plot.compute import shells
from triad_plot.compute.errors import error_of
from triad_plot.problem import Absent, Problem

SPECTRAL_SKEWNESS = 3 * np.sqrt(30) / 7   # S = -that nu sum(k^4 E)/(sum(k^2 E))^(3/2), exact in steady isotropic turbulence
BOTTLENECK = (0.05, 0.3)                  # k eta between which it is looked for
GRADIENTS = (("du_dx", "x"), ("dv_dy", "y"), ("dw_dz", "z"))


def spectra_in(run, window):
    """Files of spectra within (from, to), all of the last one's shells."""
    try:
        found = [s for s in run.spectra if window[0] <= s.t <= window[1] * (1 + 1e-12) and "E" in s]
    except (Absent, Problem):
        return []
    return [s for s in found if len(s["E"]) == len(found[-1]["E"])]


def over_files(files, value):
    """value(file), mean over files: (mean, error, count); None without files."""
    values = np.array([value(s) for s in files])
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    return float(values.mean()), float(error_of(values)), len(values)


def moment(means, name, order):
    """A central moment over its file of means: (mean, error)."""
    _over, values, error, _unit = means.arrays[f"{name}_moments"]
    return float(values[order - 1]), float(error[order - 1])


def normalised(means, name, order, sign=1):
    """<d^order>/<d^2>^(order/2) with its error, from that of both moments as if they were independent."""
    square, error2 = moment(means, name, 2)
    high, error = moment(means, name, order)
    value = high / square ** (order / 2)
    return sign * value, abs(value) * float(np.hypot(error / high if high else 0.0, order / 2 * error2 / square))


def joined(found, samples):
    """The mean of three axes, whose errors are those of three samples that depend on each other."""
    values = np.array(found)
    return float(values[:, 0].mean()), float(values[:, 1].mean()), samples


class Statistics:
    """Of a run of hd, over the window of times (from, to): each member is (value, error, samples), or None where files lack it."""

    def __init__(self, run, window, means):
        self.run, self.window, s = run, window, run.series
        self.inside = (s.t >= window[0]) & (s.t <= window[1])
        self.files, self.means = spectra_in(run, window), means
        self.nu = run.case["equations.viscosity"]
        self.epsilon = float(np.mean(s["dissipation"][self.inside]))

    def column(self, name):
        """(mean over time, error, rows)."""
        t, y = self.run.series.t[self.inside], self.run.series[name][self.inside]
        mean = float(np.sum(np.diff(t) * (y[1:] + y[:-1]) / 2) / (t[-1] - t[0])) if len(t) > 1 else float(y[-1])
        return mean, float(error_of(y)), len(y)

    def c_epsilon(self):
        s, i = self.run.series, self.inside
        values = s["dissipation"][i] * s["integral_scale"][i] / (2 * s["energy"][i] / 3) ** 1.5
        return float(values.mean()), float(error_of(values)), int(i.sum())

    def power(self):
        """Mean injection over mean dissipation; the error is that of the dissipation."""
        s, i = self.run.series, self.inside
        into, out = s["injection"][i], s["dissipation"][i]
        return float(into.mean() / out.mean()), float(error_of(out) / out.mean()), int(i.sum())

    def components(self):
        """[(axis, mean square of a component over 2 E/3, error, samples)]."""
        if self.means and "u_moments" in self.means.arrays:
            squares = [moment(self.means, name, 2) for name in "uvw"]
            third = sum(value for value, _ in squares) / 3
            return [(axis, value / third, error / third, self.means.samples) for axis, (value, error) in zip("uvw", squares)]
        files = [s for s in self.files if all(f"E_{c}_{a}" in s for c, a in zip("uvw", "xyz"))]
        out = []
        for c, a in zip("uvw", "xyz"):
            found = over_files(files, lambda s, c=c, a=a: s[f"E_{c}_{a}"].sum() / sum(s[f"E_{d}_{b}"].sum() for d, b in zip("uvw", "xyz")) * 3)
            if found:
                out.append((c, *found))
        return out

    def gradients(self):
        """15 nu <(du/dx)^2>/eps, mean over the axes."""
        if not self.means or "du_dx_moments" not in self.means.arrays or "dissipation" not in self.means.numbers:
            return None
        epsilon = self.means.numbers["dissipation"][0]
        found = [tuple(15 * self.nu * x / epsilon for x in moment(self.means, name, 2)) for name, _ in GRADIENTS]
        return joined(found, self.means.samples)

    def skewness(self):
        """Of du/dx at points, times -1."""
        if not self.means or "du_dx_moments" not in self.means.arrays:
            return None
        return joined([normalised(self.means, name, 3, -1) for name, _ in GRADIENTS], self.means.samples)

    def flatness(self):
        if not self.means or "du_dx_moments" not in self.means.arrays:
            return None
        return joined([normalised(self.means, name, 4) for name, _ in GRADIENTS], self.means.samples)

    def spectral_skewness(self):
        """From spectra: that of steady isotropic turbulence with this E(k), times -1."""
        def of(s):
            k, e = s["k"], s["E"]
            return SPECTRAL_SKEWNESS * self.nu * float(k ** 4 @ e) / float(k ** 2 @ e) ** 1.5
        return over_files(self.files, of)

    # ---- the spectrum in Kolmogorov's units ----

    def _compensated(self, s):
        """k eta, E k^(5/3) eps^(-2/3), of the dissipation of its own time, without the teeth of shells of few modes."""
        k, width = s["k"], s.width("E")
        length = self.run.case.get("grid.length") or [2 * np.pi] * 3
        e = s["E"] / width * shells.law_over_sum(k, width, length)
        epsilon = 2 * self.nu * float(s["k"] ** 2 @ s["E"])
        with np.errstate(divide="ignore"):
            return k, k * (self.nu ** 3 / epsilon) ** 0.25, e * k ** (5 / 3) / epsilon ** (2 / 3)

    def _mean_compensated(self):
        if not self.files:
            return None
        found = [self._compensated(s) for s in self.files]
        return found[-1][0], np.mean([f[1] for f in found], axis=0), np.array([f[2] for f in found])

    def bottleneck(self):
        """(largest value, its error, count, k eta there); None where the shells do not reach it."""
        found = self._mean_compensated()
        if found is None:
            return None
        k, k_eta, values = found
        seen = (k_eta >= BOTTLENECK[0]) & (k_eta <= BOTTLENECK[1]) & (k >= self._unforced())
        if seen.sum() < 3:
            return None
        at = int(np.argmax(np.where(seen, values.mean(axis=0), -np.inf)))
        return float(values[:, at].mean()), float(error_of(values[:, at])), len(values), float(k_eta[at])

    def _unforced(self):
        """Wavenumber from which shells are free of the force: twice the largest that is forced."""
        c = self.run.case
        largest = max(c.get("forcing.k_range") or [0, 0])
        if not largest:
            largest = c.get("forcing.wavenumber") or 2
        length = c.get("grid.length") or [2 * np.pi]
        return 2 * largest * 2 * np.pi / max(length)

    def compensated(self):
        """Smallest value between the forced shells and the bottleneck: (value, error, count, k there); None where there is no shell."""
        found, peak = self._mean_compensated(), self.bottleneck()
        if found is None or peak is None:
            return None
        k, k_eta, values = found
        seen = (k >= self._unforced()) & (k_eta < peak[3])
        if not seen.any():
            return None
        at = int(np.argmin(np.where(seen, values.mean(axis=0), np.inf)))
        return float(values[:, at].mean()), float(error_of(values[:, at])), len(values), float(k[at])

    def flux(self):
        """Largest Pi/eps of the mean flux."""
        files = [s for s in self.files if "Pi" in s]
        if not files:
            return None
        table = np.array([s["Pi"] / (2 * self.nu * float(s["k"] ** 2 @ s["E"])) for s in files])
        at = int(np.argmax(table.mean(axis=0)))
        return float(table[:, at].mean()), float(error_of(table[:, at])), len(files)

    def third_order(self):
        """Largest -S_3/(eps r) of longitudinal increments, mean over axes and times: (value, error, count, r/eta there)."""
        files = [s for s in self.files if all(f"S_{c}_{a}" in s for c, a in zip("uvw", "xyz"))]
        if not files:
            return None
        at = list(files[-1]["order"]).index(3)
        r = files[-1]["r_x"]
        rows = []
        for s in files:
            if any(len(s[f"r_{a}"]) != len(r) for a in "xyz"):
                return None
            epsilon = 2 * self.nu * float(s["k"] ** 2 @ s["E"])
            rows.append(-np.mean([s[f"S_{c}_{a}"][:, at] / s[f"r_{a}"] for c, a in zip("uvw", "xyz")], axis=0) / epsilon)
        table = np.array(rows)
        best = int(np.argmax(table.mean(axis=0)))
        eta = (self.nu ** 3 / self.epsilon) ** 0.25
        return float(table[:, best].mean()), float(error_of(table[:, best])), len(files), float(r[best] / eta)
