"""Warnings of kinds of output that cost more than 2 % of a run: each of its own cost. A clock that runs fast makes a minute of a moment."""

import os
import re
import subprocess

import pytest

from conftest import ROOT
from outputs import sets

CASE = """[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [16, 16, 16]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 0.3
dt = 0.01
[output]
series_interval = 1
"""
KINDS = {"probes": {"output__probes": ["lattice 11 11 11"], "output__probes_interval": 0.01},
         "means": {"output__means": ["moments", "profiles z", "spectra"], "output__means_interval": 0.01},
         "spectra": {"output__spectra_interval": 0.01},
         "fields": {"output__fields_interval": 0.01}}


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    library = tmp_path_factory.mktemp("clock") / "faster.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, ROOT / "tests/help/faster.c"], check=True, timeout=60)
    return library


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_costs_much_is_named_with_its_key(clock, launcher, triad, tmp_path, kind):
    (tmp_path / "case.toml").write_text(CASE)
    env = launcher.environment(1, {"LD_PRELOAD": str(clock), "TRIAD_TEST_FASTER": "3000"})
    done = subprocess.run([str(a) for a in (triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "r", *sets(**KINDS[kind]))], env=env,
                          capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "r/log.txt").read_text()
    warned = re.findall(r"(\w+) cost [\d.]+ % of the run so far, .*: use (\S+) >", text)
    assert (kind, f"output.{kind}_interval") in warned, text[-2000:]
