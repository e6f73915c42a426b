"""Flux-corrected transport in layers as boundary layers have them: thinner than their cells bow, bent, swept, of uneven thickness."""

import subprocess

import numpy as np
import pytest

import outputs
from unstructured import run, state  # noqa: F401
from thin_layers import CONSERVED, DENSITY, FAR, POLYHEDRON, SIDES_OF, VELOCITY, write_layers

EVERY = {"by default": {}, "hllc, high": {"equations__low_order": "hllc", "equations__transport": "high"},
         "near, no slack": {"equations__gradients": "near", "equations__slack": 0},
         "limited, slack": {"equations__gradients": "limited", "equations__slack": 0.01},
         "central": {"equations__high_order": "central"},
         "components, lists, ranks": {"equations__limited": ["components"], "grid__structured": "none", "ranks": 3}}


KINDS = [*SIDES_OF, POLYHEDRON]


def needs(triad, kind):
    if kind == POLYHEDRON and "cgns" not in subprocess.run(["ldd", triad], capture_output=True, text=True).stdout:
        pytest.skip("a build without CGNS")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("thickness, more", [(1e-4, "by default"), (1e-6, "by default"), *((1e-5, more) for more in EVERY)])
def test_a_free_stream_stays_in_thin_bent_layers(run, triad, tmp_path, kind, thickness, more):
    """Of the gas of the far field all round: rounding must not grow from step to step, nor show as the volume's share of a face's rounding."""
    needs(triad, kind)
    mesh = tmp_path / ("thin.cgns" if kind == POLYHEDRON else "thin.msh")
    write_layers(mesh, kind, thickness)
    folder = run("hexes", (4, 4, 4), "uniform", patches=[FAR], end=1e9, time__max_steps=60, grid__file=str(mesh),
                 initial__density=DENSITY, initial__velocity=VELOCITY, **EVERY[more])
    assert outputs.series(folder)["step"][-1] == 60
    for values, exact in zip(state(folder), CONSERVED):
        assert np.abs(values / exact - 1).max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("thickness, more", [(1e-3, "by default"), (1e-4, "by default"), *((1e-4, more) for more in list(EVERY)[1:])])
def test_a_free_stream_stays_in_single_precision_too(run, triad, tmp_path, kind, thickness, more):
    """To a hundred roundings of single precision, 2^-24 each; of momentum by that of sound, rho c, which the pressure rounds it by."""
    needs(triad, kind)
    mesh = tmp_path / ("thin.cgns" if kind == POLYHEDRON else "thin.msh")
    write_layers(mesh, kind, thickness)
    folder = run("hexes", (4, 4, 4), "uniform", patches=[FAR], end=1e9, time__max_steps=60, grid__file=str(mesh),
                 initial__density=DENSITY, initial__velocity=VELOCITY, precision="single", **EVERY[more])
    for values, exact in zip(state(folder), CONSERVED):
        assert np.abs(values - exact).max() / max(exact, 1.4) < 100 * 2.0**-24
