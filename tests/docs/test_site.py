"""The site that `make docs` makes of the documents: every formula is understood, pages make it without a warning, and a
browser shows them by itself."""

import re
import subprocess
from html.parser import HTMLParser

import pytest

import browser
from conftest import ROOT
from pages import DISPLAYED, EVERY_PAGE, displayed, load, name_of, without_code


# ---- formulae ----

def test_formulae_are_understood():
    """Each becomes MathML on the site; where a dollar is not meant as one, it stands in `code`."""
    pytest.importorskip("docutils", reason="no docutils, which makes formulae of LaTeX: tools/deps --tests")
    mathml = load("mathml")
    count = 0
    for page in EVERY_PAGE:
        text = without_code(page)
        assert len(re.findall(r"^\$\$$", text, re.M)) % 2 == 0, f"{name_of(page)}: a line of two dollars without its partner"
        inline = re.findall(r"\$([^$]+)\$", re.sub(DISPLAYED, "", text))
        assert not re.search(r"[^{]\\(text|display)style", text), f"{name_of(page)}: docutils 0.22 has these first in a group: {{\\textstyle ..}}"
        assert text.count("$") == 4 * len(displayed(page)) + 2 * len(inline), f"{name_of(page)}: a dollar without its partner"
        for tex, made in [*((t, mathml.equation) for t in displayed(page)), *((t, mathml.mathml) for t in inline)]:
            count += 1
            try:
                text = made(tex)
            except ValueError as error:
                pytest.fail(f"{name_of(page)}: {error}")
            assert "\\" not in text, f"{name_of(page)}: {tex} is left as {text}"
    assert count > 0


def test_formulae_become_what_tex_makes_of_them():
    pytest.importorskip("docutils", reason="no docutils, which makes formulae of LaTeX: tools/deps --tests")
    mathml = load("mathml")
    assert mathml.mathml(r"\mathbf u + \boldsymbol{\Omega}").count("𝐮") == mathml.mathml(r"\boldsymbol{\Omega}").count("𝛀") == 1
    bars = re.findall(r'form="(\w+)"[^>]*>\|', mathml.mathml(r"\lvert\lvert\psi\rvert^2 - 1\rvert"))
    assert bars == ["prefix", "prefix", "postfix", "postfix"]
    assert "<munder" not in mathml.mathml(r"\bar u_n + \bar{u}_n + \hat{\mathbf z}_i")
    made = mathml.equation("\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned} \\tag{7}")
    assert 'id="equation-7"' in made and ">(7)<" in made and made.count("<mtr>") == 2
    for wrong in (r"\nosuchthing", r"\frac{1}{2", r"\frac{1}", r"x^", r"\left( x"):
        with pytest.raises(ValueError):
            mathml.mathml(wrong)


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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    found = subprocess.run([ROOT / "tools/python", "sphinx", "myst_parser", "furo"], capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip("no Python with sphinx, myst_parser and furo: apt install python3-sphinx python3-myst-parser furo, "
                    "or tools/deps --tests")
    folder = tmp_path_factory.mktemp("site")
    made = subprocess.run([found.stdout.strip(), "-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs",
                           "-d", folder / "doctrees", ROOT, folder / "html"], capture_output=True, text=True, timeout=170)
    return folder / "html", made


@pytest.mark.limit(180)
def test_pages_make_a_site_without_a_warning(site):
    html, made = site
    assert made.returncode == 0, made.stderr
    for page in EVERY_PAGE:
        there = html / page.relative_to(ROOT).with_suffix(".html")
        assert there.is_file(), f"{name_of(page)} is not part of the site"
        parser = Fetched()
        parser.feed(there.read_text())
        assert not parser.found, f"{name_of(page)} as HTML loads {parser.found}"
    assert "docs/README.html" in (html / "index.html").read_text()


# What reaches beyond the window, but for what has a box of its own that scrolls, and the sign that links to a heading.
BEYOND = """
[...document.querySelectorAll('article *')]
  .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .filter(e => !e.closest('.equation, .table-wrapper, .highlight, .headerlink'))
  .map(e => e.tagName + ': ' + e.textContent)"""


@pytest.mark.limit(240)
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_formulae_show_in_a_browser(site, width):
    """By the browser alone: no script, no request that leaves the folder; numbers at the right, links to them lead there."""
    if not browser.find():
        pytest.skip(f"no Chromium: {browser.PACKAGE}")
    with browser.Browser() as b:
        page = b.open(site[0] / "docs/methods/spectral.html", width, 900)
        formulae = len(displayed(ROOT / "docs/methods/spectral.md"))
        assert page.evaluate("document.querySelectorAll('.equation math').length") == formulae
        assert page.evaluate("document.querySelectorAll('math').length") > 5 * formulae
        # laid out as a formula: a fraction is higher than its numerator and its denominator together
        assert page.evaluate("""[...document.querySelectorAll('mfrac')].every(f => f.getBoundingClientRect().height >
            0.9 * [...f.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0))""")
        assert "divergence is ∂" in page.evaluate("document.querySelector('#the-nonlinear-term').textContent"), "a blank is lost"
        assert page.evaluate("document.querySelector('#equation-4 .eqno').textContent") == "(4)"
        assert page.evaluate(BEYOND) == []
        assert all(address.startswith(("file:", "data:")) for address in page.requests)
