"""The list of mutants fits the sources, and its driver tells killed from survived. `make mutants` tries them."""

import importlib.machinery
import importlib.util
import sys

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def driver():
    loader = importlib.machinery.SourceFileLoader("mutants_run", str(ROOT / "tests/mutants/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants_run", loader))
    sys.modules["mutants_run"] = module
    loader.exec_module(module)
    return module


def test_every_mutant_has_its_place_and_its_tests(driver):
    mutants = driver.read_list()
    assert driver.misfits(mutants) == [], "the list of mutants does not fit the sources: see tests/mutants/list"
    for family in ("fft", "transpose", "solvers/spectral", "solvers/compressible", "solvers/staggered", "solvers/multiblock",
                   "solvers/unstructured"):
        assert sum(m.file.startswith(family + "/") for m in mutants) >= 3, family
    assert len(mutants) >= 60 and all(m.tests for m in mutants)


def test_misfits_are_named(driver):
    good = next(m for m in driver.read_list() if m.file == "fft/lines/lines.c")
    change = lambda **new: driver.Mutant(**{**good.__dict__, **new})
    for bad, words in ((change(old="no such text"), "0 times"), (change(old="triad"), "times"), (change(file="fft/no.c"), "not there"),
                       (change(new=good.old), "changes nothing"), (change(tests=("test_no_such",)), "there is no test_no_such")):
        (told, *_) = driver.misfits([bad])
        assert words in told and good.name in told
    assert driver.misfits([good, good])[0].endswith("stands twice in the list")


def test_a_mutant_is_killed_by_a_test_that_fails_and_by_nothing_else(driver, tmp_path, monkeypatch):
    """A tree of one file, whose make copies it, and tests that compare the copy."""
    (tmp_path / "clean/build").mkdir(parents=True)
    (tmp_path / "tree/build").mkdir(parents=True)
    (tmp_path / "tree/sum").write_text("1 + 1\n")
    (tmp_path / "tree/Makefile").write_text("all: build/sum\nbuild/sum: sum\n\t! grep -q bad sum && cp sum $@\n")
    monkeypatch.setattr(driver, "TREE", tmp_path / "tree")
    monkeypatch.setattr(driver, "CLEAN", tmp_path / "clean")
    monkeypatch.setattr(driver, "targets_of", lambda tests: ["all"])
    monkeypatch.setattr(driver, "command_of", lambda test: ["sh", "-c", test])
    assert driver.make(["all"]).returncode == 0
    driver.shutil.copy2(tmp_path / "tree/build/sum", tmp_path / "clean/build/sum")
    before = driver.built()
    sees, blind, hangs = "grep -q '1 + 1' build/sum", "test -s build/sum", "sleep 60"
    limits = dict.fromkeys((sees, blind), 60) | {hangs: 0.2}
    for new, tests, verdict in (("1 - 1", (blind, sees), f"killed by {sees}"), ("1 - 1", (blind,), "SURVIVED"),
                                ("1 - 1", (hangs,), f"killed by {hangs}"), ("bad", (sees,), "does not compile")):
        mutant = driver.Mutant("one", "sum", "1 + 1", new, tests)
        assert driver.judge(mutant, limits, []).startswith(verdict)
        assert (tmp_path / "tree/sum").read_text() == "1 + 1\n" and driver.built() == before
        assert (tmp_path / "tree/build/sum").read_text() == "1 + 1\n"


@pytest.mark.parametrize("survivors, why, code, score", [(0, "", 0, "100.0"), (1, "", 1, "95.0"), (1, "equal in all cases", 0, "95.0"),
                                                        (2, "equal in all cases", 1, "90.0")])
def test_the_score_wants_95_percent_and_a_reason_for_the_rest(driver, capsys, survivors, why, code, score):
    mutants = [driver.Mutant(f"m{i}", "f", "a", "b", ("t",), why) for i in range(20)]
    verdicts = {m.name: "SURVIVED" if i < survivors else "killed by t" for i, m in enumerate(mutants)}
    assert driver.tell(mutants, verdicts) == code
    assert f"{20 - survivors} of 20 killed: {score} %" in capsys.readouterr().out
    assert driver.tell(mutants, {m.name: "killed by t" for m in mutants[1:]}) == 1, "one was not tried"
