"""Steady ready cases reach the residual that they ask for, on grids that are small: their runs end with 0 and pass their own checks."""

import sys

import pytest

from conftest import ROOT
from outputs import series, sets

sys.path.insert(0, str(ROOT / "tools"))


@pytest.mark.parametrize("name, n", [("oblique-shock", [52, 16, 1]), ("oblique-shock", [104, 32, 1]), ("supersonic-vortex", [16, 8, 1]),
                                     ("naca0012-euler", [32, 24, 1]), ("naca0012-laminar", [32, 16, 1]), ("flat-plate", [24, 12, 1]),
                                     ("inlet", [52, 16, 1])])
def test_a_steady_ready_case_converges(mpirun, triad, rundir, name, n):
    """inlet asks for all steps instead: its limiter goes on switching at the shock, as its page says."""
    from triad_plot.read.log import Log
    from triad_plot.read.run import Run
    from triad_plot.report import checks
    mpirun(1, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", rundir, *sets(grid__n=n, output__report=False), expect=0, timeout=200)
    run = Run(str(rundir))
    s = series(rundir)
    asked, steps = run.case["time.residual"], run.case["time.max_steps"]
    residuals = [column[-1] for column_name, column in s.items() if column_name.startswith("residual_")]
    assert max(residuals) <= asked if asked else s["step"][-1] == steps
    found = checks.of_run(run, Log(str(rundir / "log.txt")))
    assert len(found) >= 3 and [c for c in found if c.verdict != "passed" and "manifest" not in c.text] == []
