"""The project's pages, the blocks of commands and the formulae that they show."""

import importlib.util
import re
from typing import NamedTuple

from conftest import ROOT

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
EVERY_PAGE = sorted(p for p in ROOT.rglob("*.md")
                    if not any(part in ("build", "output") or part[0] == "." for part in p.relative_to(ROOT).parts))


class Block(NamedTuple):
    language: str
    text: str
    why_not: str  # why it is not run here, from a comment above it: <!-- not run: needs Slurm -->


def name_of(page):
    return str(page.relative_to(ROOT))


def blocks(page):
    """The fenced blocks of a page, in order."""
    found = re.findall(r"^(?:<!-- not run: (.*?) -->\n)?```(\w*)\n(.*?)^```$", page.read_text(), re.M | re.S)
    return [Block(language, text, why_not) for why_not, language, text in found]


def prose(page):
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)


DISPLAYED = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.M | re.S)


def without_code(page):
    return re.sub(r"`[^`\n]*`|^ {4}.*$", "", prose(page), flags=re.M)


def displayed(page):
    """The formulae of a page that stand on lines of their own."""
    return DISPLAYED.findall(without_code(page))


def load(name):
    """A script of docs/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
