"""Dedalus: an HDF5 file of a handler, tasks (write, [component,] x, y, z) on the points of a periodic box."""
import os

import h5py
import numpy as np

from triad_plot.moving.start import Start, array_of
from triad_plot.problem import FEATURE, MISSING, USAGE, Problem
from triad_plot.read import hdf5

VECTORS = {"u": ("u", "v", "w"), "b": ("bx", "by", "bz")}
GUESSES = ("u", "velocity", "vel", "v")
EVEN = 1e-6


def mapping_of(text):
    """{"u": "velocity", ..} of --map."""
    found = {}
    for word in filter(None, (text or "").split(",")):
        name, equals, task = word.partition("=")
        if not equals or not task or not (name in ("u", "b", "theta", "buoyancy") or name.startswith("scalar") and name[6:].isdecimal()):
            raise Problem(f"--map {word[:60]}: must be u=TASK, b=TASK, theta=TASK, buoyancy=TASK or scalarN=TASK", USAGE)
        found[name.strip()] = task.strip()
    return found


def axes_of(item, rank):
    """Coordinates along each axis of a task; Problem where they are not those of a periodic box."""
    found = []
    for dim in list(item.dims)[1 + rank:]:
        scales = [dim[i] for i in range(len(dim))]
        grid = next((scale for scale in scales if scale.ndim == 1), None)
        label = dim.label or (grid.name if grid is not None else "?")
        if grid is None or dim.label.startswith("k"):
            raise Problem(f"{item.file.filename}: {item.name}: axis {label} has coefficients, not grid points; in Dedalus use layout=\"g\"")
        if dim.label == "constant" or len(grid) == 1:
            found.append((label, np.zeros(1)))
            continue
        x = array_of(grid).astype(float)
        steps = np.diff(x)
        if np.abs(steps - steps.mean()).max() > EVEN * abs(steps.mean()):
            raise Problem(f"{item.file.filename}: {item.name}: points along {label} are not evenly spaced: that is no Fourier axis, and Triad's "
                          "spectral solvers are periodic along each axis", FEATURE)
        found.append((label, x))
    return found


def task_of(file, name):
    item = file.get(f"tasks/{name}")
    if not isinstance(item, h5py.Dataset):
        have = ", ".join(file["tasks"]) if "tasks" in file else ""
        raise Problem(f"{file.filename}: tasks/{name} is missing; the tasks are {have or 'none'}: name them by --map u=TASK", MISSING)
    space = np.atleast_1d(item.attrs.get("grid_space", True))
    if not np.all(space):
        raise Problem(f"{file.filename}: tasks/{name} has coefficients, not values at grid points; in Dedalus use layout=\"g\"")
    return item


def turned(values):
    """x, y, z, or x, y, or x as [z][y][x]."""
    while values.ndim < 3:
        values = values[..., None]
    return np.ascontiguousarray(values.transpose(2, 1, 0))


def vertical(names):
    """Is the last of two axes the vertical one?"""
    return len(names) == 2 and names[-1] == "z"


def put_vector(start, item, write, parts, names):
    values = array_of(item, write)
    if values.shape[0] != values.ndim - 1 and values.shape[0] != 3:
        raise Problem(f"{item.file.filename}: {item.name} has {values.shape[0]} components in {values.ndim - 1} dimensions, and is no vector of the box")
    fields = [turned(one) for one in values] + [None] * (3 - values.shape[0])
    if vertical(names) and values.shape[0] == 2:   # x and z
        fields = [fields[0], None, fields[1]]
    for part, field in zip(parts, fields):
        field = np.zeros_like(fields[0]) if field is None else field
        start.field(part, field.transpose(1, 0, 2) if vertical(names) else field, item.file.filename)


def put_grid(start, axes):
    names, n = [label for label, _ in axes], [len(x) for _, x in axes]
    lengths = [float(len(x) * (x[1] - x[0])) if len(x) > 1 else None for _, x in axes]
    lengths += [None] * (3 - len(lengths))
    if vertical(names):
        lengths = [lengths[0], None, lengths[1]]
    some = [length for length in lengths if length]
    if not some:
        raise Problem("the task has no axis with more than one point")
    start.set("grid.length", [length or min(some) for length in lengths])
    for label, x in axes:
        if len(x) > 1 and abs(x[0]) > EVEN * len(x) * (x[1] - x[0]):
            start.changed.append(f"{label} began at {x[0]:g}; here it begins at 0.")
    return names, n


