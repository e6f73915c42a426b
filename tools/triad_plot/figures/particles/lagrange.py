"""particles: statistics along paths, of the rows of particles/NAME.h5.

--field [GROUP:]WHAT, one of WHAT below; without it, displacement, pairs, structure and acceleration of all groups that have
them; constants.py has those beside published numbers, clusters.py where particles are. Q = -tr(A^2)/2 and R = -tr(A^3)/3 of
A_ij = du_i/dx_j (Chong, Perry and Cantwell 1990, Phys. Fluids A 2, 765).
"""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.particles.clusters import draw_distribution, draw_voronoi
from triad_plot.figures.particles.constants import draw_a0, draw_pairs, draw_richardson, draw_structure
from triad_plot.figures.scales.spectrum import look
from triad_plot.problem import Absent, Problem
from triad_plot.read.particles import derivative

MOST_PATHS = 60


def draw_displacement(axis, run, groups):
    for i, (name, g) in enumerate(groups.items()):
        x = g["position"]
        axis.plot(g.t[1:] - g.t[0], ((x[1:] - x[0])**2).sum(-1).mean(-1), **look(i, i), label=name)
    page.name_axes(axis, "time since the start" + style.unit_text("T"), r"$\langle|X - X_0|^2\rangle$" + style.unit_text("L^2"), log="xy")


def acceleration(group, most=None):
    """[row][particle][3] of all rows but the first and the last, whose times need not be even; of the first `most`."""
    if len(group.t) < 3:
        raise Absent(f"{group.path}: has {len(group.t)} rows; accelerations require three")
    return derivative(group.t, group.part("velocity", slice(None), slice(most)))


def draw_acceleration(axis, run, groups):
    for i, (name, g) in enumerate(groups.items()):
        a = acceleration(g).ravel()
        if not a.std() > 0:
            continue
        count, edges = np.histogram(a / a.std(), bins=81, range=(-12, 12), density=True)
        some = count > 0
        axis.plot((0.5 * (edges[1:] + edges[:-1]))[some], count[some], **look(i, i), label=name)
    x = np.linspace(-4, 4, 200)
    axis.plot(x, np.exp(-x**2 / 2) / np.sqrt(2 * np.pi), color="#777777", linestyle="--", linewidth=1.2, label="normal")
    page.name_axes(axis, "acceleration / rms", "PDF", log="y")


def spectrum(group):
    """omega, E_L(omega) with the sum over omega > 0 times d omega the mean of v_i^2: Hann's window."""
    v, dt = group.even_velocity - group.even_velocity.mean(0), group.interval
    window = np.hanning(len(v))[:, None, None]
    power = (np.abs(np.fft.rfft(v * window, axis=0))**2).mean((1, 2)) * dt / (np.pi * (window**2).sum())
    return 2 * np.pi * np.fft.rfftfreq(len(v), dt), power


def draw_spectrum(axis, run, groups):
    for i, (name, g) in enumerate(groups.items()):
        omega, power = spectrum(g)
        axis.plot(omega[1:], power[1:], **look(i, i), label=name)
    page.name_axes(axis, r"$\omega$" + style.unit_text("1/T"), r"$E_L(\omega)$" + style.unit_text("U^2 T"), log="xy")


def draw_qr(axis, run, groups):
    name, g = next(((n, g) for n, g in groups.items() if "gradient" in g), (None, None))
    if g is None:
        raise Absent(f"{run.path}: no group samples the velocity gradient")
    a = g["gradient"][len(g.t) // 2:].reshape(-1, 3, 3)
    q = -0.5 * np.einsum("nij,nji->n", a, a)
    r = -np.einsum("nij,njk,nki->n", a, a, a) / 3
    scale = np.mean(np.einsum("nij,nij->n", a, a)) / 2
    count, x, y = np.histogram2d(r / scale**1.5, q / scale, bins=80, range=((-4, 4), (-5, 5)))
    shown = axis.pcolormesh(x, y, np.log10(np.where(count > 0, count, np.nan)).T, cmap=style.SEQUENTIAL)
    axis.figure.colorbar(shown, ax=axis, label="log10 of counts")
    line = np.linspace(-4, 4, 400)
    axis.plot(line, -(27 / 4 * line**2)**(1 / 3), color=style.INK, linewidth=1.0)
    axis.set_ylim(-5, 5)
    page.name_axes(axis, r"$R/\langle A^2/2\rangle^{3/2}$", r"$Q/\langle A^2/2\rangle$")


def draw_paths(figure, run, groups):
    """Some paths, coloured by the size of the acceleration; those of the first group."""
    import matplotlib
    from matplotlib import cm, colors
    from mpl_toolkits.mplot3d.art3d import Line3DCollection
    g = next(iter(groups.values()))
    x, a = g.part("position", slice(1, -1), slice(MOST_PATHS)), np.sqrt((acceleration(g, MOST_PATHS)**2).sum(-1))
    norm = colors.Normalize(0, np.quantile(a, 0.98) or 1)
    axis = figure.add_subplot(projection="3d")
    for k in range(x.shape[1]):
        pieces = np.stack([x[:-1, k], x[1:, k]], axis=1)
        axis.add_collection3d(Line3DCollection(pieces, colors=matplotlib.colormaps["inferno"](norm(a[:-1, k])), linewidths=1.0))
    low, high = x.min((0, 1)), x.max((0, 1))
    axis.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), xlabel="x", ylabel="y", zlabel="z")
    axis.set_box_aspect(np.maximum(high - low, 1e-9))
    figure.colorbar(cm.ScalarMappable(norm, "inferno"), ax=axis, label="acceleration" + style.unit_text("L/T^2"), shrink=0.7)


