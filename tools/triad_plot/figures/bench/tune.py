"""tune: total and phases of a step against nstreams; a line for the CPUs where the table has one."""
from collections import defaultdict

from triad_plot.draw import page, style
from triad_plot.problem import Absent
from triad_plot.read.records import name_of_phase, phases_of

ON_CPU = "(cpu)"


def by_transport(rows):
    """{transport: its rows by nstreams, the fastest of each}, with the threads of the first row: others are another sweep."""
    out = defaultdict(dict)
    for row in rows:
        if row.transport == ON_CPU or row.threads != rows[0].threads:
            continue
        best = out[row.transport].get(row.nstreams)
        if best is None or row.total < best.total:
            out[row.transport][row.nstreams] = row
    return {name: [found[n] for n in sorted(found)] for name, found in out.items()}


def main_of(found):
    """The transport whose phases are shown: that of most counts, then the fastest."""
    return max(found, key=lambda name: (len(found[name]), -min(row.total for row in found[name])))


def draw_phases(axis, rows, scale):
    for j, phase in enumerate(phases_of(rows), start=1):
        axis.plot([r.nstreams for r in rows], [scale * r.phases.get(phase, 0) for r in rows], label=name_of_phase(phase), marker=".",
                  color=style.COLORS[j % len(style.COLORS)], linestyle=style.LINES[j % len(style.LINES)], linewidth=1.3)


def draw_cpu(axis, total, top, unit):
    """A line, or words only where it would squeeze all else against the axis."""
    if total < 2 * top:
        axis.axhline(total, color=style.INK, linestyle="--", linewidth=1, label="step on the CPUs")
    else:
        axis.plot([], [], linestyle="none", label=f"(on CPUs: {style.number(total)} {unit})")


def draw(files, options):
    rows = [row for file in files for row in file]
    found = by_transport(rows)
    if not found or max(map(len, found.values())) < 2:
        raise Absent("tune requires two or more values of nstreams, from triad tune or from several files of triad bench --json")
    figure, axis = page.one(width=7.6)
    scale, unit = (1e3, "ms") if max(r.total for r in rows if r.transport != ON_CPU) < 1 else (1.0, "s")
    main = main_of(found)
    for name in sorted(found, key=lambda n: n != main):
        some = found[name]
        axis.plot([r.nstreams for r in some], [scale * r.total for r in some], label=f"step ({name})", linewidth=2.4,
                  marker="o" if name == main else "s", color=style.COLORS[0] if name == main else style.INK,
                  linestyle="-" if name == main else ":")
    draw_phases(axis, found[main], scale)
    top = max(scale * r.total for some in found.values() for r in some)
    for row in (r for r in rows if r.transport == ON_CPU):
        draw_cpu(axis, scale * row.total, top, unit)
    counts = sorted({r.nstreams for some in found.values() for r in some})
    axis.set_xscale("log", base=2)
    axis.set_xticks(counts, [str(n) for n in counts])
    axis.minorticks_off()
    axis.set_ylim(bottom=0)
    page.name_axes(axis, "chunks in flight, nstreams", f"time  [{unit}]")
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    page.title(figure, options.title or "time per step against nstreams")
    return figure
