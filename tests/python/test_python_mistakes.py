"""import triad: what a user gets wrong is told in words that help, by an exception of the right type."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.quick

HEAD = """
import triad
case = {"equations": {"solver": "hd", "viscosity": 0.05}, "grid": {"n": [8, 8, 8]}, "initial": {"kind": "random"}, "time": {"end": 0.1}}
flow = triad.Flow(case, dir="flow") if %s else None
"""


@pytest.mark.parametrize("text, kind, words", [
    ("flow.step(-1)", "UsageError", ["step(-1)", "0 or more"]),
    ("flow.step(1.5)", "UsageError", ["step(1.5)"]),
    ("flow.step(float('inf'))", "UsageError", ["step(inf)"]),
    ("flow.every(steps=float('inf'))", "UsageError", ["every(inf): the interval must be a positive number"]),
    ("flow.at(0.0, 0.05)", "UsageError", ["at(0.0): times must be positive"]),
    ("flow.at(float('nan'))", "UsageError", ["at(nan): times must be positive"]),
    ("flow.points('u', xy=0)", "UsageError", ["x, y and z, not xy"]),
    ("flow.points('u', z=float('nan'))", "UsageError", ["z = nan is not a position"]),
    ("import numpy as np; u = np.zeros((8, 8, 8)); u[5, 4, 3] = np.nan; flow.set(u=u); flow.step()", "CaseError",
     ["u is not a number at x = 2.35619, y = 3.14159, z = 3.92699 (indices 3 4 5), and not finite at 1 of 512 points"]),
    ("import numpy as np; u = np.zeros((8, 8, 8)); u[0, 0, 2:4] = -np.inf; flow.set(u=u); flow.step()", "CaseError",
     ["u is infinite at x = 1.5708, y = 0, z = 0 (indices 2 0 0), and not finite at 2 of 512 points"]),
    ("flow.set(u=1j)", "UsageError", ["u: the type must be float64, not complex128"]),
    ("flow.set(u=None)", "UsageError", ["u: the type must be float64, not object"]),
    ('triad.Ensemble(case, {"initial.kind": "random"}, dir="many")', "UsageError", ["initial.kind must be a list of values, not 'random'"]),
    ('triad.Ensemble(case, {"equations.viscosity": 0.1}, dir="many")', "UsageError", ["must be a list of values, not 0.1"]),
    ('triad.Ensemble(case, {"initial.seed": [1, 2, 1]}, dir="many")', "UsageError", ["initial.seed has the value 1 twice"]),
    ("flow.every(0)", "UsageError", ["every(0): the interval must be a positive number"]),
    ("flow.every(steps=0)", "UsageError", ["every(0): the interval must be a positive number"]),
    ('triad.Ensemble(case, {"equations.viscosty": [1]}, dir="many").run()', "CaseError",
     ['unknown key "equations.viscosty", did you mean "equations.viscosity"?', "run-001"]),
    ('import os; os.environ["MPIRUN"] = "no-mpirun-here"; triad.Ensemble(case, {"initial.seed": [1, 2]}, dir="many").run(ranks=2)', "FeatureError",
     ["no-mpirun-here: no such program"]),
    ('triad.Ensemble(case, {"initial.seed": [1]}, dir="many").run(options="--strict")', "UsageError", ["options must be a list of strings, not '--strict'"]),
    ('triad.open("flow").at([[1, 2, 3]], what="velocity")', "CaseError", ["flow has no valid checkpoint"]),
])
def test_what_is_wrong_is_told_without_places_in_the_sources(package, launcher, tmp_path, text, kind, words):
    script = HEAD % (text.startswith("flow") or "flow" in text) + f"try:\n    {text}\nexcept triad.Error as e:\n    print(type(e).__name__, e)\n"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env=launcher.environment(extra={"PYTHONPATH": str(package), "PYTHONWARNINGS": "ignore"}))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(kind + " ") and all(word in done.stdout for word in words), done.stdout
    assert ".c:" not in done.stdout
