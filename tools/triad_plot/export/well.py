"""The layout of The Well: HDF5 files of trajectories in data/train, valid and test, stats.yaml, and a description.

Its format: data_format.md of github.com/PolymathicAI/the_well, as its check_thewell_formatting.py and its loader read it.
"""
import os
import re

import h5py
import numpy as np

from triad_plot.export import statistics
from triad_plot.export.source import EVEN
from triad_plot.problem import USAGE, Problem

SPLITS = ("train", "valid", "test")
TABLES = ("equations.", "forcing.", "initial.", "boundaries.", "parameters.")   # keys that may be parameters of a simulation
# names of fields here and in The Well
NAMES = {"p": "pressure", "rho": "density", "theta": "buoyancy", "u": "velocity_x", "v": "velocity_y", "w": "velocity_z"}
PAGE, PAGED = 8 << 20, 256 << 20   # bytes: the page that the loader of The Well reads; files that are worth it


# ---- parameters ----

def numbers_of(case):
    """{key: number} of a case; a vector as key_1, key_2, .."""
    found = {}
    for key, value in case.items():
        if not key.startswith(TABLES) or key.endswith("seed"):
            continue
        for i, one in enumerate(value if isinstance(value, list) else [value], 1):
            if isinstance(one, (int, float)) and not isinstance(one, bool):
                found[f"{key}_{i}" if isinstance(value, list) else key] = float(one)
    return found


def parameters_of(sources):
    """Keys that distinguish the runs, and keys of the equations that their cases set: {key: name}, and those that vary."""
    all_numbers = [numbers_of(source.case) for source in sources]
    keys = sorted(set().union(*all_numbers))
    vary = [key for key in keys if len({one.get(key) for one in all_numbers}) > 1]
    given = [key for key in keys if key.startswith("equations.") and any(re.sub(r"_\d+$", "", key) in s.run.given or key in s.run.given for s in sources)]
    last = [key.split(".")[-1] for key in keys]
    names = {key: key.split(".")[-1] if last.count(key.split(".")[-1]) == 1 else key.replace(".", "_") for key in keys}
    return {key: names[key] for key in keys if key in vary or key in given}, vary


# ---- splits ----

