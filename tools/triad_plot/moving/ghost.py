"""GHOST (github.com/pmininni/GHOST): binaries without a header, [z][y][x] with x fastest, and the namelists of parameter.inp.

Its equations, as include/*_rkstep2.f90 has them: dw/dt = .. - N xmom theta and dtheta/dt = .. + N xtemp w, as Triad's with xmom =
xtemp = 1; b = curl a; the force is code in initialfv.f90, of which the namelists have the amplitude only.
"""
import os
import re

import numpy as np

from triad_plot.moving import namelist
from triad_plot.moving.start import Start, curl, remaining
from triad_plot.problem import FEATURE, MISSING, USAGE, Problem

FILE = re.compile(r"([a-z][a-z0-9_]*?)(?:\.(\d{3,}))?\.(\d{3,})\.out")
# solvers of GHOST: that of Triad, rotation?, uniform field?, Hall term?
SOLVERS = {"HD": ("hd", ""), "PHD": ("hd", ""), "MPHD": ("hd", ""), "ROTH": ("hd", "r"), "PROTH": ("hd", "r"), "MPROTH": ("hd", "r"),
           "BOUSS": ("boussinesq", ""), "ROTBOUSS": ("boussinesq", "r"), "MPROTBOUSS": ("boussinesq", "r"), "MHD": ("mhd", ""), "MHDB": ("mhd", "b"),
           "RMHDB": ("mhd", "rb"), "HMHD": ("mhd", "h"), "HMHDB": ("mhd", "bh"), "GPE": ("gpe", "")}
VELOCITY, POTENTIAL, FIELD, WAVE = ("vx", "vy", "vz"), ("ax", "ay", "az"), ("bx", "by", "bz"), ("phi_re", "phi_im")


# ---- binaries ----

def sort_files(paths):
    """{field: [paths of its slabs in order]}, and the number in their names."""
    fields, numbers = {}, {}
    for path in paths:
        found = FILE.fullmatch(os.path.basename(path))
        if not found:
            raise Problem(f"{path}: not the name of a binary of GHOST, such as vx.0010.out", USAGE)
        fields.setdefault(found[1], []).append((int(found[2] or 0), path))
        numbers.setdefault(int(found[3]), path)
    if len(numbers) > 1:
        raise Problem(f"{', '.join(map(str, list(numbers.values())[:2]))}: are of different times; give the files of one", USAGE)
    return {name: [path for _slab, path in sorted(slabs)] for name, slabs in fields.items()}, next(iter(numbers))


def size_of(paths):
    try:
        return sum(os.path.getsize(path) for path in paths)
    except OSError as error:
        raise Problem(f"{error.filename}: no such file", MISSING) from None


def shape_of(size, n, path):
    """(nz, ny, nx) and the number type, from the bytes of a field."""
    for dtype in (np.dtype("f4"), np.dtype("f8")):
        points, rest = divmod(size, dtype.itemsize)
        side = round(points ** (1 / 3))
        if not rest and n and n[0] * n[1] * n[2] == points:
            return n[::-1], dtype
        if not rest and not n and side > 1 and side ** 3 == points:
            return (side,) * 3, dtype
    if n:
        raise Problem(f"{path}: has {size} bytes, but {n[0]} x {n[1]} x {n[2]} points need {4 * n[0] * n[1] * n[2]} in single or "
                      f"{8 * n[0] * n[1] * n[2]} in double precision")
    raise Problem(f"{path}: has {size} bytes, which is no cube of numbers; give the points of each axis: --n NX,NY,NZ", USAGE)


def spread(values):
    """Standard deviation of the decimal exponents of values that are not 0; None without any. In the wrong byte order it is large."""
    with np.errstate(invalid="ignore", over="ignore"):
        some = np.abs(values[values != 0].astype(np.float64))
    if not len(some):
        return None
    return float(np.std(np.log10(some))) if np.isfinite(some).all() else np.inf


def read_field(paths, shape, dtype, start):
    values = np.concatenate([np.fromfile(path, dtype) for path in paths])
    if start.turned is None and (as_is := spread(values)) is not None:
        start.turned = spread(values.byteswap()) < as_is
    return (values.byteswap() if start.turned else values).reshape(shape)


# ---- the case ----