def look(file, options, mapping):
    if "tasks" not in file or "scales" not in file:
        raise Problem(f"{file.filename}: tasks or scales is missing; an HDF5 file of a handler of Dedalus is required")
    if os.path.splitext(file.filename)[0].endswith("_p0"):
        raise Problem(f"{file.filename}: is the part of one process; merge the parts first: dedalus.tools.post.merge_analysis")
    name = mapping.get("u") or next((guess for guess in GUESSES if guess in file["tasks"]), GUESSES[0])
    item = task_of(file, name)
    times = array_of(file["scales/sim_time"])
    write = len(times) - 1 if options.write is None else options.write - 1
    if not 0 <= write < len(times):
        raise Problem(f"--write-number {options.write}: {file.filename} has {len(times)} writes", USAGE)
    start = Start("Dedalus", os.path.basename(file.filename))
    start.t = float(times[write])
    axes = axes_of(item, 1)
    names, _n = put_grid(start, axes)
    stratified = [one for one in ("theta", "buoyancy") if one in mapping]
    if len(stratified) > 1 or stratified and "b" in mapping:
        raise Problem(f"--map: {', '.join(stratified)}{' and b' * ('b' in mapping)} exclude each other: Triad has no such equations", FEATURE)
    if stratified == ["buoyancy"] and not options.buoyancy_frequency:
        raise Problem("--map buoyancy=TASK requires --buoyancy-frequency N above 0: theta is -buoyancy/N", USAGE)
    solver = "mhd" if "b" in mapping else "boussinesq" if stratified else "hd"
    put_vector(start, item, write, VECTORS["u"], names)
    if "b" in mapping:
        put_vector(start, task_of(file, mapping["b"]), write, VECTORS["b"], names)
    scalars = sorted(field for field in mapping if field.startswith("scalar"))
    if scalars != [f"scalar{i + 1}" for i in range(len(scalars))]:
        raise Problem(f"--map: scalars must be scalar1, scalar2, .. without gaps, not {', '.join(scalars)}", USAGE)
    for field in stratified + scalars:
        values = turned(array_of(task_of(file, mapping[field]), write))
        if field == "buoyancy":
            field, values = "theta", -values / options.buoyancy_frequency
            start.changed.append("theta is -buoyancy/N, in units of velocity: dw/dt = .. - N theta, dtheta/dt = .. + N w.")
        start.field(field, values.transpose(1, 0, 2) if vertical(names) else values, file.filename)
    put_case(start, solver, options, scalars)
    dt = float(file["scales/timestep"][write]) if "scales/timestep" in file else 0.0
    start.lost.append(f"Parameters and the end of the run: Dedalus's files do not contain them. time.end = 1 is a guess; its last step was {dt:g}.")
    rest = sorted(set(file["tasks"]) - {name, *mapping.values()})
    if rest:
        start.lost.append(f"Tasks {', '.join(rest)}: name fields of the state by --map.")
    return start


def put_case(start, solver, options, scalars):
    start.set("equations.solver", solver)
    for key, value in (("viscosity", options.viscosity), ("resistivity", options.resistivity if solver == "mhd" else None),
                       ("diffusivity", options.diffusivity if solver == "boussinesq" else None),
                       ("buoyancy_frequency", options.buoyancy_frequency if solver == "boussinesq" else None)):
        start.set(f"equations.{key}", value)
    if options.viscosity is None:
        start.lost.append("The viscosity: give it by --viscosity, or in case.toml; without it the flow is inviscid.")
    if scalars:
        start.set("equations.scalars", [options.diffusivity or 0.0] * len(scalars))
    start.set("grid.truncation", "box")
    start.set("time.end", 1.0)


def read_run(options):
    if len(options.files) != 1:
        raise Problem("triad import dedalus requires one HDF5 file of a handler; triad import --help", USAGE)
    mapping = mapping_of(options.map)
    return hdf5.read(options.files[0], lambda file: look(file, options, mapping))
