"""Sod's tube and an oblique shock with every Riemann solver, in the three families of the gas. Bounds are the errors of the first-order scheme with the
same flux on the same cells, by numpy (help/gas_fluxes.py)."""
import functools

import h5py
import numpy as np
import pytest

import outputs
import unstructured
from gas_fluxes import FLUXES, GAMMA, conserved, riemann_density
from outputs import sets
from verification import record

run = unstructured.run
CELLS, END, STEPS = 100, 0.2, 200
LEFT, RIGHT = (1, 0, 1), (0.125, 0, 0.1)
TUBE = f"""precision = "double"
[equations]
solver = "compressible"
[grid]
n = [{CELLS}, 1, 1]
length = [1, 1, 1]
[boundaries]
x = ["extrapolate", "extrapolate"]
[initial]
kind = "sod"
[time]
end = {END}
dt = {END / STEPS}
[output]
series_interval = 0
report = false
"""

BLOCKS = f"""[equations]
solver = "multiblock"
gas_constant = 1
[grid]
kind = "box"
n = [{CELLS}, 1, 1]
length = [1, 0.01, 1]
[boundaries]
patches = ["xmin + xmax: supersonic-outflow", "ymin + ymax: slip"]
[initial]
kind = "coarser"
file = "START"
[time]
end = {END}
dt = {END / STEPS}
[output]
series_interval = 0
report = false
"""


def primitive(u):
    rho, mx, my, mz, e = u
    return np.array([rho, mx / rho, my / rho, mz / rho, (GAMMA - 1) * (e - (mx * mx + my * my + mz * mz) / (2 * rho))])


@functools.cache
def first_order(word):
    """Density of the first-order scheme: cells change by the fluxes between them, in steps of Euler's method."""
    left = (np.arange(CELLS) + 0.5) / CELLS < 0.5
    q = np.array([np.where(left, a, b) for a, b in zip((LEFT[0], 0, 0, 0, LEFT[2]), (RIGHT[0], 0, 0, 0, RIGHT[2]))], dtype=float)
    u = conserved(q)
    for _ in range(STEPS):
        q = primitive(u)
        q = np.concatenate([q[:, :1], q, q[:, -1:]], axis=1)
        f = FLUXES[word](q[:, :-1], q[:, 1:])
        u = u - END / STEPS * CELLS * (f[:, 1:] - f[:, :-1])
    return u[0]


def error_of(rho):
    x = (np.arange(CELLS) + 0.5) / CELLS
    return np.abs(rho - riemann_density(LEFT, RIGHT, (x - 0.5) / END)).mean()


def tube_of_cells(run, word, transport):
    """Density along a tube of hexahedra."""
    folder = run("hexes", (CELLS, 2, 2), "sod", *sets(equations__low_order=word, equations__transport=transport, time__dt=END / STEPS),
                 length=(1, 2 / CELLS, 2 / CELLS), patches=["xmin: outflow", "xmax: outflow"], end=END)
    x = unstructured.centres("hexes", (CELLS, 2, 2), (1, 2 / CELLS, 2 / CELLS))[:, 0]
    rho = unstructured.state(folder)[0]
    return np.array([rho[np.abs(x - (i + 0.5) / CELLS) < 0.1 / CELLS].mean() for i in range(CELLS)])


@pytest.mark.parametrize("word", sorted(FLUXES))
def test_on_meshes_the_low_order_scheme_is_that_of_its_flux(run, word):
    """Some thousand steps of rounding: the states agree to far below any difference of two fluxes."""
    assert np.abs(tube_of_cells(run, word, "low") - first_order(word)).max() < 1e-11


@pytest.mark.parametrize("word", sorted(FLUXES))
def test_on_meshes_corrected_fluxes_are_better_than_those_of_first_order(run, word):
    assert error_of(tube_of_cells(run, word, "limited")) < error_of(first_order(word))


@pytest.mark.parametrize("reconstruction", ("characteristic", "components"))
@pytest.mark.parametrize("word", [*sorted(FLUXES), "llf"])
def test_in_a_box_reconstructed_fluxes_are_better_than_those_of_first_order(run_case, word, reconstruction):
    folder = run_case(TUBE, *sets(equations__riemann=word, equations__reconstruction=reconstruction))
    rho = outputs.points(folder, ("rho",)).reshape(-1)
    assert error_of(rho) < error_of(first_order("rusanov" if word == "llf" else word))


@pytest.mark.parametrize("word", sorted(FLUXES))
def test_in_a_box_smooth_waves_keep_the_order_of_the_reconstruction(run_case, word):
    """A density wave that is carried once round the box. On half the spacing the error of a fifth-order scheme is 2^-5 of it; 2^-4.5 leaves room for
    the next term. A dissipation of the states that did not vanish with their difference would leave order 1."""
    def error(n):
        text = TUBE.replace(f"[{CELLS}, 1, 1]", f"[{n}, 1, 1]").replace("extrapolate", "periodic").replace(
            'kind = "sod"', 'kind = "formula"\nrho = "1 + 0.1*sin(2*pi*x)"\nu = "1"\nv = "0"\nw = "0"\np = "1/1.4"')
        folder = run_case(text, *sets(equations__riemann=word, time__dt=0.1 / n, time__end=1.0, time__scheme="rk4"))
        return np.sqrt(((outputs.points(folder, ("rho",)).reshape(-1) - 1 - 0.1 * np.sin(2 * np.pi * np.arange(n) / n))**2).mean())
    coarse, fine = error(20), error(40)
    assert coarse / fine > 2**4.5
    if word == "roe":
        record("compressible-density-wave", fine, order=np.log2(coarse / fine))


@pytest.mark.parametrize("word", sorted(FLUXES))
def test_on_blocks_second_order_is_better_than_first(run_case, tmp_path, word):
    """The tube starts from a file of fields, which has both states."""
    left = (np.arange(CELLS) + 0.5) / CELLS < 0.5
    with h5py.File(tmp_path / "start.h5", "w") as f:
        for name, a, b in ("rho", LEFT[0], RIGHT[0]), ("u", 0, 0), ("v", 0, 0), ("w", 0, 0), ("p", LEFT[2], RIGHT[2]):
            f[f"{name}.1"] = np.where(left, float(a), float(b)).reshape(1, 1, CELLS)
    folder = run_case(BLOCKS.replace("START", str(tmp_path / "start.h5")), *sets(equations__riemann=word))
    assert error_of(outputs.points(folder, ("rho",)).reshape(-1)) < error_of(first_order(word))