WHAT = {"displacement": draw_displacement, "pairs": draw_pairs, "structure": draw_structure, "acceleration": draw_acceleration,
        "spectrum": draw_spectrum, "qr": draw_qr, "distribution": draw_distribution, "voronoi": draw_voronoi,
        "richardson": draw_richardson, "a0": draw_a0, "paths": draw_paths}
FIRST = ("displacement", "pairs", "structure", "acceleration")
OF_EVEN_TIMES = {"structure", "spectrum", "a0"}
CAPTIONS = {"displacement": "mean squared displacement", "pairs": "squared separation of pairs", "structure": "Lagrangian structure function",
            "acceleration": "accelerations", "spectrum": "Lagrangian spectrum", "qr": "invariants of the velocity gradient", "a0": "variance of accelerations",
            "distribution": "density around particles", "voronoi": "volumes of Voronoi cells", "richardson": "Richardson's law"}


def rows_text(groups):
    """How velocities at even times were made of rows at uneven ones; "" where all rows are at even times."""
    errors = [g.error for g in groups.values() if not g.is_even]
    return f"rows at uneven times, interpolated by cubics: error {100 * max(errors):.1g} %" if errors else ""


def choose(run, field):
    """(WHAT or None, the groups to draw)"""
    groups = run.particles
    if not groups:
        raise Absent(f"{run.path}: has no particles ([[particles]])")
    group, _, what = field.rpartition(":") if field else ("", "", "")
    if what in groups and not group:
        group, what = what, ""
    if group and group not in groups:
        raise Problem(f"{run.path}: no group {group[:80]}; the groups are {', '.join(groups)}")
    if what and what not in WHAT:
        raise Problem(f"--field {what[:80]}: must be one of {', '.join(WHAT)}, or GROUP, or GROUP:NAME")
    return what or None, {group: groups[group]} if group else groups


def draw(runs, options):
    run = runs[0]
    what, groups = choose(run, options.field)
    if what == "paths":
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        matplotlib.rcParams.update(style.RC)
        figure = Figure(figsize=(7.5, 6.0), layout="constrained")
        FigureCanvasAgg(figure)
        draw_paths(figure, run, groups)
    else:
        names, figure, axes = usable(run, groups, (what,) if what else FIRST)
        for name, axis in zip(names, axes.flat):
            WHAT[name](axis, run, groups)
            page.finish_log(axis)
            page.legend(axis)
            if name in OF_EVEN_TIMES and rows_text(groups):
                axis.set_title(rows_text(groups), loc="left", fontsize=9)
        page.describe(figure, "Particles: " + ", ".join(CAPTIONS.get(name, name) for name in names) +
                      (f"; {rows_text(groups)}" if OF_EVEN_TIMES & set(names) and rows_text(groups) else ""))
    page.title(figure, options.title_of(runs))
    return figure


def usable(run, groups, names):
    """Those that the groups have something for, and a figure with a panel each; Absent where there is none."""
    good, why = [], None
    for name in names:
        try:
            WHAT[name](page.one()[1], run, groups)
            good.append(name)
        except Absent as absent:
            why = absent
    if not good:
        raise why
    columns = 2 if len(good) > 1 else 1
    figure, axes = page.panels((len(good) + 1) // 2, columns, width=5.5 * columns, height=3.8 * ((len(good) + 1) // 2))
    for axis in list(axes.flat)[len(good):]:
        axis.set_visible(False)
    return good, figure, axes
