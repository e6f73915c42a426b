"""Figures, reports and triad.open: an HDF5 file on which the library crashes, or never ends, is a problem with its name."""
import os
import signal
import sys
import time

import h5py
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from triad_plot.problem import Problem  # noqa: E402
from triad_plot.read import guarded, hdf5  # noqa: E402


@pytest.fixture
def path(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.attrs["t"] = 0.5
        file["u"] = range(5)
        file["u"].attrs["units"] = "U"
    return str(tmp_path / "a.h5")


def crash(_path):
    os.kill(os.getpid(), signal.SIGSEGV)


def never_end(_path):
    while True:
        pass


@pytest.mark.parametrize("fate, words", [(crash, "the HDF5 library crashes while reading it"), (never_end, "does not finish")])
def test_what_the_library_does_not_survive_is_a_problem_and_not_this_process_end(monkeypatch, path, fate, words):
    monkeypatch.setattr(guarded, "_try_all", fate)
    monkeypatch.setattr(guarded, "CPU", 0.3)
    for _ in range(2):
        with pytest.raises(Problem, match=f"a.h5: damaged: .*{words}"):
            hdf5.read(path, hdf5.time_of)


def test_a_file_is_tried_once_and_again_after_it_has_changed(monkeypatch, path):
    tried = []
    whole = guarded._trial
    monkeypatch.setattr(guarded, "_trial", lambda p: tried.append(p) or whole(p))
    assert [hdf5.read(path, hdf5.time_of) for _ in range(3)] == [0.5] * 3 and tried == [path]
    os.utime(path, ns=(1, time.time_ns()))
    assert hdf5.read(path, hdf5.time_of) == 0.5 and tried == [path] * 2
