"""Values that would act differently from how they read: refused, or a case warning, which `triad case` prints as well."""

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import series

INLET = ROOT / "runs/inlet/case.toml"
SMALL = ("grid.n=[52,16,1]", "time.max_steps=20", "time.residual=1e-6", "output.report=false")
BOX = 'precision = "double"\n[grid]\nn = [16, 16, 16]\n[time]\nend = 0.02\n[output]\nreport = false\n'


def case(tmp_path, text):
    path = tmp_path / "case.toml"
    path.write_text(text)
    return path


def given(*values):
    return [word for value in values for word in ("--set", value)]


# ---- a goal that is not reached ----

def test_a_steady_flow_that_has_not_converged_does_not_end_with_0(triad, mpirun, rundir):
    """Its residuals at the end, of its own series, are above the 1e-6 that are asked for; with a goal that they meet it is finished."""
    first = mpirun(2, triad, "run", INLET, "--dir", rundir, *given(*SMALL), expect=75)
    s = series(rundir)
    last = max(column[-1] for name, column in s.items() if name.startswith("residual_"))
    assert 1e-6 < last < 10 and s["step"][-1] == 20
    assert first.stderr.count("not converged after 20 steps") == 1 and "time.residual = 1e-06" in first.stderr
    again = mpirun(1, triad, "run", INLET, "--dir", rundir, *given(*SMALL), expect=75)
    assert "not converged" in again.stderr and "time.max_steps" in again.stderr
    assert "not converged" in mpirun(1, triad, "info", rundir).stdout
    mpirun(1, triad, "run", INLET, "--dir", rundir, *given(*SMALL), *given("time.max_steps=25"), expect=75)
    assert series(rundir)["step"][-1] == 25, "the same command with more steps continues"


def test_a_steady_flow_without_a_goal_ends_with_its_last_step(triad, mpirun, rundir):
    printed = mpirun(1, triad, "run", INLET, "--dir", rundir, *given(*SMALL), *given("time.residual=0"))
    assert "converged" not in printed.stderr


# ---- boundaries that contradict their kind ----

@pytest.mark.parametrize("kind, mach", [("supersonic-inflow", 0.3), ("subsonic-inflow", 1.7), ("subsonic-inflow", 0)])
def test_an_inflow_that_contradicts_its_kind_is_refused(triad, mpirun, kind, mach):
    patches = (f'boundaries.patches=["inflow: {kind}, mach={mach}, pressure=12270, temperature=217", "ramp + cowl: slip", "symmetry: symmetry", '
               '"outflow: supersonic-outflow"]')
    printed = mpirun(1, triad, "case", INLET, "--check", *given(patches), expect=65)
    assert f"mach={mach}" in printed.stderr and "farfield" in printed.stderr


def test_a_supersonic_outflow_of_a_slow_start_is_a_warning(triad, mpirun, rundir):
    slow = given('boundaries.patches=["inflow: farfield, mach=0.3, pressure=12270, temperature=217", "ramp + cowl: slip", "symmetry: symmetry", '
                 '"outflow: supersonic-outflow"]')
    words = "the initial flow leaves at subsonic speed through 100 % of these faces"
    assert words in mpirun(2, triad, "run", INLET, "--dir", rundir, *given(*SMALL), *slow, expect=75).stderr
    assert words not in mpirun(1, triad, "run", INLET, "--dir", rundir / "fast", *given(*SMALL), expect=75).stderr


GAS = BOX + ('[equations]\nsolver = "compressible"\n[initial]\nkind = "uniform"\nstate = [1, {u}, 0, 0, 1]\n'
             '[boundaries]\nx = ["inflow", "outflow"]\ninflow = [1, {u}, 0, 0, 1]\n')


@pytest.mark.parametrize("u, words", [(2.0, []), (0.5, ["subsonic (Mach 0.423)", "initial flow leaves at subsonic speed through 100 %", "final flow leaves at subsonic speed through 100 %"]),
                                      (-2.0, ["nothing enters through the \"inflow\" at the lower end"])])
def test_a_gas_that_does_not_come_in_or_leave_as_it_should_is_a_warning(triad, mpirun, rundir, tmp_path, u, words):
    """The sound of density and pressure 1 is sqrt(1.4) = 1.183: 0.5 is a Mach number of 0.423."""
    printed = mpirun(2, triad, "run", case(tmp_path, GAS.format(u=u)), "--dir", rundir).stderr
    for text in words:
        assert printed.count(text) == 1, printed
    assert ("inflow" in printed) == bool(words)


def test_an_inflow_of_a_mesh_needs_a_velocity(triad, mpirun):
    printed = mpirun(1, triad, "case", ROOT / "runs/forward-step/case.toml", "--check",
                  *given('boundaries.patches=["xmin: inflow, pressure=1, density=1.4", "xmax: outflow"]'), expect=65)
    assert "nothing enters without a velocity" in printed.stderr


