"""The report: what it says is true of the files, it needs nothing but itself, and it never harms a run."""

import html
import os
import re
import shutil
import signal
import subprocess

import h5py
import numpy as np
import pytest

import browser
import looks
import outputs
from conftest import ROOT
from looks import plot_here
from waiting import wait_for

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")


@pytest.fixture(scope="module")
def runs(triad, launcher, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return {name: looks.make_run(triad, launcher, folder / name, name) for name in ("hd", "mhd", "gpe")}


@pytest.fixture(scope="module")
def pages(triad, launcher, runs):
    """report.html of each, by `triad report`."""
    for folder in runs.values():
        done = launcher(1, triad, "report", folder, timeout=100)
        assert done.code == 0 and str(folder / "report.html") in done.stdout, done
    return {name: (folder / "report.html").read_text() for name, folder in runs.items()}


def verdicts(page):
    """{check: (verdict, text)}"""
    found = re.findall(r'<span class="verdict \w+">(.*?)</span><strong>(.*?)</strong><br><span class="note">(.*?)</span>', page)
    return {html.unescape(name): (verdict, html.unescape(text)) for verdict, name, text in found}


def verdict_of(page, words):
    (found,) = [v for name, v in verdicts(page).items() if words in name]
    return found


def report_on(folder, *more):
    done = plot_here("report", folder, *more)
    assert done.returncode == 0, done.stderr
    return (folder / "report.html").read_text()


def copied(runs, name, tmp_path):
    shutil.copytree(runs[name], tmp_path / "copy")
    return tmp_path / "copy"


# ---- work dealt to cores ----

def test_cores_together_do_what_one_does(monkeypatch):
    from triad_plot.report import together
    here = os.getpid()
    for cores in (1, 2, 5, 40):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid, n=cores: range(n))
        done = together.of_all(lambda n: (n, os.getpid() == here), range(7))
        assert done == [(n, n % min(cores, 7) == 0) for n in range(7)]


def test_what_a_core_fails_at_is_heard(monkeypatch):
    from triad_plot.report import together
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: range(3))
    with pytest.raises(ZeroDivisionError):
        together.of_all(lambda n: 1 / (n - 4), range(7))


# ---- what it says ----

def test_every_check_of_a_sound_run_passes(pages):
    for name, page in pages.items():
        found = {check: v for check, (v, _text) in verdicts(page).items()}
        # a superfluid at 16^3 has unresolved cores, and the run says so
        worst = {v for check, v in found.items() if not (name == "gpe" and "log" in check)}
        assert worst == {"passed"}, f"{name}: {verdicts(page)}"
        assert len(found) >= (6 if name == "gpe" else 9)


def test_it_tells_what_where_and_how_long(pages):
    page = html.unescape(pages["mhd"])
    for words in ("orszag-tang", "mhd", "16\u00b3", "resistivity", "0.02", "1 rank(s) \u00d7 1 thread(s)", "commit", "rk3",
                  "--dir", "time per step at the end"):
        assert words in page, words
    assert "\ufffd" not in page and "\\x" not in page


def test_figures_that_apply_are_in_it_and_links_lead_to_files(runs, pages):
    for name, figures in (("hd", 9), ("mhd", 9), ("gpe", 6)):
        assert pages[name].count("<figure") == figures, name
        for target in re.findall(r'<a href="([^#"][^"]*)"', pages[name]):
            assert (runs[name] / html.unescape(target)).exists(), target


def table_of(page, title):
    """Rows of the table below a heading, as texts of their cells."""
    body = page.split(f">{title}</h")[1].split("</table>")[0]
    return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
            for row in body.split("<tr>")[1:]]


