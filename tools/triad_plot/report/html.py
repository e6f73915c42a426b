"""Pieces of a page that needs nothing but itself: every text escaped, pictures inside, no script, no address."""
import base64
import html
import io
import re

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 15px/1.45 -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; color: #222; background: #fff;
       margin: 0 auto; padding: 1.2rem; max-width: 78rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem;
     border-bottom: 1px solid #d8d8d8; padding-bottom: .2rem; }
p.sub { margin: 0; color: #555; }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 2.2rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; } td, th { text-align: left; vertical-align: top; padding: .22rem .5rem .22rem 0; }
tr + tr > * { border-top: 1px solid #ececec; } th { font-weight: 600; width: 9.5rem; color: #444; }
table.numbers { width: auto; table-layout: auto; } .numbers th { width: auto; padding-right: 1.4rem; } .numbers td { padding-right: 1.4rem;
     font-variant-numeric: tabular-nums; } .scrolls { overflow-x: auto; } .number { white-space: nowrap; }
@media (max-width: 34rem) { .numbers th, .numbers td { padding-right: .45rem; font-size: .82rem; }
     .numbers th[scope=row] { min-width: 5.2rem; overflow-wrap: anywhere; hyphens: auto; } }
h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(27rem, 100%), 1fr)); gap: 1.2rem; grid-auto-flow: dense; }
figure { margin: 0; min-width: 0; } figcaption { color: #555; font-size: .9rem; }
figure svg, figure img { width: 100%; height: auto; display: block; }
.wide { grid-column: 1 / -1; }
ul.checks { list-style: none; padding: 0; margin: 0; } ul.checks li { padding: .35rem 0 .35rem 6.6rem; position: relative;
     border-top: 1px solid #ececec; min-height: 2.2rem; }
.verdict { position: absolute; left: 0; top: .35rem; width: 5.9rem; text-align: center; border-radius: 3px; font-size: .82rem;
     padding: .05rem .2rem; border: 1px solid; white-space: nowrap; }
.passed { color: #1a6b2a; border-color: #228833; background: #eef7f0; } .failed { color: #a3182c; border-color: #c0203a;
     background: #fdeef0; font-weight: 700; } .warning { color: #7a5a00; border-color: #b58900; background: #fdf6e0; }
.untold { color: #555; border-color: #999; background: #f4f4f4; }
p.judged { margin: .8rem 0 0; padding: .5rem .7rem; border-left: 4px solid #888; background: #f6f6f6; }
.compared td.outside { color: #a3182c; font-weight: 600; } .compared td.within { color: #1a6b2a; }
.note { color: #555; } pre { background: #f6f6f6; padding: .7rem; white-space: pre-wrap; font-size: .82rem; max-height: 30rem;
     overflow-y: auto; } details { margin: .4rem 0; } summary { cursor: pointer; } a { color: #2a5d9f; }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } figure, li, tr { break-inside: avoid; }
     h2 { break-after: avoid; } .figures { grid-template-columns: 1fr 1fr; } pre { max-height: none; } }
"""


def text(words):
    """Escaped; control characters, which a browser may not show, as \\x1b."""
    words = "".join(c if c.isprintable() or c in "\n\t\u00a0" else f"\\x{ord(c):02x}" for c in str(words))
    return html.escape(words, quote=True)


def table(title, rows):
    if not rows:
        return ""
    cells = "\n".join(f"<tr><th>{text(name)}</th><td>{text(value)}</td></tr>" for name, value in rows)
    return f"<section><h3>{text(title)}</h3>\n<table>{cells}</table></section>\n"


def numbers(title, head, rows):
    """A table with a row of names; the first column is words, the others numbers."""
    if not rows:
        return ""
    lines = ["<tr>" + "".join(f'<th scope="col">{text(name)}</th>' for name in head) + "</tr>"]
    lines += ["<tr>" + f'<th scope="row">{text(row[0])}</th>' + "".join(map(number_cell, row[1:])) + "</tr>" for row in rows]
    return f'<h2>{text(title)}</h2>\n<div class="scrolls"><table class="numbers">' + "\n".join(lines) + "</table></div>\n"


def judged(sentence):
    return f'<p class="judged">{text(sentence)}</p>\n'


def compared(title, lines, page):
    """Numbers next to published ranges, each with a link to where the range is from."""
    if not lines:
        return ""
    rows = ['<tr><th scope="col"></th><th scope="col">here</th><th scope="col">published</th><th scope="col"></th></tr>']
    for line in lines:
        published = f'<a href="#source-{line.anchor}">{text(line.published)}</a>' if line.anchor and line.published else text(line.published)
        value, at, where = line.value.partition(" at ")
        rows.append(f'<tr><th scope="row">{text(line.words)}</th><td><span class="number">{text(value)}</span>{text(at + where)}</td><td>{published}</td>'
                    f'<td class="{line.verdict or "none"}">{text(line.verdict)}</td></tr>')
    return (f'<h2>{text(title)}</h2>\n<div class="scrolls"><table class="numbers compared">' + "\n".join(rows) + "</table></div>\n"
            f'<p class="note">\u00b1 is a standard error. Outside means: look at it; by more than two standard errors. Ranges and sources are below and '
            f"in {text(page)}.</p>\n")


def sources(items, page):
    """[(anchor, what, source)]"""
    if not items:
        return ""
    lines = [f'<li id="source-{anchor}"><strong>{text(what)}.</strong> {text(source)} <span class="note">{text(page)}#{anchor}</span></li>'
             for anchor, what, source in items]
    return "<h2>Sources of the published ranges</h2>\n<ul>\n" + "\n".join(lines) + "\n</ul>\n"


def ahead(lines):
    return "<h2>Next</h2>\n<ul>\n" + "\n".join(f"<li>{text(line)}</li>" for line in lines) + "\n</ul>\n" if lines else ""


def methods(paragraph, bibtex, why):
    """A paragraph to paste, and its BibTeX."""
    after = f"<details><summary>BibTeX</summary><pre>{text(bibtex)}</pre></details>\n" if bibtex else f'<p class="note">No BibTeX: {text(why)}.</p>\n'
    return f"<h2>Methods</h2>\n<p>{text(paragraph)}</p>\n{after}"


def number_cell(cell):
    """No line ends within a number."""
    is_number = re.match(r"[-\u2212+]?[\d.]", str(cell))
    return f'<td class="number">{text(cell)}</td>' if is_number else f"<td>{text(cell)}</td>"


def checks(items):
    kind = {"not checked": "untold"}
    lines = [f'<li><span class="verdict {kind.get(c.verdict, c.verdict)}">{text(c.verdict)}</span>'
             f'<strong>{text(c.name)}</strong><br><span class="note">{text(c.text)}</span></li>' for c in items]
    return '<ul class="checks">\n' + "\n".join(lines) + "\n</ul>\n"


def svg_of(figure, name, about):
    """The figure as an <svg> element. Identifiers get its name in front: a page has many figures and one name space."""
    out = io.StringIO()
    # savefig draws twice where there is a layout to find, once for that alone; to print draws once and finds it on the way
    figure.dpi = matplotlib.rcParams["savefig.dpi"]
    FigureCanvasSVG(figure).print_svg(out, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    body = out.getvalue()
    body = body[body.index("<svg"):]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.S)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", body)
    body = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", body, count=1)
    body = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", body, count=1)
    return body.replace("<svg", f'<svg role="img" aria-label="{text(about)}"', 1)


def png_of(figure, about):
    out = io.BytesIO()
    figure.dpi = 130
    FigureCanvasAgg(figure).print_png(out, metadata={"Software": None})
    return png(out.getvalue(), about)


def png(content, about):
    data = base64.b64encode(content).decode("ascii")
    return f'<img alt="{text(about)}" src="data:image/png;base64,{data}">'


GREEK = {"omega": "\u03c9", "theta": "\u03b8", "eps": "\u03b5", "eta": "\u03b7", "Pi": "\u03a0", "k_perp": "k\u22a5",
         "k_par": "k\u2225"}


def caption(about):
    """The line of `triad-plot --help` as one reads it on paper: Greek letters, raised exponents, a capital."""
    words = re.sub(r"\b(" + "|".join(GREEK) + r")\b", lambda m: GREEK[m.group(1)], about)
    words = re.sub(r"\^\(([^)]*)\)|\^(\d)", r"<sup>\1\2</sup>", text(words))
    return words[0].upper() + words[1:]


def picture(drawn, about, wide):
    return f'<figure{" class=wide" if wide else ""}>{drawn}\n<figcaption>{caption(about)}</figcaption></figure>\n'


def page(title, body):
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            'style-src \'unsafe-inline\'">\n'
            f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n")
