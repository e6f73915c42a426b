"""sound: levels against the angle, and spectra, of what triad far-field has written into RUN/far-field."""
import os

import numpy as np

from triad_plot.compute import frequency
from triad_plot.draw import page, style
from triad_plot.problem import Absent
from triad_plot.read import hdf5

MOST_SPECTRA = 6
DIGITS = 6        # of angles and of distances: observers that agree in them are one point of the figure


def read(run):
    path = run / "far-field/far-field.h5"
    if not os.path.exists(path):
        raise Absent(f"{run.path}: has no far-field/far-field.h5; triad far-field {run.path} makes it")

    def what(file):
        names = ("angle", "distance", "rms", "level_error")
        return {**{name: file[f"levels/{name}"][:] for name in names}, "f": file["f"][:], "psd": file["psd"][:],
                "reference": float(file.attrs["reference"])}
    return hdf5.read(path, what)


def by_angle(found):
    """Groups of observers at the same angle and distance: [(angle, distance, level, error, psd)], levels of the mean square."""
    places = {}
    for i, place in enumerate(zip(found["distance"], found["angle"])):
        places.setdefault(tuple(float(f"{a:.{DIGITS}g}") for a in np.round(place, DIGITS)), []).append(i)
    out = []
    for (distance, angle), group in sorted(places.items()):
        level = frequency.decibels(np.mean(found["rms"][group]**2), found["reference"])
        out.append((angle, distance, float(level), float(found["level_error"][group].mean()), found["psd"][group].mean(axis=0)))
    return out


def draw(runs, options):
    figure, axes = page.panels(2, 1, height=7.0)
    for i, run in enumerate(runs):
        found = read(run)
        groups = by_angle(found)
        distances = sorted({group[1] for group in groups})
        for j, distance in enumerate(distances):
            angle, level, error = np.array([(group[0], group[2], group[3]) for group in groups if group[1] == distance]).T
            axes[0, 0].errorbar(angle, level, error, color=style.COLORS[(i + j) % len(style.COLORS)], marker="o", markersize=4, capsize=2,
                                linestyle=style.LINES[i % len(style.LINES)],
                                label=f"{run.label}, " * (len(runs) > 1) + f"distance {distance:.4g}")
        some = groups if len(runs) == 1 else groups[len(groups) // 2:len(groups) // 2 + 1]
        picked = [some[k] for k in np.unique(np.linspace(0, len(some) - 1, min(MOST_SPECTRA, len(some))).astype(int))]
        for j, (angle, _, _, _, psd) in enumerate(picked):
            axes[1, 0].plot(found["f"], frequency.decibels(psd, found["reference"]), color=style.COLORS[(i + j) % len(style.COLORS)],
                            label=f"{run.label}, " * (len(runs) > 1) + f"{angle:.4g} degrees")
    page.name_axes(axes[0, 0], "angle from the x axis, degrees", "overall level  [dB]")
    page.name_axes(axes[1, 0], f"frequency{style.unit_text('1/T')}", "spectral density  [dB T]", log="x")
    page.finish_log(axes[1, 0])
    for axis in axes[:, 0]:
        page.legend(axis)
    page.describe(figure, "overall sound pressure levels against the angle, with standard errors, and spectra")
    page.title(figure, options.title_of(runs))
    return figure