def shares(count, parts):
    """How many of `count` trajectories each split has: at least one each where there are three."""
    out = [count * part // sum(parts) for part in parts]
    for i, part in enumerate(parts):
        if part and not out[i] and count >= 3:
            out[i] = 1
    out[0] = count - out[1] - out[2]
    return out


def split(groups, parts):
    """{split: [[source, ..] of each group]}: by whole runs; runs that are alone with their parameters are split among them."""
    found = {name: [[] for _ in groups] for name in SPLITS}

    def assign(members):
        bounds = np.cumsum(shares(len(members), parts))
        for i, (number, source) in enumerate(members):
            found[SPLITS[int(np.searchsorted(bounds, i, side="right"))]][number].append(source)
    small = []
    for number, members in enumerate(groups):
        if len(members) >= 3:
            assign([(number, source) for source in members])
        else:
            small += [(number, source) for source in members]
    assign(small)
    return found


# ---- one file ----

def varying(item, sample, time):
    item.attrs["sample_varying"], item.attrs["time_varying"] = np.bool_(sample), np.bool_(time)


def put_names(item, attribute, names):
    item.attrs.create(attribute, np.array(list(names), dtype=object), shape=(len(names),), dtype=h5py.string_dtype())


def fields_of(source):
    """[(name, order, components)]: scalars, then vectors."""
    vectors, single = source.vectors()
    return [(NAMES.get(name, name), 0, [name]) for name in single] + [(name, 1, parts) for name, parts in vectors]


def put_dimensions(file, source):
    group = file.create_group("dimensions")
    put_names(group, "spatial_dims", source.axes)
    varying(group.create_dataset("time", data=source.t.astype(np.float32)), False, True)
    for axis in source.axes:
        varying(group.create_dataset(axis, data=source.coordinates["xyz".index(axis)].astype(np.float32)), False, False)


def put_boundaries(file, source):
    group = file.create_group("boundary_conditions")
    for axis in source.axes:
        ends = source.ends[axis]
        for kind in dict.fromkeys(ends):
            item = group.create_group(f"{axis}_{kind.lower()}")
            item.attrs["bc_type"] = kind
            put_names(item, "associated_dims", [axis])
            put_names(item, "associated_fields", [])
            varying(item, False, False)
            mask = np.zeros(len(source.coordinates["xyz".index(axis)]), bool)
            mask[0], mask[-1] = ends[0] == kind, ends[1] == kind
            item.create_dataset("mask", data=mask)


def put_scalars(file, parameters, source):
    group, numbers = file.create_group("scalars"), numbers_of(source.case)
    put_names(group, "field_names", parameters.values())
    put_names(file, "simulation_parameters", parameters.values())
    for key, name in parameters.items():
        value = np.float32(numbers.get(key, np.nan))
        file.attrs[name] = value
        varying(group.create_dataset(name, data=value), False, False)


def turned(values, source):
    """[z][y][x] as x, y, z without axes of one point."""
    values = np.transpose(values, (2, 1, 0))
    return values.reshape([size for size in values.shape if size > 1])


def put_fields(file, members, seen):
    """All fields of all trajectories; `seen`, Statistics or None, gets every value that is written."""
    first = members[0]
    shape = tuple(size for size in first.n[::-1] if size > 1)
    groups = [file.create_group(f"t{order}_fields") for order in range(3)]
    fields = fields_of(first)
    for order, group in enumerate(groups):
        put_names(group, "field_names", [name for name, rank, _ in fields if rank == order])
    for name, order, parts in fields:
        size = (*shape, *[len(parts)] * order)
        item = groups[order].create_dataset(name, (len(members), len(first.t), *size), np.float32, chunks=(1, 1, *size))
        varying(item, True, True)
        item.attrs["dim_varying"] = np.ones(len(shape), bool)
        for n, source in enumerate(members):
            for i in range(len(source.t)):
                values = [turned(source.read(i, part), source) for part in parts]
                values = (np.stack(values, axis=-1) if order else values[0]).astype(np.float32)
                item[n, i] = values
                if seen is not None:
                    seen.add(name, values, order, begins=i == 0)


def write_file(path, name, members, parameters, seen):
    first, bytes_of = members[0], 4 * len(members) * len(members[0].t) * int(np.prod(members[0].n)) * len(members[0].names)
    paged = {"fs_strategy": "page", "fs_page_size": PAGE} if bytes_of > PAGED else {}
    with h5py.File(path, "w", **paged) as file:
        file.attrs["dataset_name"], file.attrs["grid_type"] = name, "cartesian"
        file.attrs["n_spatial_dims"], file.attrs["n_trajectories"] = len(first.axes), len(members)
        put_dimensions(file, first)
        put_boundaries(file, first)
        put_scalars(file, parameters, first)
        put_fields(file, members, seen)


# ---- all ----

def check(sources):
    """All runs have one grid and the same fields and a constant interval."""
    first = sources[0]
    for source in sources:
        if source.n != first.n or fields_of(source) != fields_of(first) or source.ends != first.ends:
            raise Problem(f"{source.path}: its grid, fields or boundaries differ from those of {first.path}: The Well requires one kind a data set; "
                          "use --grid and --fields, or separate data sets")
        if not source.evenly:
            raise Problem(f"{source.path}: its points are not evenly spaced, and The Well's cartesian grids are")
        if len(source.t) < 2:
            raise Problem(f"{source.path}: has one time of fields; a trajectory needs at least two (output.fields_interval)")
        source.interval


def check_times(members):
    first = members[0]
    for source in members[1:]:
        if len(source.t) != len(first.t) or np.abs(source.t - first.t).max() > EVEN * first.interval:
            raise Problem(f"{source.path}: its times of fields differ from those of {first.path}, with the same parameters; "
                          "select common ones with --from and --to")


def text_of(value):
    return f"{value:.6g}"


def write(folder, sources, options):
    """Fill an empty folder; lines to print."""
    check(sources)
    parameters, vary = parameters_of(sources)
    found = {}
    for source in sources:
        numbers = numbers_of(source.case)
        found.setdefault(tuple(numbers.get(key) for key in vary), []).append(source)
    groups, name = list(found.values()), options.name
    files = ["_".join([name, *(f"{parameters[key]}_{text_of(value)}" for key, value in zip(vary, values) if value is not None)]) for values in found]
    if len(set(files)) < len(files):
        files = [f"{one}_{i + 1}" for i, one in enumerate(files)]
    splits, seen, out = split(groups, options.split), statistics.Statistics(), []
    for part in SPLITS:
        os.makedirs(os.path.join(folder, "data", part))
        for stem, members in zip(files, splits[part]):
            if members:
                check_times(members)
                write_file(os.path.join(folder, "data", part, f"{stem}.hdf5"), name, members, parameters, seen if part == "train" else None)
        out.append(f"{part}: {sum(map(len, splits[part]))} trajectories in {sum(map(bool, splits[part]))} files")
        if not any(splits[part]):
            out.append(f"warning: {part} is empty: {len(sources)} runs with these parameters are too few for {','.join(map(str, options.split))}")
    put_text(os.path.join(folder, "stats.yaml"), seen.yaml())
    out += [f"warning: {line}" for line in seen.small()]
    put_text(os.path.join(folder, f"{name}.yaml"), description(name, sources, groups, parameters))
    put_text(os.path.join(folder, "README.md"), card(name, sources, parameters, vary, splits))
    return out


def put_text(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def description(name, sources, groups, parameters):
    first = sources[0]
    fields = fields_of(first)
    lines = [f"dataset_name: {name}", f"n_spatial_dims: {len(first.axes)}",
             f"spatial_resolution: {[size for size in first.n[::-1] if size > 1]}",
             "scalar_names: []",
             f"constant_scalar_names: {listed(parameters.values())}", "field_names:"]
    lines += [f"  {order}: {listed([one for one, rank, _ in fields if rank == order])}" for order in range(3)]
    lines += ["constant_field_names:", *(f"  {order}: []" for order in range(3)),
              f"boundary_condition_types: {listed(sorted({end for axis in first.axes for end in first.ends[axis]}))}",
              f"n_files: {len(groups)}", f"n_trajectories_per_file: {[len(members) for members in groups]}",
              f"n_steps_per_trajectory: {[len(members[0].t) for members in groups]}", "grid_type: cartesian"]
    return "\n".join(lines) + "\n"


def listed(words):
    return "[" + ", ".join(words) + "]"


def card(name, sources, parameters, vary, splits):
    first = sources[0]
    filtered = f"filtered from {first.own[2]} to {first.n[2]} points along x by dropping all modes that this grid cannot represent" \
        if first.n != first.own else "unfiltered"
    lines = [f"# {name}", "", f"Computed with Triad, solver {first.run.solver or 'unknown'}, case {first.run.case_name}.", "",
             f"- Grid: {' x '.join(str(size) for size in first.n[::-1] if size > 1)} points, {filtered}.",
             f"- Fields: {', '.join(one for one, _, _ in fields_of(first))}; float32.",
             f"- Times: {len(first.t)}, from t = {first.t[0]:g} to {first.t[-1]:g}, every {first.interval:g}.",
             *(f"- {parts}: {sum(map(len, splits[parts]))} trajectories." for parts in SPLITS),
             f"- Parameters: {', '.join(parameters.values()) or 'none'}; varied: {', '.join(parameters[key] for key in vary) or 'none'}.", "",
             "| run | split |", "| --- | --- |"]
    lines += [f"| {os.path.basename(os.path.realpath(source.path))} | {part} |" for part in SPLITS for members in splits[part] for source in members]
    return "\n".join(lines) + "\n"


def parse_split(text):
    try:
        parts = [int(word) for word in text.split(",")]
    except ValueError:
        parts = []
    if len(parts) != 3 or min(parts) < 0 or not parts[0]:
        raise Problem(f"--split {text[:80]}: must be three whole numbers, such as 80,10,10, of which the first is not 0", USAGE)
    return parts
