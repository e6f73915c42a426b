"""ladder: what each measure is worth: cell-steps a second and processor of files of `triad bench --json` in their order, a panel for
those of one grid on as many processors, each beside the first of its panel."""
from triad_plot.draw import page, style

MILLION = 1e-6
MOST_ROWS = 40


def own_time(bench):
    """Of one core its processor time, which others on the machine take nothing from [s]; None: what counts is the wall clock's."""
    return None if bench.on_gpu or bench.workers > 1 else bench.data.get("processor_s")


def rate(bench):
    """Million cells that a processor takes through a step in a second."""
    return MILLION * bench.cells / ((own_time(bench) or bench.median) * bench.workers)


def spread(bench):
    """From the quartiles of the wall clock's times: how far below and above the rate."""
    if own_time(bench):
        return 0.0, 0.0
    return tuple(MILLION * bench.cells / bench.workers * abs(1 / quarter - 1 / bench.median) for quarter in (bench.q3, bench.q1))


def place(bench):
    """What files of a panel have in common."""
    unit = "GPU" if bench.on_gpu else "core"
    device = f" ({bench.data['device']})" if bench.on_gpu else ""
    name = f"{bench.case_name}, " if bench.case_name else ""
    return f"{name}{bench.grid_text()}, {bench.workers} {unit}{'s' if bench.workers > 1 else ''}{device}"


def by_place(benches):
    """{place: numbers of its files}, in the order in which they come."""
    out = {}
    for i, b in enumerate(benches):
        out.setdefault(place(b), []).append(i)
    return out


def setting_text(key, value):
    """`riemann = roe` of `equations.riemann="roe"`."""
    return f"{key.split('.')[-1]} = {value}"


def labels_of(benches):
    """What the command line said of each file of a panel and not of all of them."""
    same = set.intersection(*(set(b.settings.items()) for b in benches))
    return [", ".join(setting_text(*item) for item in b.settings.items() if item not in same) or "as in the case"
            for b in benches]


def rate_text(value):
    return f"{value:.0f}" if value >= 100 else style.number(value)


def ratio_text(value):
    return f"{value:.2f}" if value < 9.95 else f"{value:.0f}"


def draw_panel(axis, benches, labels, color):
    rates = [rate(b) for b in benches]
    apart = list(zip(*map(spread, benches)))
    axis.barh(range(len(benches)), rates, height=0.62, color=color, xerr=apart if any(map(any, apart)) else None,
              error_kw={"ecolor": style.INK, "elinewidth": 1, "capsize": 2})
    top = max(r + s for r, s in zip(rates, apart[1]))
    for i, r in enumerate(rates):
        beside = f"{rate_text(r)}   \u00d7 {ratio_text(r / rates[0])}" if len(rates) > 1 else rate_text(r)
        axis.text(r + apart[1][i] + 0.01 * top, i, beside, va="center", fontsize=9)
    axis.set_yticks(range(len(benches)), labels)
    axis.set_ylim(len(benches) - 0.5, -0.5)
    axis.set_xlim(0, 1.25 * top)
    axis.grid(False, axis="y")


def draw(benches, options):
    panels = by_place(benches)
    rows = [len(numbers) for numbers in panels.values()]
    figure, axes = page.panels(len(panels), 1, width=8.4, height=0.9 + sum(0.75 + 0.32 * n for n in rows),
                               gridspec_kw={"height_ratios": [n + 1 for n in rows]})
    for i, (name, numbers) in enumerate(panels.items()):
        some = [benches[k] for k in numbers]
        labels = [options.labels[k] for k in numbers] if options.labels else labels_of(some)
        draw_panel(axes[i, 0], some, labels, style.COLORS[i % len(style.COLORS)])
        axes[i, 0].set_title(name, loc="left", fontsize=10)
    page.name_axes(axes[-1, 0], "Mcell-steps/s per processor", "")
    page.describe(figure, "cell-steps per second and processor; ratios are relative to the first bar of each panel")
    kinds = {b.what() for b in benches}
    page.title(figure, options.title or "triad bench" + (f": {kinds.pop()}" if len(kinds) == 1 else ""))
    return figure
