"""Convection with known heat fluxes (runs/heated-cavity, runs/rayleigh-benard): for check, beside it."""

import math
import subprocess

import numpy as np

import outputs
from verification import noted

# Nusselt number: de Vahl Davis 1983 at 1e3, later converged values; end of the run, in times of free fall
CAVITIES = {1e3: (1.1178, 40), 1e4: (2.2448, 100), 1e5: (4.5216, 150), 1e6: (8.8252, 200)}
# of a layer with Pr = 0.7, four heights wide: cells along x and z, when means begin and end, and the range of Nusselt numbers that
# Pandey et al. 2018, boxes 25 heights wide, and Kerr 1996, six heights wide, have published
LAYERS = {"convection-1e5": (1e5, 64, 32, 100, 400, (4.26, 4.46)), "convection-1e6": (1e6, 128, 64, 60, 160, (8.1, 8.42))}


def case(options, name, at, **values):
    launcher = ["mpirun", "--oversubscribe", "-n", str(options.ranks)] if options.ranks > 1 else []
    subprocess.run([*launcher, options.triad, "run", "-q", f"runs/{name}/case.toml", "--dir", at,
                    *outputs.sets(output__report=False, **values)], check=True)
    return outputs.series(at)


def cavities(options, name, folder, note):
    """The mean heat flux of the walls, to 0.5 %, and its order."""
    for rayleigh, (known, end) in CAVITIES.items():
        found = []
        for n in [n for n in (32, 64, 128) if n <= options.largest]:
            s = case(options, "heated-cavity", folder / f"{name}-{rayleigh:g}-{n}", grid__n=[n, n, 1], time__end=end,
                     equations__viscosity=math.sqrt(0.71 / rayleigh), equations__diffusivity=1 / math.sqrt(0.71 * rayleigh),
                     output__fields_interval=end, output__slices_interval=end)
            found.append(s["nusselt_volume"][-1])
            note(f"{name} {rayleigh:g}, {n}^2: Nu", f"{found[-1]:.4f}, steady to {abs(found[-1] / s['nusselt_volume'][-6] - 1):.0e}",
                 f"{known}", abs(s["nusselt_lower"][-1] / s["nusselt_upper"][-1] - 1) < 1e-3)
        off = abs(found[-1] / known - 1)
        note(f"{name} {rayleigh:g}: Nu of the finest", f"{100 * off:.2f} % off", "0.5 %", off < 0.005)
        if rayleigh >= 1e5 and options.largest >= 128:
            noted(note, {1e5: "staggered-heated-cavity-1e5", 1e6: "staggered-heated-cavity-1e6"}[rayleigh], off, found[-1])


def layers(options, name, folder, note):
    """Nusselt numbers in the mean over time, and the identities that hold for it."""
    rayleigh, n, nz, start, end, known = LAYERS[name]
    kappa = 1 / math.sqrt(0.7 * rayleigh)
    s = case(options, "rayleigh-benard", folder / name, grid__n=[n, n, nz], time__end=end, equations__diffusivity=kappa,
             equations__viscosity=0.7 * kappa, output__fields_interval=end, output__slices_interval=end)
    late = s["t"] > start
    mean = {column: values[late].mean() for column, values in s.items()}
    numbers = [mean["nusselt_lower"], mean["nusselt_upper"], mean["nusselt_volume"], mean["temperature_dissipation"] / kappa,
               1 + mean["dissipation"] / kappa]
    nu = np.mean(numbers[:3])
    note(f"{name}: Nu at the walls, in the volume, by both dissipations", " ".join(f"{value:.3f}" for value in numbers), "1 % apart",
         np.ptp(numbers) < 0.01 * nu)
    off = max(0, known[0] / nu - 1, nu / known[1] - 1)
    note(f"{name}: Nu", f"{nu:.3f}, {100 * off:.1f} % off {known[0]} to {known[1]}", "2 %", off < 0.02)
    noted(note, {"convection-1e5": "staggered-convection-1e5", "convection-1e6": "staggered-convection-1e6"}[name], off, nu)
