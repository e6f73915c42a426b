#!/usr/bin/env python3
"""The pictures of these pages. `python3 docs/figures.py` writes the drawings, docs/methods/*.svg, without any library.
`docs/figures.py gallery` executes the commands of docs/reference/figures*.md, which write docs/gallery/; half an hour on a laptop.

    pass.svg       the one pass: columns, exchange, planes, rows
    pipeline.svg   chunks in flight
"""
import pathlib
import re
import subprocess
import sys
import tempfile

RANKS = ("#4477aa", "#ddaa33", "#228866")
INK, FAINT, PAPER = "#222222", "#d8d8d8", "#ffffff"


def pale(color):
    """A colour thinned with white; plain RGB, which every viewer knows."""
    return "#" + "".join(f"{255 - (255 - int(color[i:i + 2], 16)) * 2 // 5:02x}" for i in (1, 3, 5))


class Picture:
    def __init__(self, width, height, about):
        self.width, self.height = width, height
        self.parts = [f"<title>{about}</title>", f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']

    def rect(self, x, y, w, h, fill="none", line=INK, width=1.0, dash=None):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="{line}" '
                          f'stroke-width="{width:g}"{dashes}/>')

    def dot(self, x, y, r, fill):
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>')

    def line(self, points, arrow=False, color=INK, width=1.4):
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        head = ' marker-end="url(#head)"' if arrow else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{head}/>')

    def text(self, x, y, lines, size=13, anchor="middle", weight="normal", color=INK):
        for i, words in enumerate(lines.split("\n")):
            words = words.replace("&", "&amp;").replace("<", "&lt;")
            self.parts.append(f'<text x="{x:g}" y="{y + i * size * 1.3:g}" font-size="{size}" text-anchor="{anchor}" '
                              f'font-weight="{weight}" fill="{color}">{words}</text>')

    def write(self, path):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" font-family="Helvetica, Arial, sans-serif">\n'
                '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="7" refY="4" orient="auto">'
                f'<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>\n')
        path.write_text(head + "\n".join(self.parts) + "\n</svg>\n")


def columns(kmax):
    """(kx, ky) of the held columns of a sphere, in the order of grid/layout.h."""
    rows = list(range(0, kmax + 1)) + list(range(-kmax, 0))
    return [(kx, ky) for ky in rows for kx in range(0 if ky >= 0 else 1, kmax + 1) if kx * kx + ky * ky <= kmax * kmax]


