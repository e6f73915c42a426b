"""The documents are true: what they cite exists, what is generated is up to date, and they make a site without a warning.
That what they show works is in test_docs_commands.py."""

import importlib.util
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conftest import ROOT
from pages import EVERY_PAGE, name_of, prose

SOURCES = [p for folder in ("src", "fft", "transpose", "solvers", "cuda") for p in (ROOT / folder).rglob("*.[ch]*")]


# ---- what is generated ----

def test_the_case_reference_is_up_to_date(triad):
    made = subprocess.run([triad, "case", "--reference"], capture_output=True, text=True, timeout=20, check=True)
    assert (ROOT / "docs/case.md").read_text() == made.stdout, "mend it by: bin/triad case --reference > docs/case.md"


def test_pictures_are_what_the_script_draws(tmp_path):
    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs/figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    for name, draw in (("pass.svg", figures.one_pass), ("pipeline.svg", figures.pipeline)):
        draw().write(tmp_path / name)
        kept = (ROOT / "docs" / name).read_text()
        assert (tmp_path / name).read_text() == kept, "mend it by: python3 docs/figures.py"


# ---- what is cited ----

def test_equations_that_are_cited_exist():
    text = (ROOT / "docs/numerics.md").read_text()
    shown = re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)
    numbered = [int(n) for block in shown for n in re.findall(r"\s\((\d+)\)$", block, re.M)]
    assert sorted(numbered) == list(range(1, len(numbered) + 1)), f"numbered once each, from 1: {numbered}"
    cited = 0
    for path in (*SOURCES, *EVERY_PAGE):
        for numbers in re.findall(r"\beqs?\. (\(?\d+\)?(?:(?:, | and )\(?\d+\)?)*)", path.read_text(errors="replace")):
            for n in re.findall(r"\d+", numbers):
                cited += 1
                assert int(n) in numbered, f"{name_of(path)} cites eq. ({n}), which docs/numerics.md does not have"
    assert cited > 0


def test_pages_that_sources_name_exist():
    named = 0
    for path in (*SOURCES, *filter(Path.is_file, ROOT.glob("tools/**/*")), *ROOT.glob("tests/*.py")):
        for page in re.findall(r"\bdocs/\w+\.md", path.read_text(errors="replace")):
            named += 1
            assert (ROOT / page).is_file(), f"{name_of(path)} names {page}"
    assert named > 0


def anchor_of(heading):
    """As GitHub makes it: lower case, punctuation dropped, blanks to hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere():
    for page in EVERY_PAGE:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (page.parent / file).resolve() if file else page
            assert there.exists(), f"{name_of(page)} links to {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
                assert anchor in map(anchor_of, headings), f"{name_of(page)} links to {target}"


def test_every_folder_has_its_page():
    folders = {p.parent for p in (*SOURCES, *ROOT.glob("runs/*/case.toml"))} | {ROOT / "runs", ROOT / "src"}
    missing = sorted(name_of(f) for f in folders if not (f / "README.md").is_file())
    assert not missing, f"no README.md in {missing}"


def test_ready_cases_are_listed_and_good(triad):
    page = (ROOT / "runs/README.md").read_text()
    for case in sorted(ROOT.glob("runs/*/case.toml")):
        assert f"({case.parent.name}/README.md)" in page, f"runs/README.md does not list {case.parent.name}"
        result = subprocess.run([triad, "case", case], capture_output=True, text=True, timeout=20)
        assert result.returncode == 0, result.stderr


def test_the_map_lists_every_page():
    listed = re.findall(r"^\| \[[^\]]*\]\(([\w.-]+\.md)\)", (ROOT / "docs/README.md").read_text(), re.M)
    assert sorted(listed) == sorted(p.name for p in ROOT.glob("docs/*.md") if p.name != "README.md")


# ---- the site ----

class Fetched(HTMLParser):
    """What a browser would load by itself from elsewhere when it shows a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "link", "img", "iframe", "source"):
            self.found += [value for name, value in attributes
                           if name in ("src", "href", "srcset") and re.match(r"(https?:)?//", value or "")]


@pytest.mark.limit(180)
def test_pages_make_a_site_without_a_warning(tmp_path):
    found = subprocess.run([ROOT / "tools/python", "sphinx", "myst_parser", "furo"], capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip("no Python with sphinx, myst_parser and furo: apt install python3-sphinx python3-myst-parser furo, "
                    "or tools/deps --tests")
    made = subprocess.run([found.stdout.strip(), "-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs",
                           "-d", tmp_path / "doctrees", ROOT, tmp_path / "html"],
                          capture_output=True, text=True, timeout=170)
    assert made.returncode == 0, made.stderr
    for page in EVERY_PAGE:
        site = tmp_path / "html" / page.relative_to(ROOT).with_suffix(".html")
        assert site.is_file(), f"{name_of(page)} is not part of the site"
        parser = Fetched()
        parser.feed(site.read_text())
        assert not parser.found, f"{name_of(page)} as HTML loads {parser.found}"
    assert "docs/README.html" in (tmp_path / "html/index.html").read_text()
