"""compensated: E(k) k^(5/3) eps^(-2/3) against k eta; with a magnetic field E(k) k^(3/2) (eps B)^(-1/2).

eps, eta: dissipation and kolmogorov_scale of series.csv at the time of the spectrum; B^2 = |B0|^2 + 2 E_b, the mean
square of the magnetic field. Kolmogorov 1941; Iroshnikov 1964 and Kraichnan 1965, Phys. Fluids 8, 1385.
"""
import math

from triad_plot import page, style
from triad_plot.problem import Absent
from triad_plot.spectrum import at_text, curve, label_of, last, pick


def is_magnetic(run, s):
    return "E_magnetic" in s


def scales(run, s):
    """(factor of E(k) k^p, eta) at the time of the spectrum, or None where eps or eta is not a positive number."""
    eps, eta = run.scale_of("dissipation", s.t), run.scale_of("kolmogorov_scale", s.t)
    if not (eps > 0 and eta > 0 and math.isfinite(eps) and math.isfinite(eta)):
        return None
    if not is_magnetic(run, s):
        return eps ** (-2 / 3), eta
    mean = run.case.get("equations.mean_field") or [0.0]
    square = sum(b * b for b in mean) + 2 * float(s["E_magnetic"].sum())
    return (1 / math.sqrt(eps * math.sqrt(square)), eta) if square > 0 else None


def chosen(runs, options):
    """(run, file, label, colour, line style) of each curve."""
    if len(runs) > 1:
        return [(run, s, label_of(run, s), style.COLORS[i % len(style.COLORS)], style.LINES[i % len(style.LINES)])
                for i, (run, s) in enumerate((run, last(run.spectra, options)) for run in runs)]
    files = [s for s in pick(runs[0].spectra, options) if scales(runs[0], s)]
    return [(runs[0], s, f"$t$ = {style.number(s.t)}", color, "-") for s, color in zip(files, style.in_time(len(files)))]


def draw(runs, options):
    figure, axis = page.one()
    page.name_axes(axis, "", "", log="xy")
    tops, magnetic = [], False
    for run, s, label, color, dash in chosen(runs, options):
        found = scales(run, s)
        k, e = curve(s, "E")
        if not found or len(k) < 2:
            continue
        magnetic = is_magnetic(run, s)
        y = e * k ** (1.5 if magnetic else 5 / 3) * found[0]
        tops.append(y.max())
        axis.plot(k * found[1], y, color=color, linestyle=dash, label=label)
    if not tops:
        raise Absent(f"{runs[0].path}: nothing to compensate with: no time at which there are spectra, dissipation and "
                     "kolmogorov_scale")
    low, high = axis.get_ylim()
    axis.set_ylim(max(low, 1e-4 * max(tops)), 2 * max(tops))
    label = r"$E(k)\,k^{3/2}\,(\varepsilon B)^{-1/2}$" if magnetic else r"$E(k)\,k^{5/3}\,\varepsilon^{-2/3}$"
    page.name_axes(axis, r"$k\,\eta$", label)
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs) + at_text(runs, options))
    return figure
