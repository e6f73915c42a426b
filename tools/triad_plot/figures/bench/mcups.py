"""mcups: what iterations for the pressure cost, from files of `triad bench --json`: million cells that a processor takes through
one in a second, by size, on more processors (strong, weak), and of a GPU over a core."""
from collections import defaultdict

from triad_plot.draw import page, style
from triad_plot.figures.bench import scaling
from triad_plot.problem import Absent


def solver_of(bench):
    return bench.data.get("linear_solver") or {}


def rate(bench):
    return float(solver_of(bench)["mcups"])


def way(bench):
    """What must agree for two files to be of one way to solve."""
    moved = f"{solver_of(bench)['bytes_per_cell']:g} bytes"
    return ("GPU" if bench.on_gpu else "CPU", str(bench.data.get("precision", "")), moved)


def best(benches, key):
    """The fastest of each key."""
    out = {}
    for b in benches:
        if key(b) not in out or rate(b) > rate(out[key(b)]):
            out[key(b)] = b
    return out


def lines(benches, key, x):
    """{key: files by growing x} of those that have two x or more."""
    found = defaultdict(list)
    for (name, _), b in sorted(best(benches, lambda b: (key(b), x(b))).items(), key=lambda item: item[0][1]):
        found[name].append(b)
    return {name: group for name, group in found.items() if len(group) > 1}


def by_size(benches):
    fewest = [b for b in benches if b.workers == min(o.workers for o in benches if o.on_gpu == b.on_gpu)]
    return lines(fewest, way, lambda b: b.points)


def strong(benches):
    return lines(benches, lambda b: (b.grid_text(), *way(b)), lambda b: b.workers)


def weak(benches):
    found = lines(benches, lambda b: (round(b.points / b.workers), *way(b)), lambda b: b.workers)
    return {(f"{cells_of(points)} per processor", *rest): group for (points, *rest), group in sorted(found.items())}


def cells_of(points):
    side = round(points**(1 / 3))
    return f"{side}\u00b3" if side**3 == points else f"{points:,} cells"


def ratios(benches):
    """{precision: [(a file of a GPU, its rate over a core's)]} of the same grid, the fastest of one of both."""
    one = best([b for b in benches if b.workers == 1], lambda b: (b.points, *way(b)[:2]))
    out = defaultdict(list)
    for (points, device, precision), b in sorted(one.items()):
        core = one.get((points, "CPU", precision))
        if device == "GPU" and core:
            out[precision].append((b, rate(b) / rate(core)))
    return out


def draw_lines(axis, found, x, efficiency):
    counts = sorted({x(b) for group in found.values() for b in group})
    for i, (name, group) in enumerate(found.items()):
        color = style.COLORS[i % len(style.COLORS)]
        axis.plot([x(b) for b in group], [rate(b) for b in group], marker="o", color=color,
                  linestyle=style.LINES[i % len(style.LINES)], label=", ".join(name))
        if efficiency:
            axis.annotate(f"{100 * rate(group[-1]) / rate(group[0]):.0f} %", (x(group[-1]), rate(group[-1])),
                          textcoords="offset points", xytext=(7, -3), fontsize=9, annotation_clip=False, color=color)
    scaling.ticks(axis, counts)
    finish(axis)


def finish(axis):
    axis.set_ylim(0, (1.12 + 0.09 * len(axis.get_lines())) * axis.get_ylim()[1])  # room for the legend above all lines
    page.legend(axis, fontsize=8.5)


def ticks_of_grids(axis, benches):
    points = sorted({b.points: b.grid_text() for b in benches}.items())
    scaling.ticks(axis, [count for count, _ in points])
    axis.set_xticks([count for count, _ in points], [text for _, text in points])


def draw_sizes(axis, found):
    draw_lines(axis, found, lambda b: b.points, False)
    page.name_axes(axis, "cells", "Mcell-updates/s per processor")
    if len({name[0] for name in found}) > 1:  # a core is not seen beside a GPU but so
        axis.set_yscale("log")
        axis.set_ylim(0.1 * min(rate(b) for group in found.values() for b in group))
        page.label_sparse_decades(axis.yaxis)
    ticks_of_grids(axis, [b for group in found.values() for b in group])
    axis.set_title("by size", loc="left")


def draw_counts(axis, found, title, unit):
    draw_lines(axis, found, lambda b: b.workers, True)
    page.name_axes(axis, unit, "Mcell-updates/s per processor")
    axis.set_title(title, loc="left")


def draw_ratios(axis, found):
    for i, (name, points) in enumerate(found.items()):
        axis.plot([b.points for b, _ in points], [ratio for _, ratio in points], marker="o", label=name,
                  color=style.COLORS[i % len(style.COLORS)])
    ticks_of_grids(axis, [b for points in found.values() for b, _ in points])
    page.name_axes(axis, "cells", "rate of one GPU / rate of one core")
    axis.set_title("GPU over core", loc="left")
    finish(axis)


def draw(benches, options):
    benches = [b for b in benches if solver_of(b)]
    panels = [(draw_sizes, by_size(benches), ())]
    for on_gpu, unit in ((True, "GPUs"), (False, "cores (ranks \u00d7 threads)")):
        alike = [b for b in benches if b.on_gpu == on_gpu]
        panels += [(draw_counts, strong(alike), ("strong scaling: one grid", unit)),
                   (draw_counts, weak(alike), ("weak scaling: equal cells per processor", unit))]
    panels = [panel for panel in (*panels, (draw_ratios, ratios(benches), ())) if panel[1]]
    if not panels:
        raise Absent("mcups requires two or more files of triad bench --json with an iterative pressure solver, on different "
                     "grids or numbers of processors")
    wide, high = 1 if len(panels) == 1 else 2, (len(panels) + 1) // 2
    figure, axes = page.panels(high, wide, width=6.0 if wide == 1 else 10.0, height=3.9 * high)
    for axis, (draw_panel, found, more) in zip(axes.flat, panels):
        draw_panel(axis, found, *more)
    for axis in list(axes.flat)[len(panels):]:
        axis.remove()
    page.title(figure, options.title or "triad bench: iterations of the pressure solver")
    return figure
