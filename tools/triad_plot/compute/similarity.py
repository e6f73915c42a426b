"""Reynolds and Mach numbers, and what coefficients of bodies refer to, from the case and the last row: rows (name, text) for the report."""
import re

import numpy as np

from triad_plot.problem import Problem


def number(x):
    return f"{x:.4g}"


def frontal(run):
    """(area across x, height along y) of solids.boxes of a uniform grid; None of others."""
    c = run.case
    n, length, boxes = c.get("grid.n"), c.get("grid.length"), c.get("solids.boxes")
    if c.get("solids.kind") != "boxes" or not boxes or len(boxes) % 6 or any(c.get("grid.stretch") or ()) or not n or not length:
        return None
    seen = np.zeros((n[2], n[1]), bool)
    for x in np.reshape(boxes, (-1, 6)).astype(int):
        seen[x[2]:x[2] + x[5], x[1]:x[1] + x[4]] = True
    rows = np.nonzero(seen.any(0))[0]
    if not len(rows):
        return None
    return float(seen.sum()) * length[1] / n[1] * length[2] / n[2], float(rows[-1] + 1 - rows[0]) * length[1] / n[1]


def stream_of(run):
    """Velocity of the stream past bodies: that of the case, of the inflow, or of a force that maintains it; None where there is none."""
    c = run.case
    found = np.array(c.get("reference.velocity") or [0.0] * 3, float)
    if not found.any() and any("inflow" in (c.get(f"boundaries.{axis}") or ()) for axis in "xyz"):
        found = np.array(c.get("boundaries.inflow") or [0.0] * 3, float)
    if not found.any() and c.get("forcing.kind") == "flow-rate":
        along = np.array(c.get("forcing.direction") or [1.0, 0, 0], float)
        found = (c.get("forcing.amplitude") or 0) * along / np.linalg.norm(along)
    return found if found.any() else None


def references(run):
    """What the coefficients of bodies refer to; [] where a solver has none."""
    c, rows = run.case, []
    if run.solver == "staggered":
        u, area = stream_of(run), c.get("reference.area") or None
        if u is None or c.get("solids.kind") in (None, "none"):
            return rows
        seen = frontal(run) if area is None and abs(u[0]) >= max(abs(u[1:])) else None
        area = f"area {number(area)}" if area else f"area {number(seen[0])} of the solids along the stream" if seen else "area of the solids along the stream"
        length = c.get("reference.length")
        rows.append(("coefficients", f"{area}, velocity {number(np.linalg.norm(u))}" + (f", length {number(length)}" if length else "")))
    elif run.solver == "fct" and c.get("reference.area"):
        rows.append(("coefficients", f"area {number(c['reference.area'])}, length {number(c.get('reference.length') or 1)}"))
    elif run.solver == "multiblock" and c.get("reference.area"):
        rows.append(("coefficients", f"area {number(c['reference.area'])}, length {number(c.get('reference.length') or 1)}"))
    return rows


def heat_rows(run):
    """Prandtl and Rayleigh numbers of a layer between two walls at different temperatures."""
    c, nu, kappa = run.case, run.case.get("equations.viscosity") or 0, run.case.get("equations.diffusivity") or 0
    if not c.get("equations.temperature") or not nu > 0 or not kappa > 0:
        return []
    rows, length = [("Prandtl number", number(nu / kappa))], c.get("grid.length") or [1, 1, 1]
    held = np.reshape(c.get("boundaries.wall_temperature") or [0] * 6, (3, 2))
    across = [a for a, axis in enumerate("xyz") if (c.get(f"boundaries.thermal_{axis}") or [""]) == ["isothermal", "isothermal"] and held[a][0] != held[a][1]]
    buoyancy = abs(c.get("equations.thermal_expansion") or 0) * float(np.linalg.norm(c.get("equations.gravity") or [0, 0, -1]))
    if len(across) == 1 and buoyancy > 0:
        distance, difference = length[across[0]], abs(held[across[0]][0] - held[across[0]][1])
        rows.append(("Rayleigh number", f"{number(buoyancy * difference * distance**3 / (nu * kappa))}, from the distance {number(distance)} of the isothermal walls"))
    return rows


