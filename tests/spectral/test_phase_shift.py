"""Phase shifts: products of 2.83 times the modes on the same grid, without aliases; and spheres of other radii."""

import numpy as np
import pytest

import outputs
from outputs import series, sets

CASE = """[equations]
solver = "%s"
viscosity = 0.02
%s
[grid]
n = [16, 16, 16]
radius = 7.4
[initial]
kind = "random"
wavenumber = 3
[time]
end = 0.2
dt = 0.02
[output]
series_interval = 0.04
spectra_interval = 0.1
slices = []
report = false
"""
SETS = {"hd": "rotation = [0.3, 0.0, 1.0]\nscalars = [0.01]\nscalar_gradients = [0.0, 0.5, 1.0]",
        "boussinesq": "buoyancy_frequency = 2.0\ndiffusivity = 0.03", "mhd": "hall = 0.2\nmean_field = [0.0, 0.3, 1.0]"}
SHIFTED = sets(grid__dealiasing="phase-shift")
EXACT = SHIFTED + sets(grid__shifts="exact")


@pytest.fixture
def run(mpirun, triad, tmp_path):
    def go(name, *more, solver="hd", ranks=1, expect=0, warnings=False):
        (tmp_path / "case.toml").write_text(CASE % (solver, SETS[solver]))
        check = ("case", tmp_path / "case.toml", "--check") if warnings else ("run", tmp_path / "case.toml", "--dir", tmp_path / name)
        result = mpirun(ranks, triad, *check, *more, expect=expect)
        return result.stderr if warnings else tmp_path / name if expect == 0 else result
    return go


def differ(a, b):
    """The largest difference of the modes of two runs, over the largest mode."""
    m, n = outputs.modes(a), outputs.modes(b)
    fields = [f for f in m if f not in ("attributes", "kx", "ky", "kz")]
    assert fields and all(outputs.by_wavenumber(m, f).keys() == outputs.by_wavenumber(n, f).keys() for f in fields)
    worst, most = 0, 0
    for f in fields:
        one, other = outputs.by_wavenumber(m, f), outputs.by_wavenumber(n, f)
        worst = max(worst, max(abs(one[k] - other[k]) for k in one))
        most = max(most, max(abs(v) for v in one.values()))
    return worst / most


@pytest.mark.parametrize("solver", SETS)
def test_two_grids_half_a_cell_apart_are_the_three_halves_rule(run, solver):
    """24^3 points hold the modes of 16^3 with room for all products: 24 = 3/2 16, and 7.4 < 8. Ten steps of products
    round by some hundred eps."""
    padded = run("padded", *sets(grid__n=[24, 24, 24]), solver=solver)
    exact = run("exact", *EXACT, solver=solver)
    assert differ(padded, exact) < 1e-13
    a, b = series(padded), series(exact)
    assert np.allclose(a["energy"], b["energy"], rtol=1e-13) and np.allclose(a["dissipation"], b["dissipation"], rtol=1e-13)


def test_aliases_are_there_without_shifts_and_fall_with_the_square_of_dt_with_random_ones(run):
    """Energy at the end, against the exact way at the same dt. A quarter of dt must leave a sixteenth (docs/methods/phase-shifts.md eq. 67),
    a fourth if it were of the first order; a tenth is between, as the numbers drawn differ."""
    e = {}
    for n, dt in ((5, 0.02), (10, 0.01), (20, 0.005)):
        some = sets(time__dt=dt, time__end=0.32, output__spectra_interval=0, time__scheme="rk4", equations__viscosity=0.002)
        exact = series(run(f"exact-{n}", *EXACT, *some))["energy"][-1]
        e[n] = abs(series(run(f"random-{n}", *SHIFTED, *some))["energy"][-1] / exact - 1)
    assert e[5] > 1e-9, "nothing to be seen"
    assert e[20] < 0.1 * e[5], e


