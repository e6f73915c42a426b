"""Probes: fields at fixed points against time, of probes.csv, or of the files of a mesh's named probes."""
import os
import re

import numpy as np

from triad.datasets import Held, listed, times_text
from triad.tables import Series, frame_of
from triad.raising import raises_errors

COLUMN = re.compile(r"(.+)_(\d+)")
PLACE = re.compile(r"(.*) at \(([^()]*)\)")


class Probes(Held):
    """Fields at points: a mapping of names to Variables [t, point]; t, step [row]; position [point, 3].

    shape: of the lattice of points of a line or a cylinder, along it and around it."""

    def __init__(self, path, t, step, position, arrays, shape=None):
        self.position, self.steps = position, step
        self.shape = tuple(shape) if shape is not None else (len(position),)
        super().__init__(path, t, times_text(t, "rows"), arrays, {"t": t})
        self.step = step

    @property
    def array(self):
        """A structured array with a row for each time and point: t, point, x, y, z and the fields."""
        n, m = len(self.t), len(self.position)
        out = np.empty((n, m), [("t", float), ("point", np.int64), *((a, float) for a in "xyz"), *((name, float) for name in self)])
        out["t"], out["point"] = self.t[:, None], np.arange(m)
        for i, a in enumerate("xyz"):
            out[a] = self.position[:, i]
        for name in self:
            out[name] = self[name].values
        return out.ravel()

    @property
    def frame(self):
        """The same as a pandas.DataFrame; without pandas the structured array."""
        return frame_of(self.array, {name: self[name].unit for name in self})

    def __repr__(self):
        n = len(self.position)
        return f"<{self.path}: {n} point{'s' * (n != 1)}, {self.when}: {listed(self)}>"


def of_table(path):
    """probes.csv: columns u_1, v_1, .. of the first point, and so on."""
    series = Series(path)
    columns, places = {}, {}
    for name in series.names:
        found, said = COLUMN.fullmatch(name), PLACE.fullmatch(series.meanings.get(name, ""))
        if found and said:
            columns.setdefault(found[1], {})[int(found[2])] = name
            places[int(found[2])] = [float(x) for x in said[2].split(",")], said[1]
    points = sorted(places)
    arrays = {}
    for field, of_point in columns.items():
        first = of_point[min(of_point)]
        values = np.stack([series[of_point[p]] if p in of_point else np.full(len(series), np.nan) for p in points], axis=1)
        arrays[field] = values, ("t", "point"), series.units.get(first, ""), PLACE.fullmatch(series.meanings[first])[1]
    step = series["step"].astype(np.int64) if "step" in series else np.full(len(series), -1)
    position = np.array([places[p][0] for p in points]).reshape(-1, 3)
    return Probes(path, series.t, step, position, arrays)


@raises_errors
def of_files(paths):
    """Files NAME-STEP.h5 of one name in the order of their steps. Where one begins before the end of the one before, it counts."""
    from triad_plot.read import hdf5
    parts = [hdf5.read(path, lambda file: (file["t"][:], file["x"][:], [int(n) for n in file.attrs["shape"]],
                                           {n: (item[:], hdf5.text_of(item, "units"), hdf5.text_of(item, "long_name"))
                                            for n, item in file.items() if n not in ("t", "x") and item.ndim == 2}))
             for path in paths]
    kept = [t < min((later[0][0] for later in parts[i + 1:] if len(later[0])), default=np.inf) for i, (t, *_) in enumerate(parts)]
    t = np.concatenate([part[0][rows] for part, rows in zip(parts, kept)])
    arrays = {name: (np.concatenate([part[3][name][0][rows] for part, rows in zip(parts, kept)]), ("t", "point"), *about[1:])
              for name, about in parts[-1][3].items()}
    path = paths[-1] if len(paths) == 1 else os.path.join(os.path.dirname(paths[-1]), os.path.basename(paths[-1]).rpartition("-")[0] + "-*.h5")
    return Probes(path, t, np.full(len(t), -1), parts[-1][1], arrays, parts[-1][2])