def test_numbers_are_those_of_the_series(runs, pages):
    """At the end: the last row; the mean: by the trapezoidal rule over the rows of the later half."""
    s = outputs.series(runs["hd"])
    rows = {row[0]: row[1:] for row in table_of(pages["hd"], "Numbers")}
    late = s["t"] >= s["t"][-1] / 2
    scale = 3 ** 0.5 * s["integral_scale"] / (2 * s["energy"]) ** 0.5  # l_0/u', u'^2 = 2 E/3
    for words, y in (("dissipation", s["dissipation"]), ("Taylor Reynolds", s["re_lambda"]), ("k_max", s["kmax_eta"]),
                     ("turnover", scale), ("Kolmogorov scale", s["kolmogorov_scale"])):
        (row,) = [row for name, row in rows.items() if words in name]
        t, y = s["t"][late], y[late]
        mean = np.sum(np.diff(t) * (y[1:] + y[:-1]) / 2) / (t[-1] - t[0])
        np.testing.assert_allclose([float(row[0]), float(row[1].split("\u00b1")[0])], [y[-1], mean], rtol=5.01e-4)
    assert f"mean over t = {s['t'][late][0]:.4g} to" in rows[""][1]


def test_numbers_leave_out_what_is_zero_or_infinite(pages):
    names = [row[0] for row in table_of(pages["hd"], "Numbers")]
    assert not any("injection" in n for n in names) and any("energy" in n for n in names)
    assert not any("dissipation" in row[0] or "inf" in row for row in table_of(pages["gpe"], "Numbers"))


def test_captions_fit_the_equations(pages):
    captions = {name: re.findall("<figcaption>(.*?)</figcaption>", page) for name, page in pages.items()}
    assert "Enstrophy against time" in captions["hd"] and "Enstrophy, current squared against time" in captions["mhd"]
    assert any("current" in c for c in captions["mhd"]) and not any("current" in c for c in captions["hd"])
    assert "On a plane: density" in captions["gpe"]
    for found in captions.values():
        assert all(c[0].isupper() or c[0].isdigit() for c in found)
        assert not any(c.startswith("DE/dt") for c in found)


def test_what_was_run_tells_the_force_the_start_and_the_box(triad, launcher, tmp_path):
    done = launcher(1, triad, "run", "runs/iso-forced/case.toml", "--dir", tmp_path / "run", "--set", "grid.n=[12,12,16]",
                    "--set", "time.max_steps=3", "--set", 'grid.length=["2pi",3.5,"3pi/4"]', "--set",
                    "equations.rotation=[0,0,1.5]", timeout=60)
    assert done.code == 0, done
    page = html.unescape(report_on(tmp_path / "run"))
    rows = dict(row for row in table_of(page, "Case"))
    assert rows["box"] == "2\u03c0 \u00d7 3.5 \u00d7 3\u03c0/4"
    assert rows["forcing"] == "random: power 0.1; k range 1, 2.5; seed 1"
    assert rows["initial condition"].startswith("random: wavenumber 2; energy 0.5; spectrum gaussian")
    assert "\u03a9\u00a0=\u00a0(0,\u00a00,\u00a01.5)" in page.split("</h1>")[0]


def test_an_empty_place_is_told_apart_from_a_number_that_is_not_finite(runs, tmp_path):
    for name, word, wanted in (("empty", None, "passed"), ("infinite", float("inf"), "failed")):
        folder = copied(runs, "hd", tmp_path / name)
        rows_changed(folder, lambda row, i, n: row.update(re_lambda=word))
        verdict, text = verdict_of(report_on(folder), "finite")
        assert verdict == wanted and "re_lambda" in text


def test_every_field_that_is_not_resolved_is_named(runs, tmp_path):
    folder = copied(runs, "hd", tmp_path)
    text = (folder / "series.csv").read_text()
    lines = [line if line.startswith("#") else line + (",scalar1_kmax_eta,scalar1_tail" if line.startswith("step") else ",0.5,0.4")
             for line in text.splitlines()]
    lines[3:3] = ["# scalar1_kmax_eta [1]: x; resolved: at least 1", "# scalar1_tail [1]: y; resolved: at most 0.257"]
    (folder / "series.csv").write_text("\n".join(lines) + "\n")
    page = report_on(folder)
    verdict, said = verdict_of(page, "resolved")
    assert verdict == "warning" and "of scalar1 = 0.50" in said
    verdict, said = verdict_of(page, "piles up")
    assert verdict == "warning" and "scalar1" in said and "0.40" in said


