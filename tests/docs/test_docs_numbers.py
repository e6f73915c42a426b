"""Numbers that pages give to compare with, <!-- number: RUN COLUMN VALUE -->, are those of the last row of the run's series.csv,
to the digits that the page has. The case is the page's own, at its full size: the first run always, all pages with
TRIAD_PAGES=all in the environment (make check-long), in some minutes."""

import os
import re
import subprocess

import pytest

from conftest import ROOT
from pages import PAGES, blocks, name_of, prose

MARK = re.compile(r"<!-- number: (my-[\w-]+) (\w+) (-?[\d.]+(?:e-?\d+)?) -->")
NUMBERED = [page for page in PAGES if MARK.search(page.read_text())]


def half_a_digit(text):
    """Half a unit in the last place that a number is given to."""
    mantissa, _, exponent = text.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) * 1.01


def test_numbers_are_in_the_text():
    assert len(NUMBERED) > 5
    for page in NUMBERED:
        text = MARK.sub("", prose(page))
        for _, column, value in MARK.findall(page.read_text()):
            assert value in text and f"`{column}`" in text, f"{name_of(page)}: {column} {value} is not in the text"


@pytest.mark.limit(600)
@pytest.mark.parametrize("page", NUMBERED, ids=name_of)
def test_numbers_are_those_of_the_run(page, triad, launcher, tmp_path):
    if page.name != "first-run.md" and os.environ.get("TRIAD_PAGES") != "all":
        pytest.skip("takes a minute: TRIAD_PAGES=all")
    commands = "".join(b.text for b in blocks(page) if b.language == "sh" and not b.why_not)
    for run in sorted({name for name, _, _ in MARK.findall(page.read_text())}):
        case, = re.findall(rf"^cat > {run}\.toml <<'END'\n(.*?)^END$", commands, re.M | re.S)
        (tmp_path / f"{run}.toml").write_text(case)
        subprocess.run([triad, "run", f"{run}.toml", "--dir", run, "--set", "output.report=false"], cwd=tmp_path, check=True,
                       capture_output=True, timeout=550, env=launcher.environment(2))
        rows = [line for line in (tmp_path / run / "series.csv").read_text().splitlines() if line[0] != "#"]
        last = dict(zip(rows[0].split(","), rows[-1].split(",")))
        for name, column, value in MARK.findall(page.read_text()):
            assert name != run or abs(float(last[column]) - float(value)) <= half_a_digit(value), \
                f"{name_of(page)}: {column} is {last[column]}"
