"""triad new: every template gives a case without a warning that runs; points, viscosity, memory and time against the formulae that the
cases state; questions on a terminal; what is refused, and that no file is replaced."""

import ast
import math
import os
import pty
import re
import select
import subprocess
import time

import numpy as np
import pytest

from conftest import BINARY
from msh import cubes, write_mesh
from outputs import sets

RATE = ("--rate", 2e6)
# points along an edge for two steps, and the option that is given with them
TINY = {"decaying-turbulence": 16, "forced-turbulence": 16, "mhd-turbulence": 16, "stratified-turbulence": 16, "superfluid-turbulence": 32,
        "channel": 16, "lid-driven-cavity": 12, "aerofoil": 16, "body-in-stream": 6, "compressible-turbulence": 16, "shock-tube": 40}
SOLVERS = {"hd", "boussinesq", "mhd", "gpe", "staggered", "compressible", "multiblock", "fct"}


def read(text):
    """A case of the templates, whose values are numbers, texts and lists of them: {table: {key: value}}."""
    tables = {"": {}}
    for line in text.splitlines():
        if line.startswith("["):
            table = tables.setdefault(line.strip("[]"), {})
        elif " = " in line and line[0] != "#":
            key, value = line.split(" = ", 1)
            value = {"true": "True", "false": "False"}.get(value.split("#")[0].strip(), value)
            (table if len(tables) > 1 else tables[""])[key] = ast.literal_eval(value)
    return tables