def staggered_rows(run):
    c, nu = run.case, run.case.get("equations.viscosity") or 0
    body, u, rows = frontal(run), stream_of(run), []
    length = c.get("grid.length") or [1, 1, 1]
    size = c.get("reference.length") or (body[1] if body else 0)
    if size and u is not None and nu > 0:
        what = "reference.length" if c.get("reference.length") else "the height"
        rows.append(("Reynolds number", f"{number(np.linalg.norm(u) * size / nu)}, from the stream's velocity and {what} {number(size)} of the solids"))
    velocity = np.reshape((c.get("boundaries.wall_velocity") or [0] * 18), (6, 3))
    for i in range(6):
        speed = float(np.linalg.norm(velocity[i]))
        if speed > 0 and nu > 0:
            rows.append(("Reynolds number", f"{number(speed * length[i // 2] / nu)}, from the speed of the wall and the distance {number(length[i // 2])} normal to it"))
            break
    walls = [a for a, axis in enumerate("xyz") if (c.get(f"boundaries.{axis}") or [""]) == ["wall", "wall"]]
    if len(walls) == 1 and nu > 0 and not velocity.any() and not body and run.has_series:
        try:
            stress = float(run.series["wall_shear"][-1])
        except Problem:
            return rows
        if stress > 0:
            half = length[walls[0]] / 2
            rows.append(("Reynolds number", f"Re_\u03c4 = {number(np.sqrt(stress) * half / nu)} in the last row, from the friction velocity and half the channel height"))
    return rows


def patch_number(run, key):
    for text in run.case.get("boundaries.patches") or []:
        found = re.search(rf"\b{key}\s*=\s*([-+\d.eE]+)", text)
        if found:
            return float(found.group(1))
    return None


def viscosity_at(run, temperature):
    """Dynamic viscosity of multiblock's gas by its law."""
    c = run.case
    mu, at, law = c.get("equations.viscosity"), c.get("equations.viscosity_temperature") or 273.15, c.get("equations.viscosity_law")
    if law == "sutherland":
        s = c.get("equations.sutherland") or 110.4
        return mu * (temperature / at)**1.5 * (at + s) / (temperature + s)
    return mu * (temperature / at)**(c.get("equations.viscosity_power") or 0.76) if law == "power" else mu


def multiblock_rows(run):
    c, rows = run.case, []
    mach, pressure, temperature, alpha = (patch_number(run, key) for key in ("mach", "pressure", "temperature", "alpha"))
    if mach is None:
        return rows
    rows.append(("Mach number", number(mach) + (f", angle {number(alpha)}\u00b0" if alpha is not None else "")))
    if c.get("equations.model") == "laminar" and pressure and temperature and c.get("equations.viscosity"):
        gamma, r = c.get("equations.gamma") or 1.4, c.get("equations.gas_constant") or 287
        speed, density, size = mach * np.sqrt(gamma * r * temperature), pressure / (r * temperature), c.get("reference.length") or 1
        rows.append(("Reynolds number", f"{number(density * speed * size / viscosity_at(run, temperature))}, from the free stream and reference.length {number(size)}"))
    return rows


def fct_rows(run):
    gamma = run.case.get("equations.gamma") or 1.4
    for text in run.case.get("boundaries.patches") or []:
        values = {key: float(value) for key, value in re.findall(r"\b(pressure|density|u|v|w)\s*=\s*([-+\d.eE]+)", text)}
        speed = np.sqrt(sum(values.get(key, 0)**2 for key in "uvw"))
        if speed > 0 and values.get("pressure", 0) > 0 and values.get("density", 0) > 0:
            return [("Mach number", f"{number(speed / np.sqrt(gamma * values['pressure'] / values['density']))}, at the inflow")]
    return []


BY_SOLVER = {"staggered": lambda run: heat_rows(run) + staggered_rows(run), "multiblock": multiblock_rows, "fct": fct_rows}


def rows(run):
    return BY_SOLVER[run.solver](run) + references(run) if run.solver in BY_SOLVER else []
