"""Starts from formulas against the named starts that they spell out, and formulas that have no value somewhere."""

import numpy as np
import pytest

import outputs
from outputs import sets

CASES = {
    "hd": ("hd", "taylor-green", {}, ["initial.u=sin(x)*cos(y)*cos(z)", "initial.v=-cos(x)*sin(y)*cos(z)"]),
    "boussinesq": ("boussinesq", "abc", {}, ["initial.u=sin(z)+cos(y)", "initial.v=sin(x)+cos(z)", "initial.w=sin(y)+cos(x)",
                                             "initial.theta=0"]),
    "mhd": ("mhd", "orszag-tang", {}, ["initial.u=-2*sin(y)", "initial.v=2*sin(x)",
                                       "initial.bx=0.8*(-2*sin(2*y)+sin(z))", "initial.by=0.8*(2*sin(x)+sin(z))",
                                       "initial.bz=0.8*(sin(x)+sin(y))"]),
    "gpe": ("gpe", "plane-waves", {"initial.waves": "[1,0,0,0.25,0]", "equations.healing_length": 0.5},
            ["initial.psi_re=1+0.25*cos(x)", "initial.psi_im=0.25*sin(x)"]),
    "staggered": ("staggered", "taylor-green", {"equations.viscosity": 0.01},
                  ["initial.u=sin(x)*cos(y)*cos(z)", "initial.v=-cos(x)*sin(y)*cos(z)"]),
    "compressible": ("compressible", "taylor-green", {"initial.mach": 0.5},
                     ["parameters.p0=1/(1.4*0.25)", "parameters.d=1/16",
                      "initial.p=p0+d*(cos(2*x)+cos(2*y))*(cos(2*z)+2)",
                      "initial.rho=1+d*(cos(2*x)+cos(2*y))*(cos(2*z)+2)/p0",
                      "initial.u=sin(x)*cos(y)*cos(z)", "initial.v=-cos(x)*sin(y)*cos(z)"]),
}


@pytest.fixture
def run(triad, mpirun, tmp_path):
    """run(solver, kind, argument..): the finished process; its folder is .folder."""
    def start(solver, kind, *arguments, ranks=1, expect=0):
        case = tmp_path / "case.toml"
        case.write_text(f'[equations]\nsolver = "{solver}"\n[grid]\nn = [16, 16, 16]\n[initial]\nkind = "{kind}"\n'
                        "[time]\nend = 0.04\ndt = 0.01\n[output]\nreport = false\nslices = []\nseries_interval = 0\n")
        folder = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        sets = [word for argument in arguments for word in ("--set", argument)]
        done = mpirun(ranks, triad, "run", "-q", case, "--dir", folder, *sets, expect=expect, threads=1)
        done.folder = folder
        return done
    return start


@pytest.mark.parametrize("name", CASES)
def test_a_formula_start_is_its_named_twin(run, name):
    """Both round the same field; four steps keep what they differ by at some units of round-off of the largest term."""
    solver, kind, values, formulas = CASES[name]
    common = [f"{key}={value}" for key, value in values.items()]
    if solver in ("hd", "boussinesq", "mhd"):
        common.append("initial.scalar_variance=0")
    named = outputs.series(run(solver, kind, *common).folder)
    spelt = outputs.series(run(solver, "formula", *common, *formulas, ranks=2).folder)
    column = next(c for c in ("energy", "kinetic_energy") if c in named)
    assert max(abs(named[column])) > 0.01
    for key in named:
        if key in ("step", "shocklet_volume") or "tail" in key:  # counts of points, ratios of next to nothing
            continue
        size = max(1.0, np.nanmax(np.abs(named[key]), initial=0))
        np.testing.assert_allclose(spelt[key], named[key], rtol=0, atol=1e-13 * size, err_msg=key)


@pytest.mark.parametrize("solver, formula, told", [
    ("hd", "initial.u=1/x", "initial.u is infinite at x = 0, y = 0, z = 0"),
    ("hd", "initial.v=sqrt(3-y)", "initial.v is not a number at x = 0, y = 3.14159, z = 0"),
    ("compressible", "initial.p=z-3", "initial.p is -3 at x = 0, y = 0, z = 0: it must be positive"),
    ("hd", "initial.w=sin(q)", 'initial.w: "sin(q)": column 5: unknown name "q"')])
def test_a_formula_without_a_value_ends_with_65_and_the_place(run, solver, formula, told):
    done = run(solver, "formula", formula, ranks=2, expect=65)
    assert done.stderr.count(told) == 1, done.stderr
