"""scaling: files of `triad bench --json` on different numbers of cores or GPUs, strong and weak, with the ideal line."""
from collections import defaultdict

from triad_plot.draw import page, style
from triad_plot.problem import Absent


def groups(benches, key):
    """Those of equal key that hold two or more different counts of workers, by count."""
    found = defaultdict(list)
    for b in benches:
        found[(b.kind(), key(b))].append(b)
    out = []
    for members in found.values():
        best = {}
        for b in members:
            if b.workers not in best or b.median < best[b.workers].median:
                best[b.workers] = b
        if len(best) > 1:
            out.append([best[w] for w in sorted(best)])
    return out


def strong_groups(benches):
    return groups(benches, lambda b: tuple(b.grid))


def weak_groups(benches):
    """The same points for each worker, each within 5 % of the next: the grids then differ."""
    each = sorted(benches, key=lambda b: b.points / b.workers)
    steps = [b.points / b.workers > 1.05 * a.points / a.workers for a, b in zip(each, each[1:])]
    size = {id(b): sum(steps[:i]) for i, b in enumerate(each)}
    return [g for g in groups(benches, lambda b: size[id(b)]) if len({b.points for b in g}) > 1]


def ticks(axis, counts):
    axis.set_xscale("log", base=2)
    axis.set_xticks(counts, [str(c) for c in counts])
    axis.minorticks_off()
    axis.set_xlim(counts[0] / 2 ** 0.2, counts[-1] * 2 ** 0.35)  # room for what mcups writes beside the last point


def name_of(bench, all_groups):
    """What tells it from the other lines: its case where there are several, else the solver."""
    flows = {g[0].flow() for g in all_groups}
    text = bench.flow_text() if len(flows) > 1 else bench.what()
    return text if len(flows) < 2 or bench.data.get("precision") != "single" else f"{text}, single"


def draw_strong(axis, found, everything):
    counts = sorted({b.workers for g in found for b in g})
    for i, g in enumerate(found):
        first = g[0]
        x = [b.workers for b in g]
        y = [first.median / b.median * first.workers for b in g]
        low = [y[j] - first.median / b.q3 * first.workers for j, b in enumerate(g)]
        high = [first.median / b.q1 * first.workers - y[j] for j, b in enumerate(g)]
        axis.errorbar(x, y, yerr=[[max(0, v) for v in low], [max(0, v) for v in high]], marker="o", capsize=3,
                      color=style.COLORS[i % len(style.COLORS)], linestyle=style.LINES[i % len(style.LINES)],
                      label=f"{first.grid_text()}, {name_of(first, everything)}: {100 * y[-1] / x[-1]:.0f} %")
    axis.plot(counts, counts, color="#777777", linestyle=":", label="ideal")
    ticks(axis, counts)
    axis.set_yscale("log", base=2)
    axis.set_yticks(counts, [str(c) for c in counts])
    axis.set_title("strong scaling: one grid", loc="left")


def points_each(bench):
    return bench.grid_text() if bench.workers == 1 else f"{bench.points // bench.workers:,} points"


def draw_weak(axis, found, everything):
    counts = sorted({b.workers for g in found for b in g})
    for i, g in enumerate(found):
        first = g[0]
        x, y = [b.workers for b in g], [first.median / b.median for b in g]
        low = [y[j] - first.median / b.q3 for j, b in enumerate(g)]
        high = [first.median / b.q1 - y[j] for j, b in enumerate(g)]
        axis.errorbar(x, y, yerr=[[max(0, v) for v in low], [max(0, v) for v in high]], marker="o", capsize=3,
                      color=style.COLORS[i % len(style.COLORS)], linestyle=style.LINES[i % len(style.LINES)],
                      label=f"{points_each(first)} per processor, {name_of(first, everything)}: {100 * y[-1]:.0f} %")
    axis.axhline(1.0, color="#777777", linestyle=":", label="ideal")
    ticks(axis, counts)
    axis.set_ylim(0, max(1.15, axis.get_ylim()[1]))
    axis.set_title("weak scaling: equal points per processor", loc="left")


def draw(benches, options):
    strong, weak = strong_groups(benches), weak_groups(benches)
    kinds = [(draw_strong, strong, "speed-up"), (draw_weak, weak, "time on fewest processors / time")]
    kinds = [kind for kind in kinds if kind[1]]
    if not kinds:
        raise Absent("scaling requires two or more files of triad bench --json on different numbers of ranks or threads, with one "
                     "grid (strong scaling) or equal points per core or GPU (weak scaling)")
    figure, axes = page.panels(1, len(kinds), width=max(6.0, 5.2 * len(kinds)))
    for axis, (draw_kind, found, label) in zip(axes[0], kinds):
        draw_kind(axis, found, strong + weak)
        page.name_axes(axis, "GPUs" if benches[0].on_gpu else "cores (ranks \u00d7 threads)", label)
        page.legend(axis, fontsize=8.5)
    page.title(figure, options.title or "triad bench: scaling")
    return figure