def test_inviscid_flow_keeps_energy_and_helicity_on_two_grids(run):
    """The nonlinear term is a Galerkin projection: what is left is the error of rk4, of order 4 or better."""
    drift = []
    for dt in (0.04, 0.02):
        some = sets(equations__viscosity=0.0, equations__rotation=[0, 0, 0], equations__scalars=[], equations__scalar_gradients=[],
                    time__dt=dt, time__scheme="rk4", time__end=0.4, initial__helicity=0.5, output__series_interval=0.4)
        s = series(run(f"inviscid-{dt}", *EXACT, *some))
        drift.append([abs(s[q][-1] / s[q][0] - 1) for q in ("energy", "helicity")])
    assert (np.log2(np.array(drift[0]) / drift[1]) > 3.7).all(), drift


def one_grid(modes, n, shift):
    """du/dt of u = sum of modes u_k by products at n^3 points shifted by so many cells, without viscosity: -P(div(uu)), as an array over
    kx, ky, kz, for -n/2 <= k < n/2."""
    k = np.fft.fftfreq(n, 1 / n)
    kk = np.array(np.meshgrid(k, k, k, indexing="ij"))
    turn = np.exp(2j * np.pi / n * np.tensordot(shift, kk, 1))
    at = [np.fft.ifftn(u * turn) * n**3 for u in modes]
    kept = (kk**2).sum(0) < 7.4**2
    flux = np.array([sum(1j * kk[j] * np.fft.fftn(at[i] * at[j]) / n**3 / turn for j in range(3)) for i in range(3)])
    k2 = np.maximum((kk**2).sum(0), 1)
    return kept * -(flux - kk * (kk * flux).sum(0) / k2)


def test_a_run_tells_its_share_of_aliases(run):
    """Against the same products in numpy, of the modes of the checkpoint: both round by some hundred eps of a rate."""
    some = sets(output__aliasing=True, equations__rotation=[0, 0, 0], equations__scalars=[], equations__scalar_gradients=[], time__max_steps=1)
    made = run("told", *EXACT, *some)
    m, u = outputs.modes(made), np.zeros((3, 16, 16, 16), complex)
    for i, name in enumerate("uvw"):
        for (kx, ky, kz), value in outputs.by_wavenumber(m, name).items():
            u[i, kx, ky, kz] = value
            u[i, -kx, -ky, -kz] = np.conj(value)
    a, b = one_grid(u, 16, [0, 0, 0]), one_grid(u, 16, [0.5, 0.5, 0.5])
    told = series(made)["aliasing"][-1]
    assert told > 1e-4 and abs(told / (np.linalg.norm(a - b) / np.linalg.norm(a) / 2) - 1) < 1e-11


def test_ranks_and_a_restart_change_no_bit(run):
    """Grids are drawn by the number of the step: a break in the middle of four steps meets the same ones."""
    same = sets(parallel__reproducible=True, output__aliasing=True)
    whole = run("whole", *SHIFTED, *same)
    assert outputs.same_bits(whole, run("ranks", *SHIFTED, *same, ranks=3))
    run("parts", *SHIFTED, *same, *sets(time__max_steps=3))
    assert outputs.same_bits(whole, run("parts", *SHIFTED, *same, ranks=2))


def test_a_checkpoint_tells_its_sphere(run, mpirun, triad, tmp_path):
    shifted, usual = run("shifted", *SHIFTED), run("usual", *sets(grid__radius=0))
    told = outputs.modes(shifted)["attributes"]
    assert told["dealiasing"] in ("phase-shift", b"phase-shift") and np.allclose(told["radius"], 7.4)
    assert "radius" not in outputs.modes(usual)["attributes"]
    # and a flow goes on with the modes that both have
    on = run("on", *sets(grid__radius=0, initial__kind="checkpoint", time__end=1e-14,
                         time__dt=1e-14, initial__file=str(outputs.checkpoints(shifted)[-1])))
    u, v = (outputs.by_wavenumber(outputs.modes(r), "u") for r in (shifted, on))
    assert len(v) < len(u) and all(abs(v[k] - u[k]) < 1e-12 for k in v)


