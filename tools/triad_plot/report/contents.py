"""What the report of each solver has: its numbers and its figures, in their order.

To add a solver: a line in BY_SOLVER. A solver that has none gets everything that its files have something for.
"""
import fnmatch
import re
from typing import Callable, NamedTuple, Optional

from triad_plot.compute import closes

ALWAYS = ("series", "means", "probe", "particles", "slice", "vortices", "volume")
SPECTRAL = ("energy", "enstrophy", "dissipation", "budget", "decay", "spectrum", "compensated", "map", "flux", "transfer", "structure",
            "increments")

SCALES = ("integral_scale", "taylor_scale", "kolmogorov_scale", "re_lambda", "kmax_eta")
COEFFICIENTS = ("cl", "cd", "cm", "strouhal", "cl_*", "cd_*", "cm_*")
HEAT = ("nusselt_lower", "nusselt_upper", "nusselt_volume", "wall_heat_flux", "solid_heat")


class Contents(NamedTuple):
    numbers: tuple        # columns of series.csv, or patterns of them
    figures: tuple        # names of verbs (verbs.py)
    forces: tuple = ()    # columns of the figure `forces`


BODIES = "body*_cd", "body*_cl", "body*_strouhal"

BY_SOLVER = {
    "hd": Contents((*BODIES, "energy", "enstrophy", "dissipation", "sgs_dissipation", "eddy_viscosity_mean", "injection", *SCALES, "u_max", "helicity"), SPECTRAL),
    "boussinesq": Contents((*BODIES, "energy", "kinetic_energy", "potential_energy", "buoyancy_flux", "enstrophy", "dissipation",
                            "viscous_dissipation", "diffusive_dissipation", "sgs_dissipation", "theta_sgs_dissipation",
                            "eddy_viscosity_mean", "injection", *SCALES, "theta_kmax_eta", "u_max"), SPECTRAL),
    "mhd": Contents((*BODIES, "energy", "kinetic_energy", "magnetic_energy", "enstrophy", "current_squared", "dissipation", "viscous_dissipation",
                     "joule_dissipation", "injection", "cross_helicity", "magnetic_helicity", *SCALES, "b_kmax_eta", "u_max"), SPECTRAL),
    "gpe": Contents(("energy", "kinetic_energy", "interaction_energy", "incompressible_energy", "compressible_energy", "quantum_energy",
                     "mass", "enstrophy", "momentum_*"), ("energy", "gpe", "budget", "spectrum", "map", "enstrophy")),
    "compressible": Contents(("mach_rms", "mach_max", "kinetic_energy", "energy", "mass", "density_min", "density_max", "density_rms",
                              "pressure_min", "enstrophy", "dissipation", "solenoidal_dissipation", "dilatational_dissipation",
                              "pressure_dilatation", "injection", "cooling", "shocklet_volume", "mass_drift", "energy_drift"),
                             ("energy", "budget", "enstrophy", "dissipation", "spectrum", "compensated", "structure", "increments")),
    "staggered": Contents(("cd", "cl", "cm", "strouhal", *HEAT, "drag_x", "drag_y", "drag_z", "wall_shear", "mean_u", "mean_v",
                           "mean_w", "energy", "enstrophy", "dissipation", "sgs_dissipation", "eddy_viscosity_mean", "injection", "mean_temperature", "temperature_variance",
                           "temperature_dissipation", "heating", "buoyancy_power", "production", "large_eddy_scale",
                           "large_eddy_reynolds", "divergence", "iterations"),
                          ("forces", "energy", "enstrophy", "dissipation", "budget", "decay", "spectrum"),
                          ("cd", "cl", "cm", *HEAT, "drag_x", "drag_y", "drag_z", "wall_shear")),
    "multiblock": Contents((*COEFFICIENTS, "force_*", "friction_*", "mass_error", "residual_mass", "limited", "frozen", "cfl", "error_*"),
                           ("forces", "residual", "surface", "contour"), ("cl", "cd", "cm")),
    "fct": Contents((*COEFFICIENTS, "thrust", "mach_max", "pressure_max", "pressure_min", "density_max", "density_min", "kinetic_energy", "energy", "mass",
                     "mass_out_*", "momentum_x_out_*", "momentum_y_out_*", "faces_limited", "mean_limiter", "mass_drift", "energy_drift"),
                    ("forces", "energy", "axis", "levels", "sound"), ("cl", "cd", "cm", "thrust")),
}


def of(run) -> Optional[Contents]:
    """None: a solver that is not in the table."""
    return BY_SOLVER.get(run.solver)


def columns_of(names, series):
    """The columns that the names and patterns mean, in their order, each once."""
    found = [column for name in names for column in (fnmatch.filter(series.columns, name) if "*" in name else [name] if name in series else [])]
    return list(dict.fromkeys(found))


OPEN = ("inflow", "outflow", "farfield", "total")   # kinds of patches that are no walls


def of_open_patch(run, name):
    """Is this a column of the momentum that has left through a patch with the fluid? Of a wall it is the force on it, over time."""
    found = re.fullmatch(r"momentum_[xyz]_out_(.+)", name)
    for text in run.case.get("boundaries.patches") or [] if found else []:
        names, _, kind = str(text).partition(":")
        if found[1] in re.split(r"[\s+]+", names) and kind.strip().split(",")[0].strip() in OPEN:
            return True
    return False


def numbers_of(run):
    """Columns of the table of numbers that mean something for this run, in their order."""
    names = [name for name in columns_of(of(run).numbers, run.series) if not of_open_patch(run, name)]
    return [name for name in names if decays(run) or not name.startswith("large_eddy_")]


def decays(run):
    """Is this turbulence in a periodic box, stirred or released from solids, as that behind a grid?"""
    sides = [side for axis in "xyz" for side in run.case.get(f"boundaries.{axis}") or ()]
    stirred = run.case.get("forcing.kind") == "stirring" or bool(run.case.get("solids.release"))
    return run.solver == "staggered" and stirred and all(side == "periodic" for side in sides)


# Verbs that are drawn under a condition only.
WHERE: dict[str, Callable] = {"decay": decays, "budget": closes.applies}


def has(run, verb):
    """Does the figure mean something for this run? It may still have no data for it."""
    contents = of(run)
    if contents and verb not in contents.figures and verb not in ALWAYS:
        return False
    return WHERE[verb](run) if verb in WHERE else True


def order_of(run, verb):
    """A key to sort verbs by: those of the solver first, in its order."""
    contents = of(run)
    return contents.figures.index(verb) if contents and verb in contents.figures else 1000
