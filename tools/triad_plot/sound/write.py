"""Files of the far field: levels.csv, pressure.csv, spectra.csv and far-field.h5."""
import os

import h5py
import numpy as np

from triad_plot.compute import frequency
from triad_plot.whole import written


def table(path, about, columns):
    """A table like series.csv: columns {name: (unit, meaning, values)}."""
    with written(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        for line in about:
            file.write(f"# {line}\n")
        for name, (unit, meaning, _) in columns.items():
            file.write(f"# {name} [{unit}]: {meaning}\n")
        file.write(",".join(columns) + "\n")
        np.savetxt(file, np.column_stack([values for *_, values in columns.values()]), fmt="%.12g", delimiter=",")


def levels(found, observers, reference, band):
    p = found.p.T if band is None else frequency.band(found.p.T, found.dt, *band)
    level, error = frequency.level(p, reference)
    x = observers.x
    at = {f"{a}": ("L", f"position along {a}", x[:, i]) for i, a in enumerate("xyz")}
    return {"observer": ("1", "number of the observer, from 1", np.arange(1, len(x) + 1)), **at,
            "distance": ("L", "from the centre", observers.distance),
            "angle": ("degrees", "from the x axis, downstream", observers.angle),
            "emission_angle": ("degrees", "from the x axis, of the path from the centre in the frame of the medium", found.emission),
            "rms": ("M/(L T^2)", "of the sound pressure", p.std(axis=0)),
            "level": ("dB", "overall sound pressure level", level),
            "level_error": ("dB", f"standard error of level, the larger of those from {frequency.BLOCKS} and {frequency.BLOCKS // 2} blocks of the record", error)}


def write(folder, found, observers, segments, reference, band, about, attributes):
    """The paths of the files, that of levels first."""
    names = [os.path.join(folder, name) for name in ("levels.csv", "pressure.csv", "spectra.csv", "far-field.h5")]
    f, psd = frequency.density(found.p.T, found.dt, segments)
    table_of_levels = levels(found, observers, reference, band)
    pressure, spectra = {}, {"f": ("1/T", "frequency", f)}
    for i in range(len(found.p)):
        pressure[f"t_{i + 1}"] = "T", f"time of reception at observer {i + 1}", found.t[i]
        pressure[f"p_{i + 1}"] = "M/(L T^2)", f"sound pressure at observer {i + 1}", found.p[i]
        spectra[f"psd_{i + 1}"] = "(M/(L T^2))^2 T", f"one-sided power spectral density at observer {i + 1}", psd[:, i]
        spectra[f"level_{i + 1}"] = "dB T", f"the same in dB of the squared reference times the unit of time, at observer {i + 1}", \
            frequency.decibels(psd[:, i], reference)
    table(names[0], about, table_of_levels)
    table(names[1], about, pressure)
    table(names[2], [*about, f"Welch's method: {segments} half-overlapping segments"], spectra)
    with written(names[3]) as temporary, h5py.File(temporary, "w") as file:
        for name, (unit, meaning, values) in table_of_levels.items():
            put(file, f"levels/{name}", values, unit, meaning)
        put(file, "t", found.t, "T", "times of reception (observer, row)")
        put(file, "p", found.p, "M/(L T^2)", "sound pressure (observer, row)")
        put(file, "f", f, "1/T", "frequency")
        put(file, "psd", psd.T, "(M/(L T^2))^2 T", "one-sided power spectral density of p (observer, frequency)")
        for name, value in {**attributes, "reference": reference, "segments": segments}.items():
            file.attrs[name] = value
        file.attrs["about"], file.attrs["how"] = np.bytes_("triad far-field"), "\n".join(about)
    return names


def put(file, name, values, unit, meaning):
    file[name] = values
    file[name].attrs["units"], file[name].attrs["long_name"] = unit, meaning
