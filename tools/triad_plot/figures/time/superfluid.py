"""gpe: the parts of the energy of a superfluid against time."""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.problem import Absent

PARTS = ("energy", "incompressible_energy", "compressible_energy", "quantum_energy", "interaction_energy")


def draw(runs, options):
    figure, axes = page.panels(1, len(runs), width=max(7.0, 5.0 * len(runs)), sharey=True)
    for run, axis in zip(runs, axes[0]):
        s = run.series
        if "quantum_energy" not in s:
            raise Absent(f"{s.path}: has no column quantum_energy, which only solver gpe writes")
        inside = options.rows(s)
        for j, name in enumerate(name for name in PARTS if name in s):
            t, y = page.thin(s.t[inside], s[name][inside])
            axis.plot(t, y, color=style.COLORS[j], linestyle=style.LINES[j], label=style.name_of(name))
        page.name_axes(axis, f"$t${style.unit_text('T')}",
                       f"energy{style.unit_text(s.unit('energy'))}" if axis is axes[0, 0] else "")
        if np.all(s["energy"] >= 0):
            axis.set_ylim(bottom=0)
        if len(runs) > 1:
            axis.set_title(run.label, loc="left")
    page.legend(axes[0, 0])
    page.title(figure, options.title_of(runs))
    return figure
