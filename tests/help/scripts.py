"""Scripts of Python that drive flows, in processes of their own, under mpirun where ranks matter, with the package as `make python`
leaves it: for test_python_*.py."""

import csv
import subprocess
import sys
import textwrap

import pytest

CASE = """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [12, 10, 8]
[initial]
kind = "random"
wavenumber = 2
energy = 0.5
[time]
end = 0.4
[output]
series_interval = 0.1
spectra_interval = 0.2
report = false
"""


@pytest.fixture
def python(package, mpirun, tmp_path):
    """Run a script on n ranks, in a folder with case.toml; what it prints."""
    (tmp_path / "case.toml").write_text(CASE)

    def run(text, n=0, expect=0, **options):
        (tmp_path / "script.py").write_text("import os\nimport numpy as np\nimport triad\n" + textwrap.dedent(text))
        env = {"PYTHONPATH": str(package), "TRIAD_WISDOM": str(tmp_path / "wisdom"), "PYTHONWARNINGS": "ignore"}
        if n:
            return mpirun(n, sys.executable, "script.py", cwd=tmp_path, env=env, expect=expect, **options)
        done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=mpirun.environment(1, env), timeout=300,
                              capture_output=True, text=True)
        assert done.returncode == expect, done.stdout + done.stderr
        return done
    run.folder = tmp_path
    return run


def rows(folder):
    with open(folder / "series.csv") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