@pytest.mark.parametrize("u, v, count", [(2.0, 0, 0), (0.5, 0, 1), (-0.5, 0, 1), (0, 0, 0), (0, 0.5, 0), (0.5, 1.2, 0)])
def test_an_outflow_of_a_mesh_that_leaves_slower_than_sound_is_a_warning(triad, mpirun, rundir, tmp_path, u, v, count):
    """The sound of density and pressure 1 is 1.183. Gas at rest or along the patch does not leave; waves of a supersonic stream along it do."""
    text = BOX.replace("16, 16, 16", "4, 4, 4") + (f'[equations]\nsolver = "fct"\n[initial]\nkind = "uniform"\n'
                                                   f'velocity = [{u}, {v}, 0]\n[boundaries]\npatches = ["xmin: farfield, pressure=1, density=1, '
                                                   f'u={u}, v={v}", "xmax: outflow"]\n')
    text = text.replace("[grid]\n", '[grid]\nkind = "hexes"\n')
    printed = mpirun(2, triad, "run", case(tmp_path, text), "--dir", rundir).stderr
    assert printed.count("patch xmax: outflow: the initial flow is subsonic through 100 % of it") == count, printed


def test_an_outflow_of_a_mesh_that_becomes_subsonic_is_a_warning_at_the_end(triad, mpirun, rundir, tmp_path):
    """From rest: the stream of Mach 0.42 that enters at xmin has passed the box, of length 2 pi, at t = 12."""
    text = BOX.replace("16, 16, 16", "8, 4, 4") + ('[equations]\nsolver = "fct"\n[initial]\nkind = "uniform"\n[boundaries]\n'
                                                   'patches = ["xmin: farfield, pressure=1, density=1, u=0.5", "xmax: outflow"]\n')
    text = text.replace("[grid]\n", '[grid]\nkind = "hexes"\n')
    long = ["--set", "time.end=12", "--set", "time.max_steps=0"]
    printed = mpirun(2, triad, "run", case(tmp_path, text), "--dir", rundir, *long).stderr
    assert "initial flow is subsonic" not in printed
    assert printed.count("patch xmax: outflow: the final flow is subsonic through 100 % of it") == 1, printed


def test_a_staggered_inflow_that_flows_out_is_a_warning(triad, mpirun, tmp_path):
    text = BOX + '[equations]\nsolver = "staggered"\n[initial]\nkind = "rest"\n[boundaries]\nx = ["inflow", "outflow"]\ninflow = [{u}, 0, 0]\n'
    for u, count in ((1, 0), (-1, 1), (0, 1)):
        printed = mpirun(1, triad, "case", case(tmp_path, text.format(u=u)))
        assert printed.stderr.count("nothing enters through the \"inflow\" at the lower end") == count, (u, printed.stderr)


# ---- keys that others make void ----

VOID = {  # solver: what is given, which keys it makes void, and which of them act
    "reynolds number of the start": ('[equations]\nsolver = "compressible"\nviscosity = 1e-7\n[initial]\nkind = "turbulence"\nre_lambda = 20\nmach = 30\n',
                                     ["equations.viscosity", "initial.mach"], ["initial.re_lambda"]),
    "no start that has it": ('[equations]\nsolver = "compressible"\n[initial]\nkind = "sod"\nmach = 2\nradius = 1\n[boundaries]\nwall_velocity = '
                             f'{[0] * 18}\n', ["initial.mach", "initial.radius", "boundaries.wall_velocity"], ["initial.kind"]),
    "random": ('[equations]\nsolver = "hd"\nviscosity = 0.1\ndrag_wavenumber = 2\n[initial]\nkind = "random"\namplitude = 3\nenergy = 0.1\nslope = -2\n'
               '[forcing]\nkind = "linear"\npower = 2\nrate = 0.1\n',
               ["equations.drag_wavenumber", "initial.amplitude", "initial.slope", "forcing.power"], ["initial.energy", "forcing.rate"]),
    "staggered": ('[equations]\nsolver = "staggered"\nviscosity = 0.1\n[initial]\nkind = "rest"\nvelocity = [1, 0, 0]\n[solids]\ncount = 3\n'
                  '[forcing]\nkind = "stirring"\ndirection = [0, 1, 0]\nseed = 3\n',
                  ["initial.velocity", "solids.count", "forcing.direction"], ["forcing.seed"]),
    "mesh": ('[equations]\nsolver = "fct"\nprandtl = 0.7\ntransport = "low"\nslack = 1e-3\n[initial]\nkind = "sod"\nradius = 2\nposition = 1.0\n',
             ["equations.prandtl", "equations.slack", "initial.radius"], ["initial.position"]),
}