def test_it_is_small_and_asks_for_nothing(pages):
    for page in pages.values():
        assert len(page.encode()) < 5_000_000
        assert "<script" not in page and "@import" not in page and "<link" not in page
        assert not re.search(r'(?:src|href)="(?!data:|#)[a-z]+:', page)
        ids = re.findall(r'\bid="([^"]+)"', page)
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("part", ["series.csv", "spectra", "fields"])
def test_any_part_alone_makes_a_report(part, runs, tmp_path):
    source = runs["hd"] / part
    (tmp_path / "left").mkdir()
    (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / "left" / part)
    page = report_on(tmp_path / "left")
    assert page.count("<figure") == {"series.csv": 4, "spectra": 3, "fields": 1}[part]


# ---- a check that fails, fails ----

def rows_changed(folder, change):
    lines = (folder / "series.csv").read_text().splitlines(keepends=True)
    head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    names = lines[head].strip().split(",")
    for i in range(head + 1, len(lines)):
        row = {n: float(word) if word.strip() else None for n, word in zip(names, lines[i].split(","))}
        change(row, i - head - 1, len(lines) - head - 1)
        lines[i] = ",".join("" if row[n] is None else repr(row[n]) for n in names) + "\n"
    (folder / "series.csv").write_text("".join(lines))


def leak(row, i, n):
    row["energy"] *= 1 + 0.1 * i / n


def blow(row, i, n):
    row["u_max"] = float("nan") if i == n - 1 else row["u_max"]


def stretch(row, i, n):
    row["divergence"] = 1e-6


def coarsen(row, i, n):
    row["kmax_eta"] = 0.5


def shorten(row, i, n):
    row["t"] *= 0.5


@pytest.mark.parametrize("change, check, verdict", [
    (leak, "budget", "failed"), (leak, "sums to the energy", "failed"), (blow, "finite", "failed"),
    (stretch, "divergence", "failed"), (coarsen, "resolved", "warning"), (shorten, "reached its end", "warning")])
def test_a_damaged_series_is_found(change, check, verdict, runs, tmp_path):
    folder = copied(runs, "hd", tmp_path)
    rows_changed(folder, change)
    assert verdict_of(report_on(folder), check)[0] == verdict


def test_damaged_files_are_found_and_cost_their_own_figures_only(triad, runs, tmp_path):
    folder = copied(runs, "hd", tmp_path)
    with h5py.File(sorted((folder / "spectra").glob("*.h5"))[-1], "r+") as f:
        f["T"][3] += 1e-6
    newest = sorted((folder / "checkpoints").glob("step-*"))[-1] / "modes.h5"
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 1
    newest.write_bytes(data)
    with open(folder / "log.txt", "a") as f:
        f.write("2030-01-31T23:59:59.123Z error    the sky falls\n")
    page = report_on(folder, "--triad", triad)
    assert verdict_of(page, "transfer")[0] == "failed"
    assert verdict_of(page, "Checkpoints")[0] == "failed"
    assert verdict_of(page, "log has no")[0] == "failed" and "the sky falls" in page
    path = sorted((folder / "spectra").glob("*.h5"))[0]
    path.write_bytes(path.read_bytes()[:500])
    page = report_on(folder)
    assert verdict_of(page, "can be read")[0] == "failed" and path.name in page
    assert page.count("<figure") == 5  # energy, enstrophy, dissipation, budget, slice


def test_all_text_is_escaped(runs, tmp_path):
    folder = tmp_path / '<b onload="x">&'
    shutil.copytree(runs["hd"], folder)
    evil = "<script>alert(1)</script>\x1b[31m"
    text = (folder / "case.resolved.toml").read_text()
    text = re.sub(r"^# .* as it", f"# {evil} as it", text).replace('kind = "taylor-green"', f'kind = "{evil[:25]}"')
    (folder / "case.resolved.toml").write_text(text)
    with open(folder / "log.txt", "a") as f:
        f.write(f"2030-01-31T23:59:59.123Z warning  {evil}\n")
    page = report_on(folder)
    assert "<script" not in page and "<b onload" not in page and "\x1b" not in page
    assert "&lt;script&gt;alert(1)" in page


