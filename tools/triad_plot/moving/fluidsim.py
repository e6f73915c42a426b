"""fluidsim: a file of its state, state_phys_t*.h5 or .nc, with the parameters in info_simul/params.

Its equations (solvers/ns3d/strat/solver.py): dw/dt = .. + b, db/dt = .. - N^2 w, so that theta = -b/N; the Coriolis parameter f is
2 Omega_z; nu_2, nu_4, nu_8 multiply k^2, k^4, k^8, for b too. Of the solvers in a plane the state is the vorticity.
"""
import os

import h5py
import numpy as np

from triad_plot.moving.start import Start, array_of, remaining, wavenumbers
from triad_plot.problem import FEATURE, MISSING, USAGE, Problem
from triad_plot.read import hdf5

SOLVERS = {"ns3d": "hd", "ns3d.strat": "boussinesq", "ns2d": "hd", "ns2d.strat": "boussinesq"}


def plain(value):
    """An attribute as Python has it: "None" is None."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return {"None": None, "True": True, "False": False}.get(value, value)
    return value.item() if hasattr(value, "item") and np.ndim(value) == 0 else value


class Parameters:
    """Attributes of info_simul/params and its groups: get("oper.nx")."""

    def __init__(self, file):
        self.path, self.root = file.filename, file.get("info_simul/params")
        if self.root is None:
            raise Problem(f"{self.path}: info_simul/params is missing; a file of fluidsim's state, state_phys_t*, is required")

    def get(self, name, preset=None):
        *groups, key = name.split(".")
        group = self.root
        for one in groups:
            group = group.get(one)
            if group is None:
                return preset
        value = plain(group.attrs[key]) if key in group.attrs else None
        return preset if value is None else value

    def number(self, name, preset=None):
        value = self.get(name, preset)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Problem(f"{self.path}: info_simul/params: {name} = {value!r} is not a number")
        return float(value)


def velocity_of(rotation, lengths):
    """(ux, uy) of a vorticity [1][y][x] in the plane, without a mean."""
    c = np.fft.rfftn(rotation.astype(np.float64))
    kx, ky, _kz = wavenumbers(rotation.shape[::-1], lengths)
    square = kx**2 + ky**2
    psi = c / np.where(square == 0, np.inf, square)   # u = d psi/dy, v = -d psi/dx, lap psi = -rotation
    back = lambda one: np.fft.irfftn(one, rotation.shape, axes=(0, 1, 2))
    return back(1j * ky * psi), back(-1j * kx * psi)


def state(file, name):
    item = file.get(f"state_phys/{name}")
    if not isinstance(item, h5py.Dataset):
        raise Problem(f"{file.filename}: state_phys/{name} is missing", MISSING)
    return array_of(item)


def put_plane(start, file, solver):
    """A flow in the plane of x and y; a stratified one becomes one of x and z."""
    lx, ly = start.keys["grid.length"][:2]
    rotation = state(file, "rot")
    if rotation.ndim != 2:
        raise Problem(f"{file.filename}: state_phys/rot has {rotation.ndim} dimensions, not 2")
    u, v = (one[0] for one in velocity_of(rotation[None], [lx, ly, 1.0]))
    start.changed.append("rot: the velocity follows from the vorticity, with exact derivatives and mean 0.")
    if solver == "hd":
        for name, values in (("u", u), ("v", v), ("w", np.zeros_like(u))):
            start.field(name, values[None], file.filename)
        return
    start.keys["grid.length"] = [lx, min(lx, ly), ly]
    for name, values in (("u", u), ("v", np.zeros_like(u)), ("w", v), ("theta", -state(file, "b") / start.keys["equations.buoyancy_frequency"])):
        start.field(name, values[:, None, :], file.filename)
    start.changed.append("y of fluidsim is z, along which gravity acts.")


def put_box(start, file, solver):
    for name, part in zip("uvw", ("vx", "vy", "vz")):
        start.field(name, state(file, part), file.filename)
    if solver == "boussinesq":
        start.field("theta", -state(file, "b") / start.keys["equations.buoyancy_frequency"], file.filename)


def put_equations(start, given, kind):
    solver = SOLVERS[kind]
    start.set("equations.solver", solver)
    start.set("equations.viscosity", given.number("nu_2", 0.0))
    if solver == "boussinesq":
        start.set("equations.diffusivity", given.number("nu_2", 0.0))
        start.set("equations.buoyancy_frequency", given.number("N", 1.0))
        start.changed.append("b: theta = -b/N, in units of velocity.")
    higher = [(order, given.number(name, 0.0), name) for order, name in ((2, "nu_4"), (4, "nu_8")) if given.number(name, 0.0)]
    for order, value, name in higher[:1]:
        start.set("equations.hyperviscosity", value)
        start.set("equations.hyperviscosity_order", order)
        if solver == "boussinesq":
            start.lost.append(f"{name} of the buoyancy: Triad's hyperviscosity acts on the velocity; diffusivity is the only term of theta.")
    for _order, value, name in higher[1:]:
        start.lost.append(f"{name} = {value:g}: Triad has one hyperviscous term.")
    if given.number("nu_m4", 0.0):
        start.lost.append(f"nu_m4 = {given.number('nu_m4'):g}, at large scales: equations.drag is similar.")
    if given.get("f") is not None:
        start.set("equations.rotation", [0.0, 0.0, given.number("f") / 2])
    if given.number("beta", 0.0):
        start.set("equations.beta", given.number("beta"))
    for name in ("no_vz_kz0", "projection"):
        if given.get(name):
            start.lost.append(f"{name} = {given.get(name)}.")
    return solver


def put_forcing(start, given):
    if not given.get("forcing.enable"):
        return
    low, high = given.number("forcing.nkmin_forcing", 4), given.number("forcing.nkmax_forcing", 5)
    kind, rate = str(given.get("forcing.type", "")), given.number("forcing.forcing_rate", 1.0)
    start.set("forcing.kind", "random")
    start.set("forcing.power", rate)
    start.set("forcing.k_range", [low, high])
    start.changed.append(f"forcing.type = {kind}: a random force, white in time, of the same rate on the same modes.")


def put_time(start, given):
    scheme = str(given.get("time_stepping.type_time_scheme", "RK4"))
    start.set("time.scheme", "rk4" if scheme.startswith("RK4") else "rk2")
    if "phaseshift" in scheme:
        start.changed.append(f"type_time_scheme = {scheme}: without phase shifts; grid.dealiasing = \"phase-shift\" has them.")
    if given.get("time_stepping.USE_CFL", True):
        start.set("time.cfl", given.number("time_stepping.cfl_coef", 0.5))
    else:
        start.set("time.dt", given.number("time_stepping.deltat0"))
    remaining(start, given.number("time_stepping.t_end", 0.0), "time_stepping.t_end")
    for key, names in (("series_interval", ("spatial_means",)), ("spectra_interval", ("spectra",)), ("fields_interval", ("phys_fields",))):
        value = next((given.number(f"output.periods_save.{name}") for name in names if given.get(f"output.periods_save.{name}")), None)
        start.set(f"output.{key}", value)


def look(file):
    given = Parameters(file)
    group = file.get("state_phys")
    if group is None:
        raise Problem(f"{file.filename}: state_phys is missing; a file of fluidsim's state, state_phys_t*, is required")
    kind = str(plain(file.attrs.get("name_solver", ""))).lower()
    if kind not in SOLVERS:
        raise Problem(f"{file.filename}: name_solver = {kind!r}: Triad has the equations of {', '.join(SOLVERS)}", FEATURE)
    start = Start("fluidsim", os.path.basename(file.filename))
    start.t = float(group.attrs.get("time", 0.0))
    plane = kind.startswith("ns2d")
    start.set("grid.length", [given.number(f"oper.L{axis}", 2 * np.pi) for axis in "xy"] + [2 * np.pi if plane else given.number("oper.Lz", 2 * np.pi)])
    start.set("grid.truncation", "box" if str(given.get("oper.truncation_shape", "cubic")) == "cubic" else "sphere")
    coefficient = given.number("oper.coef_dealiasing", 2 / 3)
    if abs(coefficient - 2 / 3) > 0.01:
        start.lost.append(f"coef_dealiasing = {coefficient:g}: Triad keeps the modes up to a third of the points along each axis (2/3), or by "
                          "grid.dealiasing = \"phase-shift\" a sphere of radius sqrt(2)/3 n.")
    solver = put_equations(start, given, kind)
    (put_plane if plane else put_box)(start, file, solver)
    put_forcing(start, given)
    put_time(start, given)
    return start


def read_run(options):
    if len(options.files) != 1:
        raise Problem("triad import fluidsim requires one file, state_phys_t*.h5 or .nc; triad import --help", USAGE)
    return hdf5.read(options.files[0], look)