def warned(printed):
    return {line.split(": warning: ")[1].split(": ")[1].split(" is not used")[0] for line in printed.stderr.splitlines() if " is not used with " in line}


@pytest.mark.parametrize("name", VOID)
def test_a_key_that_another_makes_void_is_a_warning(triad, mpirun, tmp_path, name):
    text, void, used = VOID[name]
    path = case(tmp_path, BOX + text)
    printed = mpirun(1, triad, "case", path)
    assert warned(printed) == set(void)
    for key in void:
        line = 1 + next(i for i, row in enumerate((BOX + text).splitlines()) if row.startswith(key.split(".")[1] + " =") and "n = [16" not in row)
        assert f"case.toml:{line}:1: {key} is not used with " in printed.stderr
    assert mpirun(1, triad, "case", path, "--strict", expect=65).stderr.count("is not used with") == len(void)
    assert mpirun(1, triad, "case", path, "--check").stderr.count("is not used with") == len(void)
    resolved = printed.stdout.splitlines()
    for key in void:
        assert any(row.startswith(f"# {key.split('.')[1]} = ") and "not used: " in row for row in resolved), key
    for key in used:
        assert any(row.startswith(f"{key.split('.')[1]} = ") for row in resolved), key


@pytest.mark.parametrize("name", VOID)
def test_a_resolved_case_is_without_void_keys_and_the_same_case(triad, mpirun, tmp_path, name):
    path = case(tmp_path, BOX + VOID[name][0])
    once = mpirun(1, triad, "case", path).stdout
    second = tmp_path / "resolved.toml"
    second.write_text(once)
    again = mpirun(1, triad, "case", second)
    assert warned(again) == set()

    def values(text):
        return [row.split(" # ")[0] for row in text.splitlines() if " = " in row and not row.startswith("#")]
    assert values(again.stdout) == values(once)


def test_keys_that_a_grid_file_makes_void_are_warnings(triad, mpirun, tmp_path):
    """Of a file of nodes, made by triad itself from a box of 8 x 8 x 1 cells."""
    box = case(tmp_path, '[equations]\nsolver = "multiblock"\n[grid]\nn = [8, 8, 1]\n[boundaries]\npatches = ["*: farfield, mach=0.5, pressure=1e5, '
                         'temperature=300"]\n[time]\nend = 1e-6\n[output]\nreport = false\n')
    mpirun(1, triad, "grid", box, "--write", tmp_path / "box.x")
    file = ("grid.file=box.x", "grid.kind=file")
    printed = mpirun(1, triad, "case", box, *given(*file, "grid.length=[2,1,1]", "grid.origin=[1,0,0]"))
    assert warned(printed) == {"grid.n", "grid.length", "grid.origin"} and 'grid.kind = "file"' in printed.stderr


def test_every_ready_case_means_all_that_it_says(triad, mpirun):
    for page in sorted((ROOT / "runs").glob("*/case.toml")):
        assert warned(mpirun(1, triad, "case", page)) == set(), page


# ---- resolution ----

@pytest.mark.parametrize("solver, more", [("staggered", ""), ("compressible", "mach = 0.1\n")])
def test_a_flow_that_is_not_resolved_is_a_warning_of_every_solver_that_can_tell(triad, mpirun, rundir, tmp_path, solver, more):
    """Taylor-Green: mean |curl u|^2 = 3/4, so that eta = (nu^2/(3/4))^(1/4) and k_max = pi 16/(2 pi) = 8; differences of second order
    on 16 points lower the curl by some per cent."""
    text = BOX + f'[equations]\nsolver = "{solver}"\nviscosity = NU\n[initial]\nkind = "taylor-green"\n{more}'
    for nu, resolved in ((0.05, True), (1e-4, False)):
        path = case(tmp_path, text.replace("NU", str(nu)))
        printed = mpirun(2, triad, "run", path, "--dir", rundir / str(nu))
        assert series(rundir / str(nu))["kmax_eta"][0] == pytest.approx(8 * (nu**2 / 0.75)**0.25, rel=0.04)
        assert ("kmax_eta" in printed.stderr) != resolved
    path = case(tmp_path, text.replace("NU", "0"))
    mpirun(1, triad, "run", path, "--dir", rundir / "inviscid")
    assert np.isnan(series(rundir / "inviscid")["kmax_eta"]).all()


# ---- places beyond the box ----

