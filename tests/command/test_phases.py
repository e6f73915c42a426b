"""The time of a step by phase: every solver names its own, they add up to the step, and none that works is 0."""

import json
import re

import pytest

from commands import ROOT, left
from outputs import sets

# solver: case, grid and settings, all phases in order, those that must take time, and the pairs that exclude each other
GAS = ("exchange", "boundaries", "primitives", "reconstruction", "flux", "reconstruction_and_flux", "viscous", "update",
       "reconstruction_to_update", "subgrid_model", "sources", "checks", "rest")
STAGGERED = ("exchange", "advection_and_diffusion", "diffusion", "heat", "forcing", "subgrid_model", "divergence", "pressure_direction",
             "pressure_descent", "pressure_transform", "pressure_sums", "pressure_solve", "projection", "checks", "profiles", "rest")
BLOCKS = ("exchange", "boundaries", "states", "fluxes", "gradients_and_stress", "update", "states_to_update", "temperature",
          "implicit", "sources", "checks", "rest")
FCT = ("exchange", "boundaries", "gradients", "low_and_high_flux", "high_flux", "viscous", "low_order_transport", "limits",
       "correction", "flux_to_correction", "sources", "checks", "probes_and_means", "rest")
CASES = {
    "components": ("compressible-hit-decay", {"grid__n": [24, 24, 24]}, GAS,
                   "primitives reconstruction flux viscous update checks", "reconstruction_and_flux reconstruction_to_update sources"),
    "characteristic": ("compressible-hit-decay", {"grid__n": [24, 24, 24], "equations__compatibility": "none"}, GAS,
                       "primitives reconstruction_and_flux flux viscous update checks", "reconstruction reconstruction_to_update"),
    "gradients": ("stirred-decay", {"grid__n": [24, 24, 24], "solids__side": 4, "solids__count": 4, "solver__pressure": "pcg-polynomial"},
                  STAGGERED, "exchange advection_and_diffusion divergence pressure_direction pressure_descent pressure_sums "
                  "projection checks", "pressure_transform diffusion heat profiles"),
    "transform": ("rayleigh-benard", {"grid__n": [24, 24, 16]}, STAGGERED,
                  "advection_and_diffusion heat divergence pressure_transform projection", "pressure_direction"),
    "blocks": ("naca0012-laminar", {"grid__n": [64, 32, 1], "time__scheme": "rk2", "time__cfl": 0.5}, BLOCKS,
               "boundaries states fluxes gradients_and_stress update temperature checks", "implicit states_to_update"),
    "implicit": ("naca0012-laminar", {"grid__n": [64, 32, 1]}, BLOCKS, "states fluxes gradients_and_stress implicit update",
                 "states_to_update"),
    "lists": ("sod-tets", {"grid__n": [40, 4, 4]}, FCT,
              "boundaries gradients low_and_high_flux high_flux low_order_transport limits correction checks", "viscous flux_to_correction sources"),
    "layers": ("sod-tets", {"grid__n": [24, 16, 16], "grid__kind": "hexes"}, FCT,
               "gradients low_and_high_flux low_order_transport limits correction", "viscous flux_to_correction"),
}


def bench(command, name):
    case, settings, *_ = CASES[name]
    command("bench", ROOT / "runs" / case / "case.toml", "--steps", "4", "--json", "out.json", *sets(**settings, parallel__threads=1), expect=0)
    return json.loads((command.work / "out.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_phases_have_the_solvers_names_and_add_up_to_the_step(command, name):
    _, _, names, working, idle = CASES[name]
    b = bench(command, name)
    phases, step = b["phases_s"], b["step_s"]["median"]
    assert tuple(phases) == names, "the solver's table, in its order"
    assert sum(phases.values()) == pytest.approx(step, rel=1e-6)
    assert phases["rest"] < 0.25 * step, "what takes time has a name"
    for phase in working.split():
        assert phases[phase] > 0, phase
    for phase in idle.split():
        assert phases[phase] < 1e-3 * step, phase
    assert left(command) == ["out.json"]


def test_the_page_describes_every_phase():
    page = (ROOT / "docs" / "reference" / "bench.md").read_text()
    described = set(re.findall(r"`([a-z_]+)`", page[page.index("## Phases"):page.index("## JSON")]))
    for names in (GAS, STAGGERED, BLOCKS, FCT):
        assert set(names) <= described, set(names) - described