def solver_of(wanted, fields, lists):
    """GHOST's solver: the one that is named, or what fields and lists suggest."""
    if wanted:
        if wanted.upper() not in SOLVERS:
            raise Problem(f"--solver {wanted[:40]}: Triad has the equations of {', '.join(SOLVERS)}", FEATURE)
        return wanted.upper()
    rotates = any(given(lists, "rotation", f"omega{axis}") for axis in "xyz")
    if WAVE[0] in fields:
        return "GPE"
    if "rho" in fields:
        raise Problem("rho is a field of GHOST's compressible solvers, whose equations Triad does not have", FEATURE)
    if POTENTIAL[0] in fields or FIELD[0] in fields:
        uniform = any(given(lists, "uniformb", f"b{axis}0") for axis in "xyz")
        return "HMHDB" if "hallparam" in lists and uniform else "HMHD" if "hallparam" in lists else "RMHDB" if uniform and rotates else \
            "MHDB" if uniform else "MHD"
    if "th" in fields and given(lists, "boussinesq", "bvfreq"):
        return "ROTBOUSS" if rotates else "BOUSS"
    return "ROTH" if rotates else "HD"


def get(lists, group, key, preset=None):
    value = lists.get(group, {}).get(key, preset)
    if value is None:
        raise Problem(f"&{group}: {key} is missing, which the case needs")
    if isinstance(value, str) or not np.isfinite(value):
        raise Problem(f"&{group}: {key} = {str(value)[:40]} is not a number")
    return float(value)


def given(lists, group, key):
    """Is it there, and not 0?"""
    return key in lists.get(group, {}) and get(lists, group, key) != 0


def put_equations(start, solver, extras, lists):
    start.set("equations.solver", solver)
    if solver == "gpe":
        for key, name in (("sound_speed", "cspeed"), ("healing_length", "lambda"), ("density", "rho0")):
            start.set(f"equations.{key}", get(lists, "wavefunction", name, 1.0 if name == "rho0" else None))
        return
    start.set("equations.viscosity", get(lists, "velocity", "nu"))
    if "r" in extras:
        start.set("equations.rotation", [get(lists, "rotation", f"omega{axis}", 0.0) for axis in "xyz"])
    if solver == "mhd":
        start.set("equations.resistivity", get(lists, "magfield", "mu"))
        if "b" in extras:
            start.set("equations.mean_field", [get(lists, "uniformb", f"b{axis}0", 0.0) for axis in "xyz"])
        if "h" in extras:
            start.set("equations.hall", get(lists, "hallparam", "ep"))
    if solver == "boussinesq":
        start.set("equations.diffusivity", get(lists, "scalar", "kappa"))


def put_fields(start, solver, fields, read, lists):
    def vector(parts, names):
        missing = [part for part in parts if part not in fields]
        if missing:
            raise Problem(f"{missing[0]} of {', '.join(parts)} is missing among the files; a run of {solver} needs all of them", MISSING)
        for part, name in zip(parts, names):
            start.field(name, read(part), fields[part][0])
    if solver == "gpe":
        vector(WAVE, ("psi_re", "psi_im"))
        return
    vector(VELOCITY, ("u", "v", "w"))
    if solver == "mhd" and any(part in fields for part in FIELD):
        vector(FIELD, ("bx", "by", "bz"))
    elif solver == "mhd":
        missing = [part for part in POTENTIAL if part not in fields]
        if missing:
            raise Problem(f"{missing[0]} is missing among the files: a run of mhd needs ax, ay, az, or bx, by, bz", MISSING)
        for name, values in zip(("bx", "by", "bz"), curl([read(part) for part in POTENTIAL], start.keys["grid.length"])):
            start.field(name, values, fields["ax"][0])
        start.changed.append("ax, ay, az: the magnetic field is their curl, with exact derivatives.")
    if solver == "boussinesq":
        put_buoyancy(start, read("th"), fields["th"][0], lists)
    put_scalars(start, solver, fields, read, lists)


def put_buoyancy(start, theta, path, lists):
    n = get(lists, "boussinesq", "bvfreq")
    pull, lift = (get(lists, "boussinesq", name, 1.0) for name in ("xmom", "xtemp"))
    if pull * lift <= 0:
        raise Problem(f"&boussinesq: xmom = {pull:g} and xtemp = {lift:g}: Triad needs both with one sign", FEATURE)
    start.set("equations.buoyancy_frequency", n * float(np.sqrt(pull * lift)))
    factor = float(np.sqrt(pull / lift)) * np.sign(pull)
    if factor != 1:
        start.changed.append(f"th: theta is {factor:g} th, and N = bvfreq (xmom xtemp)^(1/2), so that energy is conserved in Triad's form.")
    start.field("theta", theta * factor if factor != 1 else theta, path)


