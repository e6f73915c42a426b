"""report: one page, report.html, with what a run did: what, where, how long, checks, figures, files."""
import os
from urllib.parse import quote

from triad_plot import verbs
from triad_plot.compute import ranges
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.program import cite, find_triad
from triad_plot.read.log import Log
from triad_plot.read.means import Means
from triad_plot.read.run import Run, newest_below
from triad_plot.report import about, ahead, checks, contents, html, judge, means, methods, numbers, together
from triad_plot.whole import written

MOST_BYTES = 4_800_000   # of the page
MOST_SVG = 400_000       # of a figure; a picture of many points is smaller as PNG
LISTED = 4               # files of a folder that are named
RASTER = ("slice", "map")
FOLDERS = ("spectra", "slices", "fields", "surfaces", "particles", "probes", "means", "checkpoints")
KINDS = (".h5", ".vtkhdf", ".cgns", ".xmf", ".png")
SINGLE = ("case.toml", "case.resolved.toml", "case.changes.csv", "provenance.json", "log.txt", "series.csv", "profiles.csv", "probes.csv",
          "probes.h5", "means.h5")


def size_text(size):
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.3g} {unit}"
        size /= 1000


def link(run, name):
    path = run / name
    note = f" ({size_text(os.path.getsize(path))})" if os.path.isfile(path) else "/"
    return f'<a href="{html.text(quote(name))}">{html.text(name)}</a>{note}'


def files(run):
    """Links, relative to the page, to what lies in the run directory."""
    items = [link(run, name) for name in SINGLE if os.path.isfile(run / name)]
    for folder in FOLDERS:
        try:
            names = sorted(n for n in os.listdir(run / folder) if not n.startswith("."))
        except OSError:
            continue
        names = [n for n in names if n.endswith(KINDS) or os.path.isdir(run / f"{folder}/{n}")]
        if not names:
            continue
        few = names if len(names) <= LISTED else [names[0], None, *names[1 - LISTED:]]
        items.append(f"{folder}/ ({len(names)}): " + ", ".join("\u2026" if n is None else link(run, f"{folder}/{n}")
                                                               for n in few))
    return "<ul>\n" + "\n".join(f"<li>{item}</li>" for item in items) + "\n</ul>\n"


def stands(verb, run):
    """A picture in space takes seconds: the one that triad-plot has left in figures/, where it has."""
    try:
        with open(run / f"figures/{verb.name}.png", "rb") as file:
            content = file.read(MOST_BYTES)
    except OSError:
        raise Absent(f"{run.path}: {verb.name} has not been drawn") from None
    if not content.startswith(b"\x89PNG"):
        raise Problem(f"{run.path}: figures/{verb.name}.png is not a PNG file")
    return html.png(content, verb.about)


def drawn(verb, run, options):
    """(picture, caption, is it wide?); the caption is the verb's, where the figure does not know better."""
    if verb.solid:
        return stands(verb, run), verb.about, False
    figure = verb.draw([run], options)
    about = getattr(figure, "caption", verb.about)
    if verb.name not in RASTER:
        svg = html.svg_of(figure, verb.name, about)
        if len(svg) <= MOST_SVG:
            return svg, about, figure.get_figwidth() > 8
    return html.png_of(figure, about), about, figure.get_figwidth() > 8


def attempt(verb, run, options):
    """What `drawn` returns; None where the run has nothing for it; text where it failed."""
    try:
        return drawn(verb, run, options)
    except Absent:
        return None
    except Problem as problem:
        return f"{verb.name}: {problem}"


def pictures(run, options, room):
    """(figures, texts of those that could not be drawn); stops where the page would grow too large."""
    out, failed = [], []
    wanted = sorted((v for v in verbs.VERBS if v.of_runs and not v.columns and contents.has(run, v.name)),
                   key=lambda v: contents.order_of(run, v.name))
    for verb, made in zip(wanted, together.of_all(lambda verb: attempt(verb, run, options), wanted)):
        if made is None:
            continue
        if isinstance(made, str):
            failed.append(made)
            continue
        inside, words, wide = made
        if len(inside) > room:
            failed.append(f"{verb.name}: left out because the page would be too large; use triad-plot {verb.name}")
            continue
        room -= len(inside)
        out.append(html.picture(inside, words, wide))
    return out, failed