# ---- at the end of a run ----

def run(launcher, triad, folder, *more, ranks=1, env=None, **options):
    case = "runs/taylor-green-demo/case.toml"
    return launcher(ranks, triad, "run", case, "--dir", folder, "--set", "grid.n=[16,16,16]", "--set", "time.end=0.2", *more,
                    env={"TRIAD_REPORT": "yes", **(env or {})}, timeout=100, **options)


def test_a_run_ends_with_its_report(triad, mpirun, tmp_path):
    done = run(mpirun, triad, tmp_path / "run", ranks=2, expect=0)
    assert f"report: {tmp_path}/run/report.html" in done.stdout
    assert verdict_of((tmp_path / "run/report.html").read_text(), "Checkpoints")[0] == "passed"
    shutil.rmtree(tmp_path / "run")
    done = run(mpirun, triad, tmp_path / "run", "--set", "output.report=false", expect=0)
    assert "report" not in done.stdout and not (tmp_path / "run/report.html").exists()


def test_spectra_of_points_in_single_precision_are_held_to_single_precision(triad, mpirun, tmp_path):
    """Energy is a sum over cells, E(k) one over modes: a transform in single precision stands between them."""
    done = mpirun(1, triad, "run", ROOT / "runs/staggered-vortices/case.toml", "--dir", tmp_path / "run", "--set", "grid.n=[16,16,16]", "--set",
                  "precision=single", "--set", "time.max_steps=4", "--set", "output.spectra_interval=0.02", env={"TRIAD_REPORT": "yes"}, timeout=60, expect=0)
    assert "check failed" not in done.stderr


def test_a_page_stands_until_a_step_is_taken(triad, mpirun, tmp_path):
    page = tmp_path / "run/report.html"
    run(mpirun, triad, tmp_path / "run", expect=0)
    before = page.stat().st_mtime_ns
    done = run(mpirun, triad, tmp_path / "run", expect=0)
    assert "already finished" in done.stdout and f"report: {page} (unchanged)" in done.stdout
    assert page.stat().st_mtime_ns == before
    done = run(mpirun, triad, tmp_path / "run", "--set", "time.end=0.3", expect=0)
    assert "html (unchanged)" not in done.stdout and page.stat().st_mtime_ns > before


def test_a_blow_up_is_reported_too(triad, mpirun, tmp_path):
    done = run(mpirun, triad, tmp_path / "run", "--set", "time.dt=20", "--set", "time.end=1000", "--set",
               "initial.amplitude=1e3", ranks=2, expect=80)
    assert verdict_of((tmp_path / "run/report.html").read_text(), "log has no")[0] == "failed", done


