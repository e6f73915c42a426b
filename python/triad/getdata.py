"""getData: the call of the Johns Hopkins turbulence databases, for a run on this disk."""
import os

import numpy as np

from triad import stencils, values
from triad.errors import FeatureError, InputError, UsageError
from triad.tables import frame_of

VECTORS = {"velocity": (("u", "v", "w"), "u"), "magneticfield": (("bx", "by", "bz"), "b")}
# names in files of fields, the first that there is; the symbol in the header
SCALARS = {"pressure": (("pressure", "p"), "p"), "temperature": (("temperature", "T", "theta"), "\u03b8"), "density": (("rho", "density"), "\u03c1")}
SERIES = (-999.9, -999.9)   # of option: no series
PART = 1 << 22              # values that are gathered at once
AXES = "xyz"
PAIRS = ("xx", "xy", "xz", "yy", "yz", "zz")


def names_of(variable, fields):
    """([(field, symbol)]) of a variable, by the fields that there are."""
    if variable in VECTORS:
        parts, symbol = VECTORS[variable]
        found = [(part, symbol + axis) for part, axis in zip(parts, AXES)]
    elif variable in SCALARS:
        several, symbol = SCALARS[variable]
        found = [(next((name for name in several if name in fields), several[0]), symbol)]
    else:
        found = [(variable, variable)]
    for name, _ in found:
        if name not in fields:
            raise InputError(f"variable {variable!r}: the files have no {name}; they have {', '.join(sorted(fields))}: output.fields lists what is written")
    return found


def columns_of(symbol, operator):
    """[(name of the column, derivative along x, y, z)]"""
    if operator == "field":
        return [(symbol, (0, 0, 0))]
    if operator == "gradient":
        return [(f"d{symbol}d{axis}", tuple(int(a == axis) for a in AXES)) for axis in AXES]
    if operator == "hessian":
        return [(f"d2{symbol}d{a}d{b}", tuple((a == axis) + (b == axis) for axis in AXES)) for a, b in PAIRS]
    return [(f"grad2{symbol}", None)]


class Grid:
    """Points of files of fields: origin, spacing, number and period along x, y, z."""

    def __init__(self, dataset, case):
        axes = [dataset._scales.get(axis) for axis in AXES]
        if any(axis is None for axis in axes):
            raise UsageError(f"{dataset.path}: not a file of fields at points x, y, z")
        if dataset.attrs.get("stretched", 0):
            raise FeatureError(f"{dataset.path}: its points are not evenly spaced, which getData requires")
        whole = "part_of" not in dataset.attrs
        self.path, self.n = dataset.path, [len(axis) for axis in axes]
        self.origin, self.length = [float(axis[0]) for axis in axes], [float(x) for x in dataset.attrs["length"]]
        self.spacing = [length / n for length, n in zip(self.length, self.n)]
        self.periodic = [whole and all(end == "periodic" for end in case.get(f"boundaries.{axis}") or []) for axis in AXES]
        if dataset.notes.get("shear_skew", 0):   # they repeat at another x
            self.periodic[1] = False

    def stencil(self, axis, method, x, order):
        """(indices [point, weight], weights), or the value itself along an axis of one point."""
        if self.n[axis] == 1:
            return np.zeros((len(x), 1), int), np.full((len(x), 1), float(order == 0))
        first, weight = stencils.weights(method, (x - self.origin[axis]) / self.spacing[axis], order)
        index = first[:, None] + np.arange(weight.shape[1])
        if self.periodic[axis]:
            return index % self.n[axis], weight / self.spacing[axis] ** order
        outside = np.flatnonzero((index < 0).any(axis=1) | (index >= self.n[axis]).any(axis=1))
        if len(outside):
            raise UsageError(f"point {outside[0]}: {AXES[axis]} = {x[outside[0]]:g} is too near to an end of {self.path} for {method}, which needs "
                             f"{weight.shape[1]} points along each axis")
        return index, weight / self.spacing[axis] ** order