@pytest.mark.parametrize("solver, initial", [("hd", "taylor-green"), ("staggered", "taylor-green"), ("compressible", "taylor-green")])
def test_places_beyond_a_periodic_box_are_warnings(triad, mpirun, tmp_path, solver, initial):
    """100 = 15 2 pi + 5.75222; -2 is within a period."""
    path = case(tmp_path, BOX + f'[equations]\nsolver = "{solver}"\nviscosity = 0.1\n[initial]\nkind = "{initial}"\n')
    places = given('output.slices=["z=100", "y=-2"]', 'output.probes=["[1, 1, 1]", "[1, 100, 1]"]')
    printed = mpirun(1, triad, "case", path, *places)
    assert printed.stderr.count("is outside the box") == 2, printed.stderr
    assert "output.slices: z = 100 is outside the box of length 6.28319: z = 5.75222 is used" in printed.stderr
    assert "output.probes: y = 100" in printed.stderr


def test_points_of_a_query_beyond_the_box_are_warnings(triad, mpirun, rundir, tmp_path):
    path = case(tmp_path, BOX + '[equations]\nsolver = "hd"\nviscosity = 0.1\n[initial]\nkind = "taylor-green"\n')
    mpirun(1, triad, "run", path, "--dir", rundir)
    (tmp_path / "points.csv").write_text("1,2,3\n1,100,3\n1,5.75222,3\n")
    printed = mpirun(1, triad, "query", rundir, "--at", tmp_path / "points.csv")
    assert "1 of 3 points are outside the periodic box" in printed.stderr and "y = 100 of point 1" in printed.stderr and "5.75222" in printed.stderr
    rows = [row.split(",") for row in printed.stdout.splitlines() if row and not row.startswith("#")][-2:]
    assert [float(v) for v in rows[0][3:6]] == pytest.approx([float(v) for v in rows[1][3:6]], abs=1e-5)


# ---- bodies, edges ----

@pytest.mark.parametrize("formula, words", [("x < 0", "selects no cell"), ("x < 1", None)])
def test_a_body_that_fills_nothing_is_a_warning_and_one_that_fills_all_is_refused(triad, mpirun, rundir, tmp_path, formula, words):
    path = case(tmp_path, BOX + f'[equations]\nsolver = "staggered"\nviscosity = 0.1\n[initial]\nkind = "rest"\n[solids]\nkind = "formula"\nformula = "{formula}"\n')
    printed = mpirun(2, triad, "run", path, "--dir", rundir).stderr
    assert ("solids.kind" in printed) == bool(words) and (not words or printed.count(words) == 1), printed
    mpirun(1, triad, "run", path, "--dir", rundir / "full", *given("solids.formula=x >= 0"), expect=65)


PERIODIC = 'u = "sin(y)"\nv = "exp(sin(z))"\nw = "tanh(3*sin(x))"\n'


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("fields, axis", [('u = "y"\n', "u is not periodic along y"), ('w = "x^2"\n', "w is not periodic along x"),
                                          ('v = "z"\n', "v is not periodic along z"), (PERIODIC, None)])
def test_a_start_that_jumps_across_the_edge_is_a_warning(triad, mpirun, rundir, tmp_path, ranks, fields, axis):
    path = case(tmp_path, BOX + f'[equations]\nsolver = "hd"\nviscosity = 0.1\n[initial]\nkind = "formula"\n{fields}')
    printed = mpirun(ranks, triad, "run", path, "--dir", rundir).stderr
    assert printed.count("is not periodic along") == (axis is not None) and (axis is None or axis in printed)


def test_a_file_that_jumps_across_the_edge_is_a_warning(triad, mpirun, rundir, tmp_path):
    """u = y, v = x on 12 points each: steps of 2 pi/12 = 0.524 inside, of 11 times that across the edge."""
    z, y, x = np.meshgrid(*[np.arange(12) * 2 * np.pi / 12] * 3, indexing="ij")
    with h5py.File(tmp_path / "start.h5", "w") as f:
        f["u"], f["v"], f["w"] = y, x, 0 * x
    path = case(tmp_path, BOX + '[equations]\nsolver = "hd"\nviscosity = 0.1\n[initial]\nkind = "file"\nfile = "start.h5"\n')
    printed = mpirun(1, triad, "run", path, "--dir", rundir).stderr
    assert "u is not periodic along y: it changes by 5.76 across the boundary of the box, but by at most 0.524" in printed
    assert "v is not periodic along x" in printed and printed.count("is not periodic") == 2


# ---- keys that are used ----

def test_the_file_of_a_start_from_the_nearest_cells_is_used(triad, mpirun, tmp_path):
    path = case(tmp_path, '[equations]\nsolver = "fct"\n[grid]\nkind = "hexes"\nn = [4, 4, 4]\n[initial]\nkind = "nearest"\nfile = "old.vtkhdf"\n[time]\nend = 1\n')
    printed = mpirun(1, triad, "case", path, "--check")
    assert "is not used" not in printed.stderr + printed.stdout, printed
