"""residual: how far a steady flow has come, the residual of each equation against steps."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent

ROUNDING = 1e-12   # of momentum across a plane there is no more


def words_of(name):
    """residual_x: x momentum."""
    what = style.words_of(name).replace("residual ", "")
    return f"{what} momentum" if what in ("x", "y", "z") else what


def draw(runs, options):
    figure, axis = page.one()
    several = len(runs) > 1
    for i, run in enumerate(runs):
        s = run.series
        names = [name for name in s.columns if name.startswith("residual_") and np.any(s[name] > ROUNDING)]
        if not names or "step" not in s:
            raise Absent(f"{s.path}: has no residuals, because the run is not steady")
        inside = options.rows(s)
        for j, name in enumerate(names[:1] if several else names):
            steps, y = s["step"][inside], s[name][inside]
            seen = np.isfinite(y) & (y > 0)
            label = run.label if several else words_of(name)
            axis.plot(*page.thin(steps[seen], y[seen]), color=style.COLORS[(i if several else j) % len(style.COLORS)],
                      linestyle=style.LINES[(i if several else j) % len(style.LINES)], label=label)
    page.name_axes(axis, "step", "mass residual / initial" if several else "residual / initial", log="y")
    page.finish_log(axis)
    page.legend(axis)
    page.title(figure, options.title_of(runs))
    return figure