def log_part(log):
    told = log.of_level("error", "warning")
    if not told:
        return ""
    shown = "\n".join(told[:20]) + (f"\n\u2026 and {len(told) - 20} more in log.txt" if len(told) > 20 else "")
    return f"<h2>Errors and warnings in the log</h2>\n<pre>{html.text(shown[:20000])}</pre>\n"


def numbers_part(run):
    """The table of numbers; "" without a series."""
    try:
        series = run.series
    except Problem:
        return ""
    peak = numbers.peak(series) if not contents.of(run) or "dissipation" in contents.of(run).numbers else None
    return html.numbers("Numbers", numbers.head(run, series), numbers.rows(run, series)) + (f"<p>{html.text(peak)}</p>\n" if peak else "")


def means_part(run):
    """The table of running means; "" without them."""
    try:
        found = Means(run)
    except Problem:
        return ""
    return html.numbers("Running means with standard errors", means.head(found), means.rows(found))


def judged_part(judgement, found):
    """Means with standard errors and drifts, where the run has no file of means; numbers next to published ranges."""
    if judgement is None:
        return "", []
    lines = judgement.lines()
    drifts = "" if found else html.numbers("Means with standard errors", judgement.drift_head(), judgement.drift_rows())
    return drifts + html.compared("Compared with published ranges", lines, ranges.PAGE), lines


def sources_of(lines):
    named = {line.anchor for line in lines if line.anchor and line.published}
    return [(anchor, *source) for anchor, source in ranges.SOURCES.items() if anchor in named]


def standing(items):
    """The verdict in one line."""
    failed = sum(c.verdict == checks.FAIL for c in items)
    warned = sum(c.verdict == checks.WARN for c in items)
    passed = sum(c.verdict == checks.PASS for c in items)
    return f"{passed} checks passed, {failed} failed" + (f", {warned} warning{'s' * (warned != 1)}" if warned else "")


def compose(run, options):
    """(the whole page as text, its checks that failed)"""
    log = Log(run / "log.txt")
    items = checks.of_run(run, log, options.triad)
    tables = (html.table("Case", about.what(run, log)) + html.table("Software and hardware", about.on_what(run)) +
              html.table("Duration", about.how_long(run, log)))
    judgement = judge.of(run)
    means_table = means_part(run)
    comparison, lines = judged_part(judgement, means_table)
    bibtex, why = cite(options.triad, run)
    body = f'<header><h1>{html.text(run.title())}</h1>\n<p class="sub">{html.text(standing(items))}</p></header>\n'
    body += html.judged(judgement.sentence()) if judgement else ""
    body += f'<div class="tables">{tables}</div>\n{numbers_part(run)}{means_table}{comparison}<h2>Checks</h2>\n{html.checks(items)}{log_part(log)}'
    body += html.ahead(ahead.Ahead(run, judgement, log, options.triad).lines()) if judgement else ""
    body += html.methods(methods.paragraph(run, judgement, bibtex, log), bibtex, why) + html.sources(sources_of(lines), ranges.PAGE)
    after = (f"<h2>Files</h2>\n{files(run)}"
             f"<p>To cite this run: <code>triad cite {html.text(run.label)}</code> prints BibTeX.</p>\n")
    if run.case_text:
        after += f"<details><summary>All keys of the case</summary><pre>{html.text(run.case_text[:100_000])}</pre></details>\n"
    shown, failed = pictures(run, options, MOST_BYTES - len(body) - len(after) - 10_000)
    if shown:
        body += '<h2>Figures</h2>\n<div class="figures">\n' + "".join(shown) + "</div>\n"
    if failed:
        body += "<ul>" + "".join(f"<li>Not drawn: {html.text(f)}</li>" for f in failed) + "</ul>\n"
    return html.page(run.title(), body + after), [c for c in items if c.verdict == checks.FAIL]


def write(path, page):
    with written(path) as temporary, open(temporary, "w", encoding="utf-8", errors="replace") as file:
        file.write(page)


def command_paths(options):
    if len(options.paths) > 1:
        raise Problem("triad-plot report requires one run directory", USAGE)
    found = options.paths[0] if options.paths else newest_below(".")
    if not found:
        raise Problem("no run directory in this folder; give its path, for example: triad-plot report my-run", 66)
    return found


def run_command(options):
    options.refuse("report", ())
    run = Run(command_paths(options))
    options.triad = options.triad or find_triad()
    path = options.output or run / "report.html"
    page, failed = compose(run, options)
    write(path, page)
    for check in failed:
        print(f"check failed: {check.name}: {check.text}")
    print(path)
    return 0