def interpolate(field, grid, method, points, orders):
    """Derivatives of a field [z, y, x] at points [point, 3]; orders: those along x, y, z."""
    size = np.prod([1 if n == 1 else stencils.weights(method, np.zeros(1), 0)[1].shape[1] for n in grid.n])
    out, step = np.empty(len(points)), max(1, int(PART // size))
    for begin in range(0, len(points), step):
        part = points[begin:begin + step]
        (ix, wx), (iy, wy), (iz, wz) = (grid.stencil(axis, method, part[:, axis], orders[axis]) for axis in range(3))
        some = field[iz[:, :, None, None], iy[:, None, :, None], ix[:, None, None, :]]
        out[begin:begin + step] = np.einsum("pzyx,pz,py,px->p", some, wz, wy, wx, optimize=True)
    return out


def pchip(t, times, four):
    """At t between the middle two of four times: the cubic that the databases use."""
    t0, t1, t2, t3 = times
    f0, f1, f2, f3 = four
    slope = (f2 - f1) / (t2 - t1)
    d1, d2 = (slope + (f1 - f0) / (t1 - t0)) / 2, ((f3 - f2) / (t3 - t2) + slope) / 2
    dt = t2 - t1
    return f1 + d1 * (t - t1) + (slope - d1) / dt * (t - t1) ** 2 + (d1 + d2 - 2 * slope) / dt**2 * (t - t1) ** 2 * (t - t2)


def files_at(run, files, t, temporal):
    """Numbers of the files of fields around a time: the nearest one, or four."""
    times = files.t
    if temporal == "none":
        files.nearest(t)   # an error if there are no files
        return [int(np.argmin(np.abs(times - t)))], times
    after = int(np.searchsorted(times, t, side="right"))
    after = min(after, len(times) - 2) if len(times) and t <= times[-1] else after
    if after < 2 or after > len(times) - 2:
        raise InputError(f"time {t:g}: pchip requires two files of fields before it and two after it; {run.path} has t = "
                         + ", ".join(f"{one:g}" for one in times[:6]) + (", .." if len(times) > 6 else ""))
    return list(range(after - 2, after + 2)), times


def of_fields(run, files, variable, t, temporal, method, operator, points):
    """{column: values} from files of fields."""
    which, times = files_at(run, files, t, temporal)
    grid, out = Grid(files[which[0]], run.case), {}
    for name, symbol in names_of(variable, set(files[which[0]])):
        fields = [np.asarray(files[i][name][...]) for i in which]
        for column, orders in columns_of(symbol, operator):
            several = [orders] if orders is not None else [(2, 0, 0), (0, 2, 0), (0, 0, 2)]
            found = [sum(interpolate(field, grid, method, points, one) for one in several) for field in fields]
            out[column] = found[0] if len(found) == 1 else pchip(t, times[which], found)
    return out


def of_modes(run, variable, t, temporal, operator, points):
    """{column: values} from the modes of a checkpoint, exactly."""
    if temporal != "none":
        raise UsageError("temporal method pchip: fourier sums the modes of one checkpoint; use none")
    if not len(run.checkpoints):
        raise InputError(f"{run.path} has no checkpoints, which fourier requires (output.checkpoint_interval, output.keep)")
    checkpoint = run.checkpoints.nearest(t)
    pairs = names_of(variable, {*checkpoint, "pressure"})
    out = {}
    for name, symbol in pairs:
        if operator == "field":
            out[symbol] = checkpoint.at(points, name)[name]
        elif operator == "gradient":
            found = checkpoint.at(points, f"gradient={name}")
            out.update({f"d{symbol}d{axis}": found[f"d{name}_d{axis}"] for axis in AXES})
        else:
            found = checkpoint.at(points, f"hessian={name}")
            second = {pair: found[f"d2{name}_d{pair[0]}d{pair[1]}"] for pair in PAIRS}
            if operator == "hessian":
                out.update({f"d2{symbol}d{pair[0]}d{pair[1]}": column for pair, column in second.items()})
            else:
                out[f"grad2{symbol}"] = second["xx"] + second["yy"] + second["zz"]
    return out


def times_of(time, option):
    """The times of a series, [time_end, delta_t], or the one time."""
    end, step = (float(one) for one in option)
    if (end, step) == SERIES:
        return [time]
    if not (step > 0 and end >= time):
        raise UsageError(f"option = [{end:g}, {step:g}]: must be [time_end, delta_t], with time_end not before time and delta_t above 0")
    return [time + i * step for i in range(int(np.floor((end - time) / step * (1 + 1e-12))) + 1)]


def getData(dataset, variable, time, temporal_method, spatial_method, spatial_operator, points, option=SERIES, verbose=False):
    """Values of a variable at points, by the call of giverny, the package of the Johns Hopkins turbulence databases.

    dataset: a triad.Run, or its path. variable: velocity, magneticfield, pressure, temperature, density, or a field of the files.
    time: of the flow. temporal_method: none (the nearest file), pchip. spatial_method: none, lag4, lag6, lag8, m1q4, m2q8, m2q14;
    fd4noint, fd6noint, fd8noint, fd4lag4; or fourier: the sum over the modes of the nearest checkpoint. spatial_operator: field, gradient,
    hessian, laplacian. points: [point, 3]; periodic axes continue beyond the box. option: [time_end, delta_t] for a series.
    Returns a list with a DataFrame for each time (a structured array without pandas), with the columns of giverny: ux, duxdy, ..
    """
    from triad import runs
    run = dataset if isinstance(dataset, runs.Run) else runs.open(os.fspath(dataset))
    points = np.asarray(values.numbers("points", points, np.float64), np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise UsageError(f"points must be finite numbers [point, 3], not {points.shape}")
    if temporal_method not in ("none", "pchip"):
        raise UsageError(f"temporal method {temporal_method!r}: must be none or pchip")
    if spatial_method != "fourier" or spatial_operator not in stencils.METHODS:
        stencils.check(spatial_method, spatial_operator)
    out, files = [], run.fields
    for t in times_of(float(time), option):
        if spatial_method == "fourier":
            found = of_modes(run, variable, t, temporal_method, spatial_operator, points)
        else:
            found = of_fields(run, files, variable, t, temporal_method, spatial_method, spatial_operator, points)
        table = np.empty(len(points), [(name, np.float64) for name in found])
        for name, column in found.items():
            table[name] = column
        out.append(frame_of(table, {}))
        if verbose:
            print(f"getData: {variable}, {spatial_operator} by {spatial_method}, {temporal_method} at t = {t:g}: {len(points)} points")
    return out
