"""structure: structure functions mean |d|^p of increments, and where eps is known the law of S_3, -S_3/(eps r) = 4/5.

Longitudinal ones (u along x, v along y, w along z) and their mean over the axes where separations agree; numerics eq.
(24). Kolmogorov 1941, Dokl. Akad. Nauk SSSR 32, 16.
"""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.scales.spectrum import label_of
from triad_plot.problem import Absent

LONGITUDINAL = ("u_x", "v_y", "w_z")


def names_in(s, options, head="S_abs_"):
    """The pairs FIELD_AXIS to draw, as "u_x"."""
    if options.field:
        if head + options.field not in s:
            have = sorted(n[len(head):] for n in s.data if n.startswith(head))
            raise Absent(f"{s.path}: has no {head}{options.field}" + (f"; the datasets are {', '.join(have)}" if have else ""))
        return [options.field]
    return [n for n in LONGITUDINAL if head + n in s]


def newest(run, options, head):
    """The file to draw of those that hold a dataset whose name begins with `head`."""
    files = [s for s in run.spectra if any(n.startswith(head) for n in s.data)]
    if not files:
        raise Absent(f"{run.path}: its spectra have no {head}*: output.structure_functions, output.increment_pdfs, or "
                     "triad spectra --structure log --pdf 101 --dir DIR")
    return last_of(files, options)


def last_of(files, options):
    return files[-1] if options.at is None else min(files, key=lambda s: abs(s.t - options.at))


def moments(s, names, head):
    """r, orders, [r][order]: the mean over the names that share their separations with the first."""
    r = s["r_" + names[0][-1]]
    tables = [s[head + n] for n in names if np.array_equal(s["r_" + n[-1]], r)]
    keep = r > 0
    return r[keep], s["order"], np.mean(tables, axis=0)[keep]


def draw_orders(axis, s, names, label, color=None, only=None):
    r, orders, table = moments(s, names, "S_abs_")
    colors = style.in_time(len(orders))
    for j, p in enumerate(orders):
        if only is None or p == only:
            axis.plot(r, table[:, j], color=color or colors[j], marker="." if len(r) < 30 else None,
                      label=label or f"p = {p:g}")
    return r


def draw_law(axis, s, names, eps):
    r, orders, table = moments(s, names, "S_")
    three = np.nonzero(orders == 3)[0]
    axis.plot(r, -table[:, three[0]] / (eps * r), color=style.COLORS[0], marker="." if len(r) < 30 else None,
              label=r"$-S_3/(\varepsilon r)$")
    axis.axhline(0.8, color="#777777", linestyle="--", linewidth=1.2, label="4/5")
    axis.set_xscale("log")
    axis.set_ylim(bottom=min(0.0, axis.get_ylim()[0]), top=max(0.9, axis.get_ylim()[1]))
    page.name_axes(axis, f"$r${style.unit_text('L')}", "")
    page.finish_log(axis)
    page.legend(axis)


def has_law(run, s, names):
    """The law is that of a velocity alone, of which all three components are there."""
    return (len(names) == 3 and "S_u_x" in s and "E_magnetic" not in s and "E_potential" not in s
            and run.scale_of("dissipation", s.t) > 0)


def draw(runs, options):
    files = [newest(run, options, "S_abs_") for run in runs]
    names = [names_in(s, options) for s in files]
    if not all(names):
        raise Absent(f"{files[0].path}: has no longitudinal structure functions; --field selects another")
    law = len(runs) == 1 and has_law(runs[0], files[0], names[0])
    figure, axes = page.panels(1, 2 if law else 1, width=10.0 if law else 7.0)
    axis = axes[0, 0]
    page.name_axes(axis, "", "", log="xy")
    several = len(runs) > 1
    for i, (run, s) in enumerate(zip(runs, files)):
        draw_orders(axis, s, names[i], label_of(run, s) if several else None,
                    style.COLORS[i % len(style.COLORS)] if several else None, 2 if several else None)
    what = options.field.replace("_", " along ") if options.field else "longitudinal"
    page.name_axes(axis, f"$r${style.unit_text('L')}",
                   (r"$S_2$" if several else r"$S_p^\mathrm{abs}$") + f", {what}" +
                   style.unit_text("U^2" if several else "") + ("" if several else "  [U$^p$]"))
    page.finish_log(axis)
    page.legend(axis)
    if law:
        draw_law(axes[0, 1], files[0], names[0], runs[0].scale_of("dissipation", files[0].t))
    page.title(figure, options.title_of(runs) + ("" if several else f"   t = {style.number(files[0].t)}"))
    return figure