def put_scalars(start, solver, fields, read, lists):
    scalars = [(name, kappa) for name, kappa in (("th", "kappa"), ("th1", "kappa1"), ("th2", "kappa2"), ("th3", "kappa3"))
               if name in fields and not (name == "th" and solver == "boussinesq")]
    if not scalars or solver == "mhd":
        return
    start.set("equations.scalars", [get(lists, "scalar" if kappa == "kappa" else "mscalar", kappa) for _name, kappa in scalars])
    for i, (name, _kappa) in enumerate(scalars, 1):
        start.field(f"scalar{i}", read(name), fields[name][0])
        start.changed.append(f"{name}: is scalar{i}.")


def put_time(start, lists, number):
    mult = int(get(lists, "status", "mult", 1)) or 1
    dt = get(lists, "parameter", "dt") / mult
    if dt <= 0:
        raise Problem(f"&parameter: dt = {dt:g} with mult = {mult}: must be above 0")
    steps, every = (get(lists, "parameter", name) * mult for name in ("step", "tstep"))
    start.t = dt * every * (number - 1)
    start.set("time.dt", dt)
    start.set("time.scheme", "rk2")
    remaining(start, dt * steps, "dt times step of the parameter file")
    for key, name in (("series_interval", "cstep"), ("spectra_interval", "sstep"), ("fields_interval", "tstep")):
        start.set(f"output.{key}", dt * mult * get(lists, "parameter", name))
    start.changed.append("The time scheme: GHOST's Runge-Kutta scheme of order ORD is chosen when it is compiled; rk2 with the same dt integrates "
                         "viscosity exactly.")


def put_grid(start, lists, shape):
    start.set("grid.length", [2 * np.pi * get(lists, "boxparams", f"l{axis}", 1.0) for axis in "xyz"])
    most = max(shape)
    start.set("grid.radius", float(most / 3 if most % 3 else most / 3 - 1e-3))


def say_lost(start, solver, fields, used, lists):
    if solver != "gpe" and given(lists, "velocity", "f0"):
        f0, low, high = (get(lists, "velocity", key, 0.0) for key in ("f0", "kdn", "kup"))
        start.lost.append(f"The force, f0 = {f0:g} on k from {low:g} to {high:g}, rand = {get(lists, 'parameter', 'rand', 0):g}: its form is in "
                          "initialfv.f90; set [forcing], for example kind = \"random\".")
    if given(lists, "magfield", "m0") and solver == "mhd":
        start.lost.append(f"The electromotive force, m0 = {get(lists, 'magfield', 'm0'):g}: its form is in initialfb.f90.")
    if given(lists, "scalar", "s0") and ("theta" in start.fields or "scalar1" in start.fields):
        start.lost.append(f"The source of the scalar, s0 = {get(lists, 'scalar', 's0'):g}: its form is in initialfs.f90.")
    if given(lists, "plagpart", "dolag") and given(lists, "plagpart", "maxparts"):
        start.lost.append("Particles (&plagpart): set [[particles]].")
    unused = sorted(set(fields) - used)
    if unused:
        start.lost.append(f"Files of {', '.join(unused)}: no field of the state of {solver}.")
    start.lost.append("The state of random numbers of the force, and means over time.")


def read_run(options):
    words = options.files
    if len(words) < 2:
        raise Problem("triad import ghost requires the parameter file and the binaries of one time; triad import --help", USAGE)
    lists = namelist.read(words[0])
    if not lists:
        raise Problem(f"{words[0]}: has no namelist, such as &status; the parameter file of GHOST is required first")
    fields, number = sort_files(words[1:])
    name = solver_of(options.solver, fields, lists)
    solver, extras = SOLVERS[name]
    start = Start("GHOST", os.path.basename(words[1]))
    start.turned = None   # until a field shows its byte order
    first = next(iter(fields))
    shape, dtype = shape_of(size_of(fields[first]), options.n, fields[first][0])
    used = set()

    def read(part):
        used.add(part)
        size = size_of(fields[part])
        if size != np.prod(shape) * dtype.itemsize:
            raise Problem(f"{fields[part][0]}: the {part} files have {size} bytes, but those of {first} have {size_of(fields[first])}")
        return read_field(fields[part], shape, dtype, start)
    put_grid(start, lists, shape)
    put_equations(start, solver, extras, lists)
    put_fields(start, solver, fields, read, lists)
    put_time(start, lists, number)
    if not options.solver:
        start.changed.append(f"The solver: fields and namelists look like those of {name}; if it was another one, import again with --solver NAME.")
    if start.turned:
        start.changed.append("The byte order of the files is not that of this machine; it has been turned.")
    say_lost(start, solver, fields, used, lists)
    return start
