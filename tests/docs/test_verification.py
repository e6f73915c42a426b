"""docs/verification.md has the figures of docs/data/verification.csv, which tests of known flows and make check-long measure."""

import ast
import re
import subprocess
import sys

import pytest

import verification
from conftest import ROOT

pytestmark = pytest.mark.quick
ROWS = verification.rows()
TESTS = sorted(p for folder in (ROOT / "tests").iterdir() if folder.is_dir() for p in folder.glob("test_*.py"))
LONG = [p for p in (ROOT / "tests/long").iterdir() if p.is_file()]


def names_in(paths, function):
    """Return regular expressions for the rows that these files measure.

    A file that calls `function` (record or noted) measures every row whose name it contains as a string. In an f-string argument of
    the call, each {..} matches any text.
    """
    found = set()
    for path in paths:
        text = path.read_text()
        if f"{function}(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ROWS:
                found.add(re.escape(node.value))
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
                parts = [a.values for a in node.args if isinstance(a, ast.JoinedStr)]
                found |= {"".join(re.escape(v.value) if isinstance(v, ast.Constant) else ".+" for v in values) for values in parts}
    return found


def test_the_page_has_the_tables_of_the_file():
    made = subprocess.run([sys.executable, ROOT / "tools/verification-page"], capture_output=True, text=True, timeout=60, check=True)
    assert (ROOT / "docs/verification.md").read_text() == made.stdout, "mend it by: tools/verification-page --write"


def test_the_file_is_as_it_would_be_written_again():
    assert verification.PATH.read_text() == verification.text_of(ROWS)


def test_rows_are_whole():
    bad = []
    for name, row in ROWS.items():
        whole = all(row[column] for column in ("case", "compared", "reference", "command")) and name.startswith(row["solver"] + "-")
        whole &= row["made by"] in verification.MAKERS and float(row["tolerance"]) > 0 and float(row["within"]) > 1
        figures = row["error"] and 0 <= float(row["error"]) <= float(row["tolerance"])
        beyond = row["error"] and float(row["error"]) > float(row["tolerance"])
        nothing = not (row["error"] or row["value"] or row["order"])
        # check-long may never have run; a test of the suite has its figures stored
        bad += [] if whole and {"check": figures, "check-long": figures or nothing, "stored": figures, "short": beyond, "not run": nothing}[row["made by"]] else [name]
    assert not bad


def test_each_row_is_measured_where_it_says():
    for made_by, found in (("check", names_in(TESTS, "record")), ("check-long", names_in(LONG, "noted"))):
        pattern = re.compile("|".join(found))
        expected = {name for name, row in ROWS.items() if row["made by"] == made_by}
        missing = {name for name in expected if not pattern.fullmatch(name)}
        assert not missing, f"{made_by}: nothing records {missing}"


def test_commands_name_tests_and_flows_that_exist():
    names = re.findall(r"^def (test_\w+)", "\n".join(p.read_text() for p in TESTS), re.M)
    for row in ROWS.values():
        if row["made by"] == "check":
            assert any(row["command"] in name for name in names), row["command"]
        elif row["made by"] == "check-long":
            script, triad, flow = row["command"].split()
            known = ast.get_docstring(ast.parse((ROOT / script).read_text()), clean=False)
            assert triad == "bin/triad" and re.search(rf"^ +{flow} ", known, re.M), row["command"]


def test_figures_of_stored_runs_are_on_their_pages():
    for row in ROWS.values():
        if row["made by"] in ("stored", "short"):
            assert row["value"] in (ROOT / row["command"]).read_text(), row["row"]


def test_figures_that_differ_are_told_apart(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    row = dict.fromkeys(verification.COLUMNS, "") | {"row": "a", "error": "1e-3", "tolerance": "2e-3", "within": "1.1", "order": "2.00", "made by": "check"}
    path.write_text(verification.text_of({"a": row}))
    monkeypatch.delenv("TRIAD_VERIFICATION", raising=False)
    assert verification.measured("a", 1.05e-3, order=2.05, path=path) == []
    assert "exceeds the tolerance" in verification.measured("a", 3e-3, order=2, path=path)[0]
    assert "by more than a factor of 1.1" in verification.measured("a", 0.8e-3, order=2, path=path)[0]
    assert "order 1.8 differs" in verification.measured("a", 1e-3, order=1.8, path=path)[0]
    assert "order None differs" in verification.measured("a", 1e-3, path=path)[0]
    assert verification.measured("a", float("nan"), order=2, path=path) != []
    monkeypatch.setenv("TRIAD_VERIFICATION", "write")
    assert verification.measured("a", 1.2345e-3, 7.5, 1.9, path=path) == []
    assert {key: verification.rows(path)["a"][key] for key in ("error", "value", "order")} == {"error": "0.00123", "value": "7.5", "order": "1.90"}