def owner(i, count, ranks=3):
    return next(r for r in range(ranks) if i < count * (r + 1) // ranks)


def draw_columns(p, x, y, kmax, step):
    held = columns(kmax)
    for i, (kx, ky) in enumerate(held):
        p.dot(x + kx * step, y - ky * step, 0.36 * step, RANKS[owner(i, len(held))])
    for ky in range(-kmax, 0):
        p.parts.append(f'<circle cx="{x:g}" cy="{y - ky * step:g}" r="{0.3 * step:g}" fill="none" stroke="{INK}" '
                       'stroke-dasharray="1.5 1.5" stroke-width="0.8"/>')
    p.line([(x - 6, y + (kmax + 1.2) * step), (x - 6, y - (kmax + 1.4) * step)], arrow=True, width=1)
    p.line([(x - 6, y + (kmax + 1.2) * step), (x + (kmax + 1.6) * step, y + (kmax + 1.2) * step)], arrow=True, width=1)
    p.text(x - 15, y - kmax * step, "ky", 12)
    p.text(x + (kmax + 1.2) * step, y + (kmax + 2.6) * step, "kx", 12)


def draw_work(p, x, y, w, planes, step):
    """Rows are planes z, shaded by their owner; a column of the picture is a block of this rank's columns."""
    for z in range(planes):
        r = owner(z, planes)
        p.rect(x, y + z * step, w, step - 2, pale(RANKS[r]), RANKS[r], 0.8)
    for i in range(1, 5):
        p.line([(x + i * w / 5, y - 2), (x + i * w / 5, y + planes * step)], color=PAPER, width=1.6)
    for r in range(3):
        first = planes * r // 3
        last = planes * (r + 1) // 3
        for z in range(first, last, 2):
            p.rect(x - 3, y + z * step - 2, w + 6, min(2, last - z) * step + 1, line=INK, width=1, dash="3 2")
    p.line([(x - 12, y), (x - 12, y + planes * step)], arrow=True, width=1)
    p.text(x - 20, y + planes * step - 4, "z", 12)


def draw_plane(p, x, y, n, step):
    kmax = (n - 1) // 3
    held = columns(kmax)
    place = {}
    for i, (kx, ky) in enumerate(held):
        place[kx, ky % n] = RANKS[owner(i, len(held))]
        if kx == 0 and ky > 0:
            place[0, n - ky] = "#999999"
    for iy in range(n):
        for kx in range(n // 2 + 1):
            p.rect(x + kx * step, y + iy * step, step - 1.5, step - 1.5, place.get((kx, iy), PAPER), FAINT, 0.6)
    p.rect(x - 3, y - 3, (kmax + 1) * step + 4, n * step + 4, line=INK, width=1, dash="4 3")
    p.line([(x - 11, y), (x - 11, y + n * step)], arrow=True, width=1)
    p.text(x - 21, y + n * step - 4, "y", 12)


def draw_rows(p, x, y, w):
    for i, name in enumerate(("u", "v", "w")):
        p.rect(x, y + i * 17, w, 12, "#eeeeee")
        p.text(x - 11, y + i * 17 + 10, name, 12)
    p.line([(x + w / 2, y + 53), (x + w / 2, y + 76)], arrow=True)
    p.text(x + w / 2 + 10, y + 69, "products", 12, "start")
    for i, name in enumerate(("u\u00b2\u2212w\u00b2", "uv", "v\u00b2\u2212w\u00b2", "uw", "vw")):
        p.rect(x, y + 82 + i * 17, w, 12, "#eeeeee")
        p.text(x - 6, y + 92 + i * 17, name, 11, "end")


def one_pass():
    p = Picture(1060, 430, "The one pass: columns of modes, exchange, planes, rows of points, and back")
    heads = ((110, "modes held: columns", "(kx, ky), every kept kz each"),
             (385, "work columns of a rank", "its columns at every z"),
             (655, "one plane, complex [y][kx]", "one a field and thread"),
             (930, "some rows of points", "real [x], in cache"))
    for x, title, remark in heads:
        p.text(x, 28, title, 15, weight="bold")
        p.text(x, 47, remark, 12)
    draw_columns(p, 70, 190, 7, 13)
    p.text(110, 330, "dashed: conjugates, not held", 11)
    draw_work(p, 330, 82, 110, 12, 17)
    p.text(385, 308, "dashed: chunks of planes\ncolour: the rank that owns them", 11)
    draw_plane(p, 605, 78, 17, 13)
    p.text(655, 325, "white: dropped, zero\ny lines visit the dashed part only", 11)
    p.text(950, 275, "qx = i kx (u\u00b2\u2212w\u00b2) + i ky uv,\nqy = i kx uv + i ky (v\u00b2\u2212w\u00b2):\nmade of planes, behind y forward", 11)
    draw_rows(p, 890, 84, 120)
    for x0, x1, back in ((186, 300, "z back\n+ 0 for dropped kz"), (452, 575, "exchange in"), (735, 838, "y, x back")):
        p.line([(x0, 160), (x1, 160)], arrow=True, width=2)
        p.text((x0 + x1) / 2, 128 if "\n" in back else 148, back, 12)
    for x0, x1, words in ((838, 735, "x, y forward"), (575, 452, "exchange out:\nqx, qy, uw, vw"),
                          (300, 186, "z forward\nkeep kept kz")):
        p.line([(x0, 215), (x1, 215)], arrow=True, width=2)
        p.text((x0 + x1) / 2, 236, words, 12)
    p.line([(455, 372), (1030, 372)], color="#888888", width=1)
    p.line([(455, 366), (455, 378)], color="#888888", width=1)
    p.line([(1030, 366), (1030, 378)], color="#888888", width=1)
    p.text(742, 392, "chunk by chunk, several in flight; planes of a chunk are dealt to threads", 12)
    p.line([(40, 372), (445, 372)], color="#888888", width=1)
    p.line([(40, 366), (40, 378)], color="#888888", width=1)
    p.line([(445, 366), (445, 378)], color="#888888", width=1)
    p.text(242, 392, "all columns, a block of them at a time", 12)
    for r, color in enumerate(RANKS):
        p.rect(395 + 95 * r, 407, 12, 12, color)
        p.text(412 + 95 * r, 418, f"rank {r}", 12, "start")
    return p


def pipeline():
    chunks, depth, unit = 6, 3, 92
    p = Picture(1010, 300, "Chunks in flight: one computes while others arrive and leave")
    x0, lanes = 130, {"arriving": 60, "computing": 150, "leaving": 210}
    p.text(20, 30, "time of one pass on one rank, 6 chunks, nstreams = 3", 15, "start", "bold")
    for name, y in lanes.items():
        p.text(20, y + 17, name, 13, "start")
    start = x0 + unit
    for c in range(chunks):
        run = start + c * unit
        color = RANKS[c % depth]
        begin = x0 if c < depth else start + (c - depth + 1) * unit
        row = lanes["arriving"] + (c % depth) * 26
        p.rect(begin + 2, row, max(run - begin - 4, 10), 22, pale(color), color)
        p.text((begin + max(run, begin + 14)) / 2, row + 16, str(c), 12)
        p.rect(run + 2, lanes["computing"], unit - 4, 26, color, color)
        p.text(run + unit / 2, lanes["computing"] + 18, f"chunk {c}", 12, color="#ffffff", weight="bold")
        p.rect(run + unit + 2, lanes["leaving"] + (c % 2) * 26, 1.15 * unit - 4, 22, pale(color), color)
        p.text(run + 1.57 * unit, lanes["leaving"] + (c % 2) * 26 + 16, str(c), 12)
    p.line([(x0 - 5, 275), (x0 + 9.1 * unit, 275)], arrow=True, width=1)
    p.text(x0 + 9.1 * unit, 294, "time", 12)
    p.text(x0, 294, "a colour is a slot of the buffers: chunk c + 3 is asked for when chunk c has been computed", 12,
           "start")
    return p


def gallery(here):
    """Every command of the pages of figures, in a folder of its own that looks like the top of the tree."""
    page = "\n".join((here / "reference" / name).read_text() for name in ("figures.md", "figures-space.md", "figures-timing.md"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bin", "tools", "runs", "docs"):
            pathlib.Path(folder, name).symlink_to(here.parent / name)
        for commands in re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S):
            subprocess.run(["sh", "-eux", "-c", commands], cwd=folder, check=True)


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    if sys.argv[1:] == ["gallery"]:
        gallery(here)
    else:
        one_pass().write(here / "methods/pass.svg")
        pipeline().write(here / "methods/pipeline.svg")
