"""phases: the time of a step by phase, a bar for each file of `triad bench --json`."""
from triad_plot.draw import page, style
from triad_plot.read.records import name_of_phase, phases_of

HATCH = ("", "//", "", "\\\\", "", "..")


def label_of(bench, options, i):
    text = f"{bench.grid_text()}\n{bench.layout()}"
    return options.labels[i] if i < len(options.labels) else text


def draw(benches, options):
    n = len(benches)
    figure, axis = page.one(height=1.9 + 0.62 * n)
    scale, unit = (1e3, "ms") if max(b.median for b in benches) < 1 else (1.0, "s")
    names = phases_of(benches)
    for j, phase in enumerate(names):
        start = [scale * sum(b.phases.get(p, 0) for p in names[:j]) for b in benches]
        axis.barh(range(n), [scale * b.phases.get(phase, 0) for b in benches], left=start, height=0.62,
                  color=style.COLORS[j % len(style.COLORS)], label=name_of_phase(phase), edgecolor="white", linewidth=0.6,
                  hatch=HATCH[j % len(HATCH)])
    for i, b in enumerate(benches):
        axis.errorbar(scale * b.median, i, xerr=[[scale * (b.median - b.q1)], [scale * (b.q3 - b.median)]], fmt="|",
                      color=style.INK, markersize=16, capsize=3, linewidth=1.2,
                      label="median, quartiles" if i == 0 else None)
    axis.set_yticks(range(n), [label_of(b, options, i) for i, b in enumerate(benches)])
    axis.set_ylim(n - 0.5, -0.5)
    axis.set_xlim(left=0)
    axis.grid(False, axis="y")
    page.name_axes(axis, f"time per step  [{unit}]", "")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center" if page.legends_go_outside() else
                  "lower center", ncol=7 if len(names) < 8 else 4, frameon=False, fontsize=9, columnspacing=1.2, handlelength=1.4)
    if not page.legends_go_outside():
        page.leave_room_below(figure)
    page.title(figure, options.title or f"triad bench:  {benches[0].what()}")
    return figure