def test_a_missing_module_is_one_line_and_changes_nothing(triad, mpirun, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/h5py.py").write_text("raise ImportError('No module named h5py')\n")
    done = run(mpirun, triad, tmp_path / "run", env={"PYTHONPATH": tmp_path / "broken"}, expect=0)
    (line,) = [line for line in done.stdout.splitlines() if "report" in line]
    assert line.startswith("no report.html: ") and "python3-h5py" in line and "report" not in done.stderr
    done = mpirun(1, triad, "report", tmp_path / "run", env={"PYTHONPATH": tmp_path / "broken"}, timeout=100, expect=69)
    assert "python3-h5py" in done.stderr


def test_a_python_that_breaks_is_one_line_and_changes_nothing(triad, mpirun, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/h5py.py").write_text("import os\nos.kill(os.getpid(), 11)\n")
    done = run(mpirun, triad, tmp_path / "run", env={"PYTHONPATH": tmp_path / "broken"}, expect=0)
    assert "no report.html: " in done.stdout


def test_a_report_that_hangs_gives_way_to_a_signal(triad, mpirun, tmp_path):
    """TERM while the report is made: the run, which is done, ends as it would have."""
    hang = tmp_path / "hang"
    hang.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 300\n")
    hang.chmod(0o755)
    env = {**mpirun.environment(1), "PYTHON": str(hang), "TRIAD_REPORT": "yes"}
    process = subprocess.Popen([triad, "run", ROOT / "runs/taylor-green-demo/case.toml", "--dir", tmp_path / "run", "--set",
                                "grid.n=[16,16,16]", "--set", "time.end=0.2"], env=env, stdout=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip(), "report begun", process)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=30)[0]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0 and "no report.html: interrupted" in said
    stat = f"/proc/{(tmp_path / 'pid').read_text().strip()}/stat"
    assert not os.path.exists(stat) or open(stat).read().rsplit(")", 1)[1].split()[0] in "ZX"


def test_wrong_reports_are_refused(triad, mpirun, tmp_path):
    for words, code in (((tmp_path / "gone",), 66), ((tmp_path,), 65), ((), 64), ((tmp_path, tmp_path), 64)):
        done = mpirun(1, triad, "report", *words, timeout=60, expect=code)
        assert done.stderr.startswith("triad: ") and "Traceback" not in done.stderr


# ---- in a browser ----

SHAPES = {"desktop": (1280, 900, False), "phone": (390, 844, True)}

# Elements with text of their own that reach beyond the window, or whose content is cut.
OVERFLOW = """
(() => {
  const out = [], width = document.documentElement.clientWidth;
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('svg') && e.tagName !== 'svg') continue;
    const box = e.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (box.right > width + 0.5 || box.left < -0.5) out.push(e.tagName + ' reaches ' + Math.round(box.right));
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (own && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
      out.push(e.tagName + ' is cut: ' + e.textContent.slice(0, 40));
  }
  if (document.documentElement.scrollWidth > width) out.push('the page scrolls sideways');
  return out;
})()"""


@pytest.fixture(scope="module")
def chromium():
    if not browser.find():
        pytest.skip(f"no Chromium: {browser.PACKAGE}")
    with browser.Browser() as b:
        yield b


@pytest.mark.limit(240)
@pytest.mark.parametrize("shape", SHAPES)
def test_in_a_browser_no_text_overflows_and_nothing_is_fetched(shape, chromium, runs, pages, tmp_path):
    for name in pages:
        page = chromium.open(runs[name] / "report.html", *SHAPES[shape])
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate(OVERFLOW) == []
        own = (runs[name] / "report.html").resolve().as_uri()
        assert {r for r in page.requests if not r.startswith("data:")} == {own}
        assert page.messages == []
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 300)")
        assert page.evaluate("[...document.querySelectorAll('figure svg')].every(s => s.getBoundingClientRect().height > 100)")
        page.screenshot(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 30_000


@pytest.mark.limit(240)
def test_the_browser_test_finds_faults(chromium, tmp_path):
    """What the test above relies on: overflow is seen, and so is a request."""
    (tmp_path / "bad.html").write_text('<body><p style="width:300px;white-space:nowrap;overflow:hidden">' + "long words " * 40
                                       + '</p><img src="http://127.0.0.1:9/x.png"><div style="width:3000px">x</div></body>')
    page = chromium.open(tmp_path / "bad.html", 390, 844)
    found = page.evaluate(OVERFLOW)
    assert any("is cut" in f for f in found) and any("reaches 3" in f for f in found)
    assert "http://127.0.0.1:9/x.png" in page.requests


@pytest.mark.limit(240)
def test_it_prints_on_paper(chromium, runs, pages, tmp_path):
    page = chromium.open(runs["mhd"] / "report.html", 1280, 900)
    page.pdf(tmp_path / "r.pdf")
    data = (tmp_path / "r.pdf").read_bytes()
    assert data.startswith(b"%PDF") and 2 <= len(re.findall(rb"/Type\s*/Page\b", data)) <= 8
