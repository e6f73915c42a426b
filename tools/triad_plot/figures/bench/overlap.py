"""overlap: parts of an iteration of the pressure solver, from files of `triad bench --json`: a bar for each grid, number of processors and
device; the caption has the numbers, and the time that overlap of inner cells with messages saves."""
from collections import defaultdict

from triad_plot.draw import page, style
from triad_plot.figures.bench.mcups import solver_of
from triad_plot.problem import Absent

# parts of an iteration as the files name them, in their order
PARTS = (("copies", "packing"), ("interior", "inner cells"), ("messages", "messages"), ("boundary_planes", "planes next to other ranks"),
         ("sums", "sums"))
HATCH = ("", "", "//", "\\\\", "..")
MICRO = 1e6


def iteration(bench):
    """Of the steps as a run takes them [us]."""
    s = solver_of(bench)
    return MICRO * float(s["solve_s"]) * float(s["solves_per_step"]) / float(s["iterations_per_step"])


def parts(bench):
    """[us] of each part, one after the other."""
    s = solver_of(bench)
    return [MICRO * float(s["parts_s"].get(name, 0.0)) / float(s["iterations_per_step"]) for name, _ in PARTS]


def rows(benches):
    """Files that tell parts, alike but for the overlap: [(one of them, its parts, with overlap [us], without)], None where there is
    no such file; of several the fastest."""
    found = defaultdict(dict)
    for b in benches:
        if not solver_of(b).get("parts_s"):
            continue
        key = (b.on_gpu, b.points // b.workers, b.workers, str(b.data.get("precision", "")), b.grid_text())
        on = bool(solver_of(b).get("overlap"))
        old = found[key].get(on)
        if old is None or iteration(b) < iteration(old):
            found[key][on] = b
    out = []
    for _, both in sorted(found.items()):
        times = [iteration(both[on]) if on in both else None for on in (True, False)]
        shown = both.get(True) or both[False]
        out.append((shown, parts(shown), *times))
    return out


def label(bench):
    unit = "GPU" if bench.on_gpu else "core"
    precision = "" if bench.data.get("precision") == "double" else f", {bench.data.get('precision')}"
    return f"{bench.grid_text()}, {bench.workers} {unit}{'s' if bench.workers > 1 else ''}{precision}"


def number(value):
    return "" if value is None else f"{value:.0f}" if value >= 99.5 else f"{value:.1f}"


def table_of(found):
    """Words of the table: a header, and a row each."""
    head = ["us per iteration", *(name for _, name in PARTS), "sum of parts", "run with overlap", "run without", "saved"]
    body = []
    for b, each, on, off in found:
        saved = f"{round(100 * (1 - on / off))} %" if on and off else ""
        body.append([label(b), *(number(v) for v in each), number(sum(each)), number(on), number(off), saved])
    return head, body


def draw_bars(axis, found):
    left = [0.0] * len(found)
    total = [sum(each) for _, each, _, _ in found]
    for j, (_, name) in enumerate(PARTS):
        share = [100 * each[j] / all_ for (_, each, _, _), all_ in zip(found, total)]
        axis.barh(range(len(found)), share, left=left, height=0.62, color=style.COLORS[j % len(style.COLORS)], edgecolor="white",
                  linewidth=0.6, hatch=HATCH[j], label=name)
        left = [a + b for a, b in zip(left, share)]
    axis.set_yticks(range(len(found)), [label(b) for b, *_ in found])
    axis.set_ylim(len(found) - 0.5, -0.5)
    for i, all_ in enumerate(total):
        axis.text(101, i, f"{number(all_)} us", va="center", fontsize=9)
    axis.set_xlim(0, 100)
    axis.grid(False, axis="y")
    page.name_axes(axis, "time per part of an iteration, without overlap  [%]", "")
    axis.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0), ncol=5, frameon=False, fontsize=8.5, columnspacing=1.0, handlelength=1.2)


def draw(benches, options):
    found = rows(benches)
    if not found:
        raise Absent("overlap requires files of triad bench --json with the parts of an iteration of the pressure solver")
    figure, axis = page.one(width=10.0, height=1.8 + 0.42 * len(found))
    draw_bars(axis, found)
    page.describe(figure, "parts of an iteration of the pressure solver, and the time that overlap saves: "
                  + "; ".join(" | ".join(row) for row in table_of(found)[1]))
    page.title(figure, options.title or "triad bench: parts of an iteration of the pressure solver")
    return figure