@pytest.mark.parametrize("radius, shifts", [(0, 0), (5.33, 0), (5.9, 0), (0, 1), (6.5, 1)])
def test_spheres_hold_the_lattice_points_within_their_radius(run, radius, shifts):
    held = radius or (np.sqrt(2) / 3 * 16 if shifts else 5)
    k = np.arange(-8, 9)
    r2 = k[:, None, None]**2 + k[None, :, None]**2 + k[None, None, :]**2
    inside = (r2 <= 25) if held == 5 else r2 < held**2
    if not shifts:
        inside &= (abs(k) <= 5)[:, None, None] & (abs(k) <= 5)[None, :, None] & (abs(k) <= 5)[None, None, :]
    m = outputs.modes(run("sphere", *(SHIFTED if shifts else []), *sets(grid__radius=radius, time__max_steps=1)))
    found = outputs.by_wavenumber(m, "scalar1")
    assert sum(2 if kx > 0 or (kx == 0 and (ky, kz) != (0, 0)) else 1 for kx, ky, kz in
               {(kx, ky, kz) for kx, ky, kz in found if kx > 0 or ky > 0 or (ky == 0 and kz > 0)}) == inside.sum() - 1


def test_a_run_of_another_grid_is_repeated_mode_by_mode_with_its_radius(run):
    """A third of the points, as other codes have it: of 16 points what 20, 24 and shifted 12 hold of the same sphere. Products of kept modes
    do not know how many points they were taken on; ten steps of them round by some hundred eps."""
    third = sets(grid__radius=16 / 3)
    stored = run("stored", *third)
    for name, more in (("20", sets(grid__n=[20, 20, 20])), ("24", sets(grid__n=[24, 24, 24])), ("shifted", EXACT + sets(grid__n=[12, 12, 12]))):
        assert differ(stored, run(name, *third, *more)) < 1e-13, name
    energy, other = (series(r)["energy"][-1] for r in (stored, run("other", *sets(grid__radius=5.1))))
    assert abs(other / energy - 1) > 1e-6, "and another radius is another flow"


def test_a_smaller_sphere_bears_longer_steps(run):
    """rk3 is stable to sqrt(3) on the imaginary axis; a mode of 7.4 turns by 2 pi 7.4/16 from point to point, one of 3 by 2 pi 3/16."""
    for radius, shifts in ((3, 0), (7.4, 1), (4, 1)):
        bound = np.sqrt(3) / (2 * np.pi * radius / 16)
        some = (SHIFTED if shifts else []) + sets(grid__radius=radius, time__dt=0, time__max_steps=1, equations__rotation=[0, 0, 0])
        assert "exceeds" not in run("within", *some, *sets(time__cfl=0.99 * bound), warnings=True), radius
        assert f"exceeds {bound:.2f}" in run("beyond", *some, *sets(time__cfl=1.05 * bound), warnings=True), radius


@pytest.mark.parametrize("keys, words", [
    (sets(grid__radius=6), ["grid.radius", "must be below 6 without phase shifts"]),
    (SHIFTED + sets(grid__radius=7.6), ["grid.radius", "must be below 7.5424"]),
    (SHIFTED + sets(grid__radius=0, grid__truncation="box"), ["grid.dealiasing", 'grid.truncation = "sphere"']),
    (sets(grid__radius=0, output__aliasing=True), ["output.aliasing", '"phase-shift"']),
    (sets(equations__solver="gpe", grid__dealiasing="phase-shift"), ["grid.dealiasing"]),
    (SHIFTED + sets(parallel__device="gpu"), []),
])
def test_what_cannot_be_is_refused(run, keys, words):
    result = run("refused", *keys, expect=65 if words else 69)
    assert all(word in result.stderr for word in words), result.stderr
