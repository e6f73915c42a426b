"""The medium around a surface: from options, else from the far-field patches of the case."""
import numpy as np

from triad_plot.problem import USAGE, Problem
from triad_plot.sound.formula import Medium
from triad_plot.sound.observers import numbers

STANDARD = 101325.0    # Pa, for the default reference
HEARING = 20e-6        # Pa


def states_in(case):
    """[(p, rho, u, v, w)] of patches of the kind farfield, each once."""
    found = []
    for text in case.get("boundaries.patches") or []:
        kind, *words = [word.strip() for word in str(text).partition(":")[2].split(",")]
        given = dict(tuple(part.strip() for part in word.partition("=")[::2]) for word in words)
        if kind != "farfield" or "pressure" not in given:
            continue
        try:
            value = {key: float(text) for key, text in given.items()}
        except ValueError:
            continue
        rho = value.get("density", value["pressure"] / value.get("temperature", 1.0))
        state = (value["pressure"], rho, value.get("u", 0.0), value.get("v", 0.0), value.get("w", 0.0))
        if state not in found:
            found.append(state)
    return found


def of_run(run, options):
    states = states_in(run.case)
    if len(states) != 1 and None in (options.pressure, options.density, options.stream):
        many = "differ" if states else "are missing"
        raise Problem(f"{run.path}: far-field patches {many} in boundaries.patches: give --pressure, --density and --stream", USAGE)
    state = states[0] if states else (0, 0, 0, 0, 0)
    p = options.pressure if options.pressure is not None else state[0]
    rho = options.density if options.density is not None else state[1]
    stream = numbers(options.stream, 3, "--stream", "U,V,W") if options.stream else np.array(state[2:])
    gamma = run.case.get("equations.gamma") or 1.4
    if not (p > 0 and rho > 0):
        raise Problem("--pressure and --density must be positive", USAGE)
    c = np.sqrt(gamma * p / rho)
    if stream @ stream >= c**2:
        raise Problem(f"the stream has the Mach number {np.sqrt(stream @ stream) / c:.3g}; formulation 1A requires less than 1", USAGE)
    return Medium(p, rho, c, stream)


def reference_of(medium, options):
    """(pressure, words) of 0 dB."""
    if options.reference is not None:
        return options.reference, f"{options.reference:g}"
    return HEARING / STANDARD * medium.p, "20 uPa if the ambient pressure is 101325 Pa"
