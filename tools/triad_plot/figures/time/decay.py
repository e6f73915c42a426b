"""decay: turbulence that decays in a box, beside that behind a grid: energy, exponent, large-eddy scale and Reynolds number."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent

# Comte-Bellot and Corrsin (1971, J. Fluid Mech. 48, 273), behind a grid of mesh M in a wind U0; the flow that de Bruyn Kops and
# Riley (1998, Phys. Fluids 10, 2125) computed: t [M/U0], u' [m/s], dissipation [m^2/s^3]
MESH_TIME = 0.0508 / 10
TUNNEL = np.array([[42, 0.222, 0.474], [98, 0.128, 0.0633], [171, 0.0895, 0.0174]])


def tunnel():
    """Their energy over the first, at times in units of the first energy/dissipation."""
    energy = 1.5 * TUNNEL[:, 1]**2
    turn = energy[0] / TUNNEL[0, 2]
    return (TUNNEL[:, 0] - TUNNEL[0, 0]) * MESH_TIME / turn, energy / energy[0]


def begins(run, options):
    """--from, else five units of time after the solids were released, or at their release where the run is shorter, else when most is
    dissipated."""
    s = run.series
    if np.isfinite(options.t_from):
        return options.t_from
    release = run.case.get("solids.release") or 0.0
    if 0 < release < s.t[-1]:
        return release + 5 if release + 5 < s.t[-1] else release
    return float(s.t[np.argmax(s["dissipation"])])


def exponent(t, energy, dissipation):
    """n of energy ~ (t - t0)^-n, whatever t0: energy/dissipation = (t - t0)/n, whose slope is over a tenth of the time before
    and after."""
    scale = energy / dissipation
    out = np.full(len(t), np.nan)
    for i, now in enumerate(t):
        near = np.abs(t - now) <= 0.1 * now
        if near.sum() >= 3:
            slope = np.polyfit(t[near] - now, scale[near], 1)[0]
            out[i] = 1 / slope if slope > 0 else np.nan
    return out


def of_run(run, options):
    s = run.series
    for name in ("energy", "dissipation", "large_eddy_scale", "large_eddy_reynolds"):
        s[name]  # Absent where it has none
    begin = begins(run, options)
    some = (s.t >= begin - 1e-9) & (s.t <= options.t_to) & (s["dissipation"] > 0) & (s["energy"] > 0)
    if some.sum() < 3:
        raise Absent(f"{run.path}: fewer than three rows with dissipation after t = {begin:g}")
    return s.t[some], {name: column[some] for name, column in s.columns.items()}


def draw_energy(axis, found, runs):
    x, y = tunnel()
    for i, (run, (t, s)) in enumerate(zip(runs, found)):
        turn = s["energy"][0] / s["dissipation"][0]
        axis.plot(1 + (t - t[0]) / turn, s["energy"] / s["energy"][0], color=style.COLORS[i], linestyle=style.LINES[i],
                  label=run.label)
    axis.plot(1 + x, y, "o", color=style.INK, markerfacecolor="white", label="grid turbulence (CBC 1971)")
    page.name_axes(axis, r"$1 + (t - t_1)\,\varepsilon_1/E_1$", r"$E/E_1$", "xy")
    page.legend(axis)
    page.finish_log(axis)


def draw_column(axis, found, values, label, unit=""):
    for i, (t, s) in enumerate(found):
        axis.plot(t, values(t, s), color=style.COLORS[i], linestyle=style.LINES[i])
    page.name_axes(axis, f"$t${style.unit_text('T')}", label + style.unit_text(unit))


def draw(runs, options):
    found = [of_run(run, options) for run in runs]
    strained = any(np.any(s.get("production", 0)) for _, s in found)
    figure, axes = page.panels(3 if strained else 2, 2, width=9.0, height=9.0 if strained else 6.4)
    draw_energy(axes[0, 0], found, runs)
    draw_column(axes[0, 1], found, lambda t, s: exponent(t, s["energy"], s["dissipation"]), r"decay exponent $n$")
    axes[0, 1].axhspan(1.1, 1.3, color=style.FAINT, zorder=0)
    axes[0, 1].set_ylim(0, 3)
    draw_column(axes[1, 0], found, lambda t, s: s["large_eddy_scale"], r"large-eddy scale $u'^3/\varepsilon$", "L")
    draw_column(axes[1, 1], found, lambda t, s: s["large_eddy_reynolds"], "large-eddy Reynolds number")
    if strained:
        draw_column(axes[2, 0], found, lambda t, s: s["dissipation"], style.name_of("dissipation"), "U^2/T")
        draw_column(axes[2, 1], found, lambda t, s: s["production"], "production", "U^2/T")
        axes[2, 0].set_yscale("log")
        page.finish_log(axes[2, 0])
    page.describe(figure, "decay of the energy compared with grid turbulence, its exponent, the large-eddy scale and its "
                          "Reynolds number")
    page.title(figure, options.title_of(runs))
    return figure