def rows(triad):
    """Of --list: (name, solver, option, what is computed)."""
    text = subprocess.run([triad, "new", "--list"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout
    return [line.split(None, 3) for line in text.splitlines() if line.startswith("  ")]


@pytest.fixture
def new(command):
    """new(template, ..): the case as a dict. new.path: its file; new.text: the text of that; new.said: how the command ended."""
    def new(template, *options):
        rate = () if template == "mesh-file" else RATE
        new.said = command("new", template, *options, *rate, "--out", "case.toml", "--force", expect=0)
        new.path = command.work / "case.toml"
        new.text = new.path.read_text()
        return read(new.text)
    return new


@pytest.fixture
def mesh(command):
    """A box of 4 x 4 x 4 cubes of six tetrahedra, as Gmsh writes it."""
    command.work.mkdir(exist_ok=True)
    x, tets, sides = cubes((4, 4, 4), (1, 1, 1))
    elements = [(2, i, t) for i, name in enumerate(sides, 1) for t in sides[name]] + [(4, 9, t) for t in tets]
    write_mesh(command.work / "box.msh", "4.1", False, x, elements)
    return "box.msh"


def total(command, path, *more):
    """Bytes of the case's memory, as triad case --check prints them. No warning."""
    done = command("case", path, "--check", "--strict", *more, expect=0)
    assert done.stderr == ""
    value, unit = re.search(r"^  total +([\d.e+]+) (\w+)", done.stdout, re.M).groups()
    return float(value) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


# ---- templates ----

def test_templates_cover_every_solver(triad):
    assert {solver for _, solver, _, _ in rows(triad)} == SOLVERS
    assert {name for name, _, _, _ in rows(triad)} == {*TINY, "mesh-file"}
    assert all(len(about) < 80 for _, _, _, about in rows(triad))


@pytest.mark.parametrize("template", TINY)
@pytest.mark.parametrize("size", [("--memory", "100MB"), ("--minutes", 10)], ids=lambda s: s[0])
def test_a_case_passes_its_check_without_a_warning(new, command, template, size):
    new(template, *size)
    total(command, new.path)
    assert max(map(len, new.text.splitlines())) <= 120
    assert "{" not in new.text


@pytest.mark.parametrize("template", TINY)
def test_a_case_takes_two_steps(new, command, triad, mpirun, template):
    case = new(template, "--points", TINY[template])
    assert TINY[template] in (*case["grid"]["n"], *case.get("solids", {}).get("boxes", []))
    mpirun(1, triad, "run", new.path, "--dir", command.work / "run", *sets(time__max_steps=2, output__report=False), expect=(0, 75))
    assert (command.work / "run/series.csv").exists()


def test_a_mesh_file_becomes_a_case_that_runs(new, command, triad, mpirun, mesh):
    case = new("mesh-file", "--mesh", mesh)
    assert case["grid"]["file"] == mesh
    total(command, new.path)
    assert re.search("time +about .*: 1000 steps", new.said.stdout)
    mpirun(1, triad, "run", new.path, "--dir", command.work / "run", *sets(time__max_steps=2), expect=0)
    assert command("new", "mesh-file", expect=64).stderr.count("missing: --mesh FILE") == 1
    assert "No such file" in command("new", "mesh-file", "--mesh", "none.msh", expect=66).stderr


# ---- numbers ----

def smooth_at_least(points, multiple=2):
    n = math.ceil(points / multiple) * multiple
    while not is_smooth(n):
        n += multiple
    return n


def is_smooth(n):
    for p in (2, 3, 5, 7):
        while n % p == 0:
            n //= p
    return n == 1


@pytest.mark.parametrize("re_lambda", [25, 60, 150])
def test_forced_turbulence_has_the_points_that_its_reynolds_number_requires(new, re_lambda):
    """k_max eta >= 1.5 by the relations of docs/methods/forcing.md, with the mean wavenumber of the band counted here."""
    case = new("forced-turbulence", "--re-lambda", re_lambda)
    k = np.stack(np.meshgrid(*[np.arange(-3, 4)] * 3)).reshape(3, -1)
    k = np.sqrt((k * k).sum(0))
    lo, hi = case["forcing"]["k_range"]
    kf = k[(k >= lo) & (k <= hi)].mean()
    scale = (1.77 + 20.8 / re_lambda) / kf
    c = 0.2 * (1 + math.sqrt(1 + (92 / re_lambda) ** 2))
    power = case["forcing"]["power"]
    u = (power * scale / c) ** (1 / 3)
    nu = 15 * u * scale / (c * re_lambda ** 2)
    assert case["equations"]["viscosity"] == pytest.approx(nu, rel=1e-3)
    assert case["initial"]["energy"] == pytest.approx(1.5 * u * u, rel=1e-3)
    eta = (nu ** 3 / power) ** 0.25
    n = case["grid"]["n"][0]
    assert (n - 1) // 3 * eta >= 1.5
    assert n == smooth_at_least(3 * math.ceil(1.5 / eta) + 1)


@pytest.mark.parametrize("template, option, value, viscosity, n", [
    ("decaying-turbulence", "--re-lambda", 50, 1.926 * math.sqrt(1 / 3) / (3 * 50), None),
    ("mhd-turbulence", "--re-lambda", 30, 1.926 * math.sqrt(1 / 3) / (3 * 30), None),
    ("stratified-turbulence", "--re", 400, 1 / 400, [smooth_at_least(3 * math.ceil(1.5 / (400 ** -3 / 0.013) ** 0.25) + 1)] * 3),
    ("channel", "--re-tau", 180, 1 / 180, [192, 128, 160]),
    ("lid-driven-cavity", "--re", 1000, 1e-3, [smooth_at_least(6.4 * math.sqrt(1000))] * 2 + [1]),
    ("body-in-stream", "--re", 100, 0.01, [24 * 16, 16 * 16, 1]),
    ("aerofoil", "--re", 5000, 0.040324, [128, 64, 1]),
])
def test_the_reynolds_number_sets_viscosity_and_points(new, template, option, value, viscosity, n):
    case = new(template, option, value)
    assert case["equations"]["viscosity"] == pytest.approx(viscosity, rel=1e-4)
    if n:
        assert case["grid"]["n"] == n
    assert f"--{option[2:]} {value}" in new.text
    assert f"{value}" in new.said.stdout


def means(folder):
    """Of the later half of a series, by column; and the whole series."""
    with open(folder / "series.csv") as f:
        s = np.genfromtxt((line for line in f if not line.startswith("#")), delimiter=",", names=True)
    late = s[s["t"] > s["t"][-1] / 2]
    return {name: late[name].mean() for name in s.dtype.names}, s


def test_forced_turbulence_reaches_its_reynolds_number(new, command, triad, mpirun):
    """On fewer points than derivatives require, since those change the large scales by little. Ten turnovers leave an error of some
    percent. eta is that of the power, of which the dissipation is the mean."""
    case = new("forced-turbulence", "--re-lambda", 30, "--points", 36)
    assert "note: --re-lambda 30 requires 52 points along an edge" in new.said.stdout
    mpirun(1, triad, "run", new.path, "--dir", command.work / "run", "-q",
           *sets(output__report=False, output__means=[], precision="single"), expect=0, timeout=115)
    mean, s = means(command.work / "run")
    assert mean["re_lambda"] == pytest.approx(30, rel=0.1)
    eta = (case["equations"]["viscosity"] ** 3 / case["forcing"]["power"]) ** 0.25
    assert mean["kmax_eta"] == pytest.approx(35 // 3 * eta, rel=0.04)
    planned = int(re.search(r"(\d+) steps of", new.said.stdout).group(1))
    assert 0.6 < planned / s["step"][-1] < 1.7


@pytest.mark.parametrize("template", ["decaying-turbulence", "mhd-turbulence"])
def test_decaying_turbulence_begins_at_its_reynolds_number_and_is_resolved(new, command, triad, mpirun, template):
    """At Re_lambda = 10 dissipation is largest at t = 0."""
    new(template, "--re-lambda", 10)
    mpirun(1, triad, "run", new.path, "--dir", command.work / "run", "-q", *sets(output__report=False, time__end=0.2), expect=0, timeout=110)
    s = means(command.work / "run")[1]
    assert s["re_lambda"][0] == pytest.approx(10, rel=0.01)
    assert s["kmax_eta"].min() >= 1.5


@pytest.mark.parametrize("template, limit", [("decaying-turbulence", 100), ("compressible-turbulence", 100), ("channel", 60),
                                             ("body-in-stream", 50)])
def test_memory_is_filled_and_not_exceeded(new, command, template, limit):
    """[MB]. The grid fits; one of a twentieth more points along an edge does not. Values have three digits."""
    case = new(template, "--memory", f"{limit}MB")
    assert total(command, new.path) <= 1e6 * limit
    n, body = case["grid"]["n"], case.get("solids", {}).get("boxes")
    points = body[3] if body else n[1] if template == "channel" else n[0]
    new(template, "--points", smooth_at_least(1.05 * points))
    assert total(command, new.path) > 1e6 * limit


@pytest.mark.parametrize("rate", [1e6, 8e6])
def test_time_is_filled_and_not_exceeded(new, command, rate):
    """Three minutes of a cavity: n^2 cells, end (1.5 n/cfl + 3.6 n^2/Re) steps, at the given rate."""
    command("new", "lid-driven-cavity", "--minutes", 3, "--rate", rate, "--out", "c.toml", expect=0)
    case = read((command.work / "c.toml").read_text())
    n, nu, end = case["grid"]["n"][0], case["equations"]["viscosity"], case["time"]["end"]

    def seconds(n, nu, end):
        return n * n * end * (1.5 * n / 0.9 + 3.6 * n * n * nu) / rate
    assert end == pytest.approx(25 * math.sqrt(1 / nu / 100), rel=1e-3)
    assert n >= 6.4 * math.sqrt(1 / nu)
    assert seconds(n, nu, end) <= 180
    m = smooth_at_least(n + 2)
    re_number = (m / 6.4) ** 2
    assert seconds(m, 1 / re_number, 25 * math.sqrt(re_number / 100)) > 180 * 0.97


def test_time_is_measured_here(command):
    done = command("new", "lid-driven-cavity", "--re", 100, expect=0, timeout=110)
    rate = float(re.search(r"measured here: ([\d.e+]+) million cell steps per second on \d+ threads?", done.stdout).group(1))
    assert 1e-3 < rate < 1e4
    assert "about" in (command.work / "lid-driven-cavity.toml").read_text()
    assert sorted(p.name for p in command.work.iterdir()) == ["lid-driven-cavity.toml"]


# ---- questions ----

def talk(folder, answers, *arguments, env=None):
    """Answer the questions of triad new on a terminal, one line for each prompt. What it printed; its exit code."""
    parent, child = pty.openpty()
    process = subprocess.Popen([str(a) for a in (BINARY, "new", *arguments)], stdin=child, stdout=child, stderr=child, cwd=folder, env=env,
                               close_fds=True, start_new_session=True)
    os.close(child)
    said, seen, answers = "", 0, list(answers)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([parent], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(parent, 4096).decode()
        except OSError:  # its end of the terminal is closed
            break
        if not piece:
            break
        said += piece
        if said.endswith("]: ") and len(said) > seen:
            seen = len(said)
            os.write(parent, (answers.pop(0) + "\n").encode() if answers else b"\x04")
    code = process.wait(10)
    os.close(parent)
    return said, code


def test_questions_lead_to_a_case(command, tmp_path):
    said, code = talk(tmp_path, ["wall", "2", "60", "60 MB", "9999", "", "mine.toml"], *RATE)
    assert code == 0, said
    for text in ("Which flow", "Which case", "How large", "60 has no unit", "Reynolds number of the lid", "9999 is outside", "File to write"):
        assert text in said
    case = read((tmp_path / "mine.toml").read_text())
    assert case["equations"] == {"solver": "staggered", "viscosity": 0.01}
    assert total(command, tmp_path / "mine.toml") <= 60e6


def test_only_what_is_missing_is_asked(tmp_path):
    said, code = talk(tmp_path, [""], "channel", "--re-tau", "80", *RATE)
    assert code == 0, said
    assert said.count("]: ") == 1
    assert read((tmp_path / "channel.toml").read_text())["equations"]["viscosity"] == 0.0125
    said, code = talk(tmp_path, ["channel.toml", "b.toml"], "channel", "--re-tau", "90", *RATE)
    assert code == 0 and "channel.toml already exists" in said
    assert (tmp_path / "b.toml").exists()


def test_the_end_of_the_answers_is_an_error(tmp_path):
    said, code = talk(tmp_path, ["walls"])
    assert code == 64
    assert "the input ended before this answer: Which case?" in said
    assert list(tmp_path.iterdir()) == []


# ---- refusals ----

@pytest.mark.parametrize("arguments, text", [
    ([], "missing: a template (triad new --list prints them)"),
    (["channel"], "missing: --re-tau NUMBER (friction Reynolds number), --memory SIZE or --minutes M"),
    (["chanel", "--re-tau", 180], "unknown template chanel, did you mean channel?"),
    (["channel", "--re", 180], "--re does not apply to template channel, which is specified by --re-tau"),
    (["channel", "--re-tau", 5], "--re-tau 5: template channel is made for 40 to 1000"),
    (["channel", "--re-tau", "high"], "--re-tau high: must be a number above 0"),
    (["channel", "--memory", "8"], "--memory 8: must be a size with a unit, such as 8GB"),
    (["channel", "--minutes", "-1"], "--minutes -1: must be a number above 0"),
    (["channel", "--points", 15], "--points 15: must be a multiple of 2, from 8 to 16384"),
    (["channel", "--points", 1e30], "--points 1e+30: must be a multiple of 2, from 8 to 16384"),
    (["channel", "--re-tau", 180, "--mesh", "a.msh"], "--mesh does not apply to template channel"),
    (["mesh-file", "--rate", 1e6], "--rate does not apply to template mesh-file"),
    (["channel", "--memory", "1MB"], "template channel needs at least 9.03 MB and 6 minutes, for --re-tau 40 on 30 points along an edge"),
    (["channel", "--re-tau", 180, "--set", "a=1"], "triad new does not accept --set"),
    (["channel", "cavity"], "cavity is an extra argument"),
])
def test_what_is_missing_or_wrong_is_said(command, arguments, text):
    done = command("new", *arguments, *(RATE if "--rate" not in arguments and arguments else ()), expect=64)
    assert text in done.stderr
    assert done.stdout == ""
    assert list(command.work.iterdir()) == []


def test_a_reynolds_number_that_does_not_fit_names_the_largest_one(command):
    done = command("new", "channel", "--re-tau", 500, "--memory", "60MB", *RATE, expect=64)
    largest = re.search(r"--re-tau 500 requires (\d+) points .* The largest value that fits is --re-tau ([\d.]+), on (\d+) points", done.stderr)
    assert int(largest.group(1)) == smooth_at_least(128 * 500 / 180)
    command("new", "channel", "--re-tau", largest.group(2), "--memory", "60MB", *RATE, expect=0)
    assert read((command.work / "channel.toml").read_text())["grid"]["n"][1] == int(largest.group(3))


def test_a_file_is_replaced_only_with_force(command):
    command.work.mkdir(exist_ok=True)
    (command.work / "channel.toml").write_text("mine")
    done = command("new", "channel", "--re-tau", 80, *RATE, expect=64)
    assert "channel.toml already exists: use --force to replace it, or another --out" in done.stderr
    assert (command.work / "channel.toml").read_text() == "mine"
    command("new", "channel", "--re-tau", 80, *RATE, "--force", expect=0)
    assert read((command.work / "channel.toml").read_text())["equations"]["viscosity"] == 0.0125
    printed = command("new", "channel", "--re-tau", 80, *RATE, "--out", "-", expect=0)
    assert printed.stdout == (command.work / "channel.toml").read_text()
    assert "memory" in printed.stderr
    assert "no/such/c.toml: No such file" in command("new", "channel", "--re-tau", 80, *RATE, "--out", "no/such/c.toml", expect=74).stderr
