"""Names and units of the CF conventions (cfconventions.org) for fields, coordinates and time."""
import re

MEDIA = ("air", "water")
# CF has standard names for air and sea water only; other fluids have long names
STANDARD = {
    "air": {"u": "x_wind", "v": "y_wind", "w": "upward_air_velocity", "p": "air_pressure", "temperature": "air_temperature", "rho": "air_density",
            "T": None},
    "water": {"u": "sea_water_x_velocity", "v": "sea_water_y_velocity", "w": "upward_sea_water_velocity", "p": "sea_water_pressure",
              "temperature": "sea_water_temperature", "rho": "sea_water_density"},
}
BASE = {"L": {"m": 1}, "T": {"s": 1}, "U": {"m": 1, "s": -1}, "M": {"kg": 1}, "K": {"K": 1}}
FACTOR = re.compile(r"([A-Z])(?:\^(-?\d+))?|1")


def si(unit):
    """A unit of Triad, such as U^2/T or M/(L T^2), in SI as udunits writes it; None for one that has none."""
    if not unit:
        return None
    top, _, below = unit.partition("/")
    powers = {}
    for part, sign in ((top, 1), (below.strip("()"), -1)):
        for word in part.split():
            found = FACTOR.fullmatch(word)
            if not found or (found[1] and found[1] not in BASE):
                return None
            for name, power in BASE.get(found[1] or "", {}).items():
                powers[name] = powers.get(name, 0) + sign * power * int(found[2] or 1)
    return " ".join(name if power == 1 else f"{name}{power}" for name, power in sorted(powers.items()) if power) or "1"


def of_field(name, unit, long_name, medium):
    """Attributes of a field. Without a medium its numbers are without dimension, as those of a case are."""
    found = {"units": (si(unit) or "1") if medium else "1", "long_name": long_name or name}
    standard = STANDARD.get(medium, {}).get(name)
    if standard:
        found["standard_name"] = standard
    if unit and unit != "1":
        found["triad_unit"] = unit
    return found


def of_coordinate(axis, medium):
    return {"units": "m" if medium else "1", "long_name": f"{axis} coordinate", "axis": axis.upper()}


def of_time(medium):
    return {"units": "s" if medium else "1", "long_name": "time since the beginning of the run", "axis": "T"}


def of_file(source):
    return {"Conventions": "CF-1.11", "title": " ".join(source.run.title().split()), "source": f"Triad, solver {source.run.solver or 'unknown'}",
            "history": "triad export"}
