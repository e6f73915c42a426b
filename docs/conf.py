"""Sphinx makes a site of the project's Markdown: make docs -> build/docs/html.

The pages are plain Markdown that reads well raw, so nothing in them is meant for Sphinx. What it needs besides is made
here: the tables of docs/README.md, which is the map, become the contents beside every page; docs/notebook/ has contents of
its own; the README of each folder is a page too, so that links between pages and sources hold.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
ROOT = Path(__file__).resolve().parent.parent

project = "Triad"
author = "The Triad authors"
copyright = "the Triad authors, BSD-3-Clause"  # noqa: A001: the name that Sphinx asks for
version = release = (ROOT / "VERSION").read_text().strip()

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["dollarmath"]  # formulae as GitHub takes them too
myst_update_mathjax = False
html_math_renderer = "mathml"  # of docs/mathml.py
source_suffix = {".md": "markdown"}
root_doc = "docs/README"
include_patterns = ["*.md", "**.md"]
exclude_patterns = ["build", "bin", "**/output", "**/.*", "**/build"]
highlight_language = "none"
myst_heading_anchors = 4

html_theme = "furo"  # needs no network
html_title = f"Triad {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False


def pages_of(text):
    """[(heading, [page, ..])] of the parts of docs/README.md that list pages of docs/ in a table."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    listed = ((parts[i], re.findall(r"^\| \[[^\]]*\]\((\w[\w./-]*)\.md\)", parts[i + 1], re.M))
              for i in range(1, len(parts), 2))
    return [(heading, pages) for heading, pages in listed if pages]


def contents(heading, entries):
    return "\n```{toctree}\n:hidden:\n:caption: " + heading + "\n\n" + "\n".join(entries) + "\n```\n"


def folders(env):
    """Every page that docs/README.md does not list; a README by the name of its folder."""
    listed = {f"docs/{page}" for _, pages in pages_of((ROOT / "docs/README.md").read_text()) for page in pages}
    own = {root_doc, *notebook(env)}
    return sorted(f"{name.removesuffix('/README')} </{name}>" for name in env.found_docs - listed - own)


def notebook(env):
    """The pages below docs/notebook/README.md, which is their contents."""
    return sorted(name for name in env.found_docs if name.startswith("docs/notebook/") and name != "docs/notebook/README")


def add_contents(app, name, source):
    if name == root_doc:
        text = source[0]
        source[0] = text + "".join(contents(heading, [f"/docs/{p}" for p in pages]) for heading, pages in pages_of(text))
        source[0] += contents("Folders", folders(app.env))
    elif name == "docs/notebook/README":
        source[0] += contents("Notebook", [f"/{page}" for page in notebook(app.env)])


def add_front_door(app, failure):
    if failure is None and app.builder.name == "html":
        (Path(app.outdir) / "index.html").write_text(
            '<!doctype html><meta charset="utf-8"><title>Triad</title>'
            '<meta http-equiv="refresh" content="0; url=docs/README.html"><a href="docs/README.html">Triad</a>\n')


def setup(app):
    app.connect("source-read", add_contents)
    app.connect("build-finished", add_front_door)
    return {"parallel_read_safe": True}
