"""Particles: fields at them, their motion, their files and checkpoints."""

import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

HEAD = """[equations]
solver = "hd"
viscosity = %s
[grid]
n = [%d, %d, %d]
[time]
end = %s
dt = %s
scheme = "%s"
[output]
particles_interval = %s
slices = []
report = false
spectra_interval = 0
[parallel]
reproducible = true
threads = 1
"""
ABC = '[initial]\nkind = "abc"\nabc = [1.0, 0.7, 0.43]\n'
CELLS = '[initial]\nkind = "formula"\nu = "sin(x)*cos(y)"\nv = "-cos(x)*sin(y)"\n'
REST = '[initial]\nkind = "rest"\n'


def head(viscosity=0.0, n=(16, 16, 16), end=1.0, dt=0.1, scheme="rk4", every=1.0):
    return HEAD % (viscosity, *n, end, dt, scheme, every)


def group(name="a", **keys):
    text = "\n".join(f"{k} = {v if isinstance(v, (int, float, list)) else chr(34) + v + chr(34)}" for k, v in keys.items())
    return f'[[particles]]\nname = "{name}"\n{text}\n'.replace("'", '"')


@pytest.fixture
def run(mpirun, triad, tmp_path):
    def go(name, text, *more, ranks=1, expect=0):
        (tmp_path / "case.toml").write_text(text)
        result = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / name, *more, expect=expect)
        return tmp_path / name if expect == 0 else result
    return go


def data(directory, name="a"):
    with h5py.File(directory / "particles" / f"{name}.h5") as f:
        return {k: f[k][:] for k in f if isinstance(f[k], h5py.Dataset)}


def start_at(path, places):
    with h5py.File(path, "w") as f:
        f["position"] = np.asarray(places, dtype=float)
    return {"start": "file", "file": str(path)}


def rk4(rate, y, end, steps):
    """An integration of the test's own, with steps so short that its error is round-off's."""
    h = end / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def abc(p, a=1.0, b=0.7, c=0.43):
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    return np.stack([a * np.sin(z) + c * np.cos(y), b * np.sin(x) + a * np.cos(z), c * np.sin(y) + b * np.cos(x)], -1)


@pytest.mark.parametrize("word, order", [("linear", 2), ("spline4", 4), ("spline6", 6), ("lagrange6", 6), ("lagrange8", 8)])
def test_interpolation_of_exact_modes_has_its_order(run, triad, tmp_path, word, order):
    """Modes of a sphere of radius 5 on 16 and 32 points, against their sums at the places (triad query): the errors' ratio is
    2^order where k dx is small, and up to 3/2 of that in the exponent's favour at the largest, k dx = 2: (1/6)^m against
    (1/2.14)^m, where the images are no longer far. Polynomials leave at least (2 sin(k dx/2))^m of a mode, times a number: 0.82 m at
    k dx = 2."""
    error = []
    for n in (16, 32):
        text = head(0.01, (n, n, n), end=0.01, dt=0.01, every=0.01) + '[initial]\nkind = "random"\nwavenumber = 2\n' + group(
            count=300, interpolation=word, sample=["vorticity", "gradient"]).replace("'", '"')
        d = run(f"n{n}", text.replace("[time]", "radius = 5\n[time]"), "--set", "output.keep=2")
        a = data(d)
        np.savetxt(tmp_path / "p.csv", a["position"][-1] % (2 * np.pi), delimiter=",", fmt="%.17g", header="x,y,z", comments="")
        out = subprocess.run([triad, "query", d, "--at", tmp_path / "p.csv", "--what", "velocity,gradient"], capture_output=True,
                             text=True, check=True).stdout.splitlines()
        names = [line for line in out if not line.startswith("#")][0].split(",")
        exact = np.array([[float(w) for w in line.split(",")] for line in out if line[0] in "0123456789-"])
        u = exact[:, [names.index(w) for w in "uvw"]]
        error.append(np.sqrt(np.mean((a["velocity"][-1] - u)**2) / np.mean(u**2)))
        curl = np.stack([a["gradient"][-1][:, 2, 1] - a["gradient"][-1][:, 1, 2], a["gradient"][-1][:, 0, 2] - a["gradient"][-1][:, 2, 0],
                         a["gradient"][-1][:, 1, 0] - a["gradient"][-1][:, 0, 1]], -1)
        assert np.allclose(curl, a["vorticity"][-1], atol=1e-12 * abs(curl).max()), "the same modes, by the same weights"
        assert np.allclose(np.trace(a["gradient"][-1], axis1=1, axis2=2), 0, atol=1e-12 * abs(curl).max())
    found = np.log2(error[0] / error[1])
    assert (0.8 * order if word.startswith("lagrange") else order - 0.3) < found < 1.5 * order, error


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4)])
def test_tracers_of_a_steady_flow_follow_its_paths_with_the_order_of_the_scheme(run, scheme, order):
    """An ABC flow without viscosity, against an integration of the test's own. Splines of order 6 on 32 points leave
    (1/31)^6 = 1e-9 of the velocity."""
    error = []
    for dt in (0.2, 0.1):
        a = data(run(f"dt{dt}", head(n=(32, 32, 32), end=2.0, dt=dt, scheme=scheme, every=1.0) + ABC +
                     group(count=60, interpolation="spline6")))
        assert np.array_equal(a["id"], np.arange(60)) and np.allclose(a["t"], [0, 1, 2])
        error.append(np.abs(a["position"][-1] - rk4(abc, a["position"][0], 2.0, 400)).max())
        assert np.abs(a["velocity"][-1] - abc(a["position"][-1])).max() < 1e-8
    assert order - 0.4 < np.log2(error[0] / error[1]) < order + 1.2, error
    assert error[1] < 10 * 0.1**order


def test_time_reversal_brings_tracers_back(run, tmp_path):
    """u -> -u, t -> -t: the places of the end, in the flow the other way, come back to their start within twice the error of
    rk4 at this dt, 1e-6."""
    first = run("there", head(n=(16, 16, 16), end=1.0, dt=0.05) + ABC + group(count=50))
    back = run("back", head(n=(16, 16, 16), end=1.0, dt=0.05) + ABC + "amplitude = -1\n" +
               group(start="file", file=str(first / "particles/a.h5")))
    assert np.abs(data(back)["position"][-1] - data(first)["position"][0]).max() < 1e-5
    assert np.abs(data(first)["position"][-1] - data(first)["position"][0]).max() > 0.5


def test_a_sphere_settles_with_its_velocity(run):
    """At rest V = tau g' (1 - exp(-t/tau)), X = tau g' (t - tau (1 - exp(-t/tau))), g' = g (R - 1)/(R + 1/2); rk4 leaves
    (dt/tau)^4/120 a time tau, about 5e-6."""
    tau, g = 0.5, np.array([0.3, 0.0, -1.0])
    d = run("settle", head(end=2.0, dt=0.1, every=1.0) + REST +
            group("heavy", count=20, kind="inertial", stokes_time=tau, gravity=g.tolist()) +
            group("light", count=20, kind="inertial", stokes_time=tau, gravity=g.tolist(), density_ratio=0.25))
    for name, share in (("heavy", 1), ("light", (0.25 - 1) / (0.25 + 0.5))):
        a = data(d, name)
        for t, x, v in zip(a["t"], a["position"], a["velocity"]):
            grown = 1 - np.exp(-t / tau)
            assert np.allclose(v, share * tau * g * grown, atol=1e-5)
            assert np.allclose(x - a["position"][0], share * tau * g * (t - tau * grown), atol=1e-5)


def test_light_inertia_leaves_a_tracer_by_its_response_time(run):
    """In a steady flow V = u - tau (1 - mass) Du/Dt + O(tau^2): how far a heavy sphere leaves a tracer is linear in tau."""
    text = head(n=(16, 16, 16), end=0.5, dt=0.01, every=0.5) + ABC + group("tracer", count=60)
    for tau in (0.08, 0.04, 0.02):
        text += group(f"h{int(tau * 100)}", count=60, kind="inertial", stokes_time=tau)
    d = run("light", text)
    off = [np.abs(data(d, f"h{n}")["position"][-1] - data(d, "tracer")["position"][-1]).max() for n in (8, 4, 2)]
    assert 1.6 < off[0] / off[1] < 2.3 and 1.8 < off[1] / off[2] < 2.2, off


@pytest.mark.parametrize("ratio", ["inf", 0.2])
def test_spheres_leave_a_vortex_or_gather_in_it_as_theory_says(run, tmp_path, ratio):
    """Near the centre of a cell u = i r z, z = x + i y, r = +-1, Du/Dt = -z: z'' = (i r z - z')/tau - mass z has z ~
    exp(s t), s^2 + s/tau + mass - i r/tau = 0. The cell departs from that by r^2 = 1e-6 of the distance."""
    tau, mass = 0.3, 0 if ratio == "inf" else 3 / (2 * ratio + 1)
    centre = np.array([np.pi / 2, np.pi / 2, 1.0])
    keys = start_at(tmp_path / "start.h5", [centre + [1e-3, 0, 0], centre + [0, -1e-3, 0]])
    d = run("vortex", head(n=(32, 32, 2), end=2.0, dt=0.02, every=0.5) + CELLS +
            group(kind="inertial", stokes_time=tau, density_ratio=ratio, interpolation="spline6", **keys))
    a = data(d)
    spin = -1.0  # sin x cos y, -cos x sin y turns so about (pi/2, pi/2): u = -(y - pi/2), v = x - pi/2 would be +1
    spin = np.sign((a["velocity"][0, 0, 1]))
    s = np.roots([1, 1 / tau, mass - 1j * spin / tau])
    for i, z0 in enumerate((1e-3, -1e-3j)):
        v0 = 1j * spin * z0  # it starts with the fluid
        c = np.linalg.solve([[1, 1], s], [z0, v0])
        path = (a["position"][:, i, 0] - centre[0]) + 1j * (a["position"][:, i, 1] - centre[1])
        exact = (c[:, None] * np.exp(s[:, None] * a["t"])).sum(0)
        assert np.abs(path - exact).max() < 1e-3 * np.abs(exact).max()
    away = np.abs(path[-1]) > 1.2e-3
    assert away if ratio == "inf" else np.abs(path[-1]) < 0.9e-3, "heavy ones leave, light ones gather"


def test_a_place_anywhere_stays_as_likely(run):
    """Tracers of an incompressible flow: 4000 in 64 cells, chi^2 of 63 degrees of freedom is above 103 once in 1000."""
    a = data(run("uniform", head(n=(16, 16, 16), end=3.0, dt=0.1, every=3.0) + ABC + group(count=4000)))
    for x in a["position"][[0, -1]]:
        cells = (x % (2 * np.pi) // (np.pi / 2)).astype(int).clip(0, 3)
        counts = np.bincount(cells @ [16, 4, 1], minlength=64)
        assert ((counts - 62.5)**2 / 62.5).sum() < 103
    assert np.abs(a["position"][0].mean(0) - np.pi).max() < 4 * 2 * np.pi / np.sqrt(12 * 4000)


def test_pairs_are_at_their_distance(run):
    a = data(run("pairs", head(end=0.1) + REST + group(count=200, start="pairs", separation=0.01)))
    apart = a["position"][0, 1::2] - a["position"][0, ::2]
    assert np.allclose(np.linalg.norm(apart, axis=1), 0.01, rtol=1e-9)
    assert np.abs(apart.mean(0)).max() < 4 * 0.01 / np.sqrt(3 * 100), "their directions are random"


MIXED = head(0.02, (12, 12, 10), end=0.8, dt=0.1, every=0.1).replace('"hd"', '"boussinesq"').replace(
    "[parallel]", "checkpoint_interval = 0.4\n[parallel]") + (
    '[initial]\nkind = "random"\n' + group("a", count=300, sample=["vorticity", "theta"]) +
    group("h", count=101, kind="inertial", stokes_time=0.3, gravity=[0, 0, -1], interpolation="spline6", sample=["velocity"]) +
    group("b", count=64, start="lattice", kind="inertial", stokes_time=0.3, density_ratio=0.2, interpolation="linear"))


def same(one, other, names=("a", "h", "b")):
    for name in names:
        a, b = data(one, name), data(other, name)
        assert a.keys() == b.keys()
        for k in a:
            assert np.array_equal(a[k], b[k]), f"{k} of {name}"


def test_ranks_and_threads_change_no_bit_and_particles_cross_their_boundaries(run):
    """On 7 ranks of 10 planes, most of them one plane thick: splines of order 6 reach over five of them."""
    one = run("one", MIXED)
    a = data(one)
    planes = lambda x: np.floor(x[:, 2] * 10 / (2 * np.pi)) % 10
    assert (planes(a["position"][0]) != planes(a["position"][-1])).mean() > 0.2
    for ranks, threads in ((1, 3), (2, 1), (7, 1)):
        same(one, run(f"on{ranks}-{threads}", MIXED, "--set", f"parallel.threads={threads}", ranks=ranks))


WATCHED = head(0.02, (12, 12, 6), end=0.8, dt=0.1, every=0.1) + '[initial]\nkind = "random"\n' + "".join(
    group(word, count=200, interpolation=word, **({"kind": "inertial", "stokes_time": 0.3} if word == "lagrange6" else {}))
    for word in ("linear", "spline4", "lagrange6", "lagrange8"))
WORDS = ("linear", "spline4", "lagrange6", "lagrange8")


def test_more_ranks_than_planes_change_no_bit_either(run):
    """6 planes on 2 ranks, and on 7, of which one has none: polynomials of 8 points reach over all of them and round the box."""
    one = run("one", WATCHED)
    for ranks, threads in ((1, 3), (2, 1), (7, 1)):
        same(one, run(f"on{ranks}-{threads}", WATCHED, "--set", f"parallel.threads={threads}", ranks=ranks), WORDS)


def test_the_points_of_a_step_are_those_of_a_pass_of_its_own(run):
    """A group with added mass wants the velocity before the stage's pass: then all groups take passes of their own."""
    heavy = group("x", count=1, kind="inertial", stokes_time=0.3, density_ratio=0.5)
    same(run("observed", WATCHED), run("apart", WATCHED + heavy), WORDS)


def test_particles_go_round_the_box(run):
    """A uniform flow carries them exactly: x + t on any ranks, three times round, unfolded."""
    text = head(end=20.0, dt=1.0, every=10.0, n=(8, 8, 8)) + '[initial]\nkind = "formula"\nw = "sin(x)"\n' + group(count=40)
    a, b = data(run("one", text)), data(run("three", text, ranks=3))
    assert np.array_equal(a["position"], b["position"])
    x = a["position"]
    assert np.allclose(x[-1, :, 2] - x[0, :, 2], 20 * np.sin(x[0, :, 0]), atol=0.2), "order 4 on 8 points: (1/7)^4"
    assert np.array_equal(x[-1, :, :2], x[0, :, :2]) and (abs(x[-1, :, 2] - np.pi) > 4 * np.pi).any()


def test_restart_on_other_ranks_is_bit_for_bit(run, tmp_path):
    """The last checkpoint is taken away, and rows behind the one before it are dropped and made again."""
    import shutil
    whole = run("whole", MIXED)
    again = tmp_path / "again"
    shutil.copytree(whole, again)
    shutil.rmtree(again / "checkpoints/step-00000008")
    run("again", MIXED, ranks=2)
    same(whole, again)
    for name in ("particles.h5", "modes.h5", "manifest.txt"):
        a, b = (d / "checkpoints/step-00000008" / name for d in (whole, again))
        assert a.read_bytes() == b.read_bytes(), name


def test_a_damaged_table_of_particles_is_not_trusted(run, mpirun, triad, tmp_path):
    d = run("damaged", MIXED)
    path = d / "checkpoints/step-00000008/particles.h5"
    raw = bytearray(path.read_bytes())
    raw[-100] ^= 1
    path.write_bytes(raw)
    told = subprocess.run([triad, "info", d / "checkpoints/step-00000008"], capture_output=True, text=True)
    assert "particles.h5: damaged: table" in told.stdout + told.stderr
    again = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", d)
    assert "step-00000008 is passed over" in again.stderr, again.stderr


def test_a_killed_run_leaves_whole_rows_and_goes_on(run, triad, tmp_path):
    text = head(0.02, (12, 12, 12), end=2000.0, dt=0.01, every=0.01).replace("[parallel]", "checkpoint_interval = 0.5\n[parallel]") + (
        '[initial]\nkind = "random"\n' + group(count=50))
    (tmp_path / "case.toml").write_text(text)
    with subprocess.Popen([triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "killed", "-q"]) as process:
        for _ in range(400):
            time.sleep(0.05)
            if len(list((tmp_path / "killed").glob("checkpoints/step-*"))) >= 2:
                break
        process.send_signal(signal.SIGKILL)
    a = data(tmp_path / "killed")
    rows = len(a["t"])
    assert rows > 50 and np.isfinite(a["position"]).all() and np.allclose(np.diff(a["t"]), 0.01)
    end = (np.floor(a["t"][-1]) + 3) if rows < 100000 else 0
    run("killed", text, "--set", f"time.end={end}")
    b = data(tmp_path / "killed")
    assert np.allclose(np.diff(b["t"]), 0.01) and np.isclose(b["t"][-1], end)
    n = min(rows, len(b["t"]))
    assert np.array_equal(a["position"][:n], b["position"][:n]), "rows that are made again are the same"


BAD = [
    (group("a b", count=5), "1 to 40 letters"),
    (group("a", count=5) + group("a", count=5), "two [[particles]] are called"),
    (group("a"), "needs a count"),
    (group("a", count=-1), "out of range"),
    (group("a", count=5, start="pairs", separation=0.1), "even number"),
    (group("a", count=4, start="pairs"), "needs a separation"),
    (group("a", count=28, start="lattice"), "take 27, 3 x 3 x 3"),
    (group("a", count=5, kind="inertial"), "needs a stokes_time"),
    (group("a", count=5, gravity=[0, 0, 1]), "tracers have none"),
    (group("a", count=5, sample=["vorticity", "colour"]), "value 2 of 2"),
    (group("a", count=5, sample=["scalar1"]), "value 1 of 1"),
    (group("a", count=5, start="file"), "needs particles.file"),
    (group("a", cuont=5), 'did you mean "particles[1].count"'),
    ("[particles]\nname = \"a\"\n", "write [[particles]]"),
]


@pytest.mark.parametrize("text, told", BAD)
def test_bad_groups_are_refused_with_their_place(run, text, told):
    result = run("bad", head() + REST + text, expect=65)
    assert told in result.stderr and "case.toml:" in result.stderr, result.stderr


def test_files_that_hold_no_places_are_refused(run, tmp_path):
    for places, told in (([[1.0, 2.0, np.nan]], "is no place"), ([[1.0, 2.0]], "not (particle, 3)"), ([[1e99, 0, 0]], "is no place")):
        result = run("places", head() + REST + group(**start_at(tmp_path / "p.h5", places)), "--from-start", expect=65)
        assert told in result.stderr, result.stderr
    keys = start_at(tmp_path / "p.h5", [[1.0, 2.0, 3.0]])
    run("gone", head(end=0.1) + REST + group(**keys))
    (tmp_path / "p.h5").rename(tmp_path / "q.h5")
    run("gone", head(end=0.2) + REST + group(**keys))  # it goes on from its checkpoint, and needs the file no more
    (tmp_path / "q.h5").rename(tmp_path / "p.h5")
    assert "asks for 2" in run("places", head() + REST + group(count=2, **keys), "--from-start", expect=65).stderr


def test_tracers_change_no_bit_of_the_flow(run):
    plain = head(0.01, end=0.4, dt=0.1).replace('dt = 0.1', 'cfl = 0.4') + '[initial]\nkind = "random"\n'
    with_them = run("with", plain + group(count=100))
    without = run("without", plain)
    step = sorted(p.name for p in (without / "checkpoints").glob("step-*"))[-1]
    assert (with_them / "checkpoints" / step / "modes.h5").exists()
    assert (with_them / "series.csv").read_text() == (without / "series.csv").read_text()


@pytest.fixture(scope="module")
def stirred(launcher, triad, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stirred")
    (folder / "case.toml").write_text(
        head(0.01, (16, 16, 16), end=2.0, dt=0.05, every=0.1) + '[initial]\nkind = "random"\n' + group("t", count=400, sample=["gradient"]) +
        group("p", count=400, start="pairs", separation=0.02))
    launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


@pytest.mark.parametrize("what", ["", "t:paths", "qr", "distribution", "spectrum", "p:pairs"])
def test_figures_of_particles_are_drawn(stirred, tmp_path, what):
    from pathlib import Path
    tool = Path(__file__).resolve().parent.parent / "tools/triad-plot"
    words = ["--field", what] if what else []
    subprocess.run([tool, "particles", stirred, *words, "-o", tmp_path / "a.png"], check=True)
    assert (tmp_path / "a.png").stat().st_size > 8000
    bad = subprocess.run([tool, "particles", stirred, "--field", "nobody:paths"], capture_output=True, text=True)
    assert bad.returncode == 65 and "there are p, t" in bad.stderr


def test_statistics_along_paths_are_those_of_known_paths(tmp_path):
    """Circles of radius 1 and frequency w: velocities differ by 2 w sin(w tau/2), (2 w^2 sin^2)/... one component of three; the
    spectrum has one peak, at w, whose sum is the mean square 2/3 w^2/2."""
    import sys
    from pathlib import Path
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
    from triad_plot import constants, lagrange
    from triad_plot.particles import Group
    w, n = 2.0, 401
    t = np.linspace(0, 20, n)
    phase = np.random.default_rng(1).random(50) * 2 * np.pi
    angle = w * t[:, None] + phase
    v = w * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    g = Group("none.h5")
    g.data = {"t": t, "velocity": v}
    tau, s2 = constants.structure(g)
    assert np.allclose(s2, (2 * w * np.sin(w * tau / 2))**2 / 3, rtol=1e-12)
    assert np.allclose((lagrange.acceleration(g)**2).sum(-1), (w * w * np.sin(w * 0.05) / (w * 0.05))**2, rtol=1e-9)


def test_the_report_knows_tracers_and_info_knows_their_file(stirred, triad):
    import sys
    from pathlib import Path
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
    from triad_plot import along
    from triad_plot.run import Run
    check = along.energy(Run(str(stirred)))
    assert check.verdict == "passed" and "standard errors" in check.text, check
    out = subprocess.run([triad, "info", stirred / "particles/t.h5"], capture_output=True, text=True, check=True).stdout
    assert "400, 21 rows from t = 0 to 2" in out
    for path in (stirred, stirred / "particles"):
        out = subprocess.run([triad, "info", path], capture_output=True, text=True, check=True).stdout
        assert "t.h5: 400 particles, 21 rows" in out and "p.h5: 400 particles" in out, out
    assert "rows of particles" in subprocess.run([triad, "info", stirred / "particles/t.0000.h5"], capture_output=True, text=True, check=True).stdout
    assert Run(str(stirred)).case["particles[2].start"] == "pairs" and Run(str(stirred)).case["time.dt"] == 0.05


@pytest.mark.parametrize("words, told, code", [
    (["particles[2].count=9"], 'name = "b"\ncount = 9 ', 0),
    (['particles=[{name="z", count=7}]'], '[[particles]]\nname = "z"', 0),
    (['particles=[{name="z", count=7}]', "particles[1].seed=4"], "seed = 4 ", 0),
    (["particles=[]"], "[output]", 0),
    (["particles[3].count=9"], "no [[particles]] number 3", 65),
    (["particles.count=9"], "write particles[1].count", 65),
    (["particles=3"], "write [[particles]]", 65),
    (["grid[1].n=9"], "it has no number", 65),
    (["equations.solver=staggered"], '"particles[1].name" is not a key of solver staggered', 65),
])
def test_tables_that_stand_several_times_are_set_by_number_or_as_a_whole(triad, tmp_path, words, told, code):
    (tmp_path / "case.toml").write_text(head() + REST + group("a", count=5, density_ratio="inf") + group("b", count=6))
    sets_of = [word for w in words for word in ("--set", w)]
    result = subprocess.run([triad, "case", tmp_path / "case.toml", *sets_of], capture_output=True, text=True)
    plain = "\n".join(line.split(" # ")[0] + " " for line in result.stdout.splitlines()).replace(" \n", "\n") + "\n"
    text = (result.stdout + result.stderr) if code else plain + " "
    assert result.returncode == code and told.strip() in text, text
    if words[0].startswith("particles=[") and code == 0:
        assert 'name = "a"' not in text and text.count("[[particles]]") == words[0].count("name")


def test_a_resolved_case_is_the_case(triad, tmp_path):
    """Every key of every group, defaults among them: read again it is the same."""
    (tmp_path / "case.toml").write_text(head() + REST + group("a", count=5) + group("b", count=6, kind="inertial", stokes_time=0.1,
                                                                                   density_ratio=2.5, gravity=[0, 0, -1]))
    one = subprocess.run([triad, "case", tmp_path / "case.toml"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "again.toml").write_text(one)
    two = subprocess.run([triad, "case", tmp_path / "again.toml"], capture_output=True, text=True, check=True).stdout
    values = lambda text: [line.split(" # ")[0] for line in text.splitlines() if " = " in line or line.startswith("[")]
    assert values(one) == values(two)


def test_paraview_opens_them(stirred):
    vtk = pytest.importorskip("vtk", reason="VTK reads XDMF")
    reader = vtk.vtkXdmfReader()
    reader.SetFileName(str(stirred / "particles/t.xmf"))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    a = data(stirred, "t")
    assert np.allclose(times, a["t"])
    reader.UpdateTimeStep(times[7])
    reader.Update()
    grid = reader.GetOutputDataObject(0)
    assert grid.GetNumberOfPoints() == 400
    assert np.allclose([grid.GetPoint(i) for i in range(400)], a["position"][7], rtol=1e-6), "VTK's points are single"
    v = grid.GetPointData().GetArray("velocity")
    assert np.allclose([v.GetTuple(i) for i in range(400)], a["velocity"][7], rtol=1e-12)


@pytest.mark.parametrize("solver, more", [("mhd", "resistivity = 0.02\nhall = 0.1"), ("boussinesq", "diffusivity = 0.02")])
def test_single_precision_and_shifted_grids_carry_them_too(run, solver, more):
    """In single, velocities are off by some hundred of its eps, 1e-7, and positions by those over t = 0.5; on any ranks the same."""
    text = head(0.02, (12, 12, 12), end=0.5, dt=0.05, every=0.25).replace('"hd"', f'"{solver}"').replace("[grid]", f"{more}\n[grid]").replace(
        "[time]", 'dealiasing = "phase-shift"\n[time]') + '[initial]\nkind = "random"\n' + group(count=200) + group(
            "h", count=50, kind="inertial", stokes_time=0.2, density_ratio=0.5)
    double, single = run("double", text), run("single", text, "--set", "precision=single")
    same(single, run("ranks", text, "--set", "precision=single", ranks=3), ("a", "h"))
    for name in "ah":
        assert 0 < np.abs(data(double, name)["position"] - data(single, name)["position"]).max() < 2e-6


def test_gpus_are_refused_by_name_and_passed_over_otherwise(triad, tmp_path):
    (tmp_path / "case.toml").write_text(head() + REST + group(count=5))
    result = subprocess.run([triad, "case", tmp_path / "case.toml", "--check", "--set", "parallel.device=gpu"], capture_output=True, text=True)
    assert result.returncode == 69, result


ABC_FORCE = 'kind = "abc"\namplitude = 2.0'


@pytest.mark.parametrize("solver, more, force", [
    ("hd", "rotation = [0, 0, 1.0]", ABC_FORCE), ("mhd", "resistivity = 0.05", ABC_FORCE), ("hd", "", 'kind = "linear"\nrate = 1.5'),
    ("boussinesq", "diffusivity = 0.05\nbuoyancy_frequency = 2.0", 'kind = "formula"\nu = "2*sin(z)"\nv = "3*cos(x)*cos(t)"')])
def test_a_sphere_of_the_fluids_density_is_a_tracer(run, solver, more, force):
    """With R = 1 and V = u at the start, V = u stays the solution of (71) whatever makes the fluid accelerate: viscosity, waves, the
    Lorentz force, a force. Splines of order 6 on 24 points, where the largest modes have k dx = 2, leave 1e-3 of the
    acceleration; without it (R infinite) the two part by tau Du/Dt t."""
    text = head(0.05, (24, 24, 24), end=0.6, dt=0.02, every=0.3).replace('"hd"', f'"{solver}"').replace("[grid]", f"{more}\n[grid]") + (
        '[initial]\nkind = "random"\nwavenumber = 2\n[forcing]\n' + force + "\n")
    keys = {"count": 100, "interpolation": "spline6"}
    d = run("equal", text + group("t", **keys) + group("r", kind="inertial", stokes_time=0.3, density_ratio=1, **keys) +
            group("h", kind="inertial", stokes_time=0.3, **keys))
    part = {name: np.sqrt(((data(d, name)["position"][-1] - data(d, "t")["position"][-1])**2).mean()) for name in "rh"}
    assert part["h"] > 0.02 and part["r"] < 2e-3 * part["h"], part


def test_a_full_disk_is_waited_for(triad, tmp_path):
    """20 MB, filled up in mid-run: rows wait, those that are there are whole, and after it has room they go on."""
    import os
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting a small disk takes root")
    try:
        text = head(0.02, (8, 8, 8), end=1e9, dt=0.01, every=0.01).replace(
            "[parallel]", 'disk_check = "warn"\nretry_interval = 0.2\nretry_limit = 60\n[parallel]') + '[initial]\nkind = "random"\n' + group(count=2000)
        (tmp_path / "case.toml").write_text(text)
        run = disk / "run"
        with subprocess.Popen([triad, "run", tmp_path / "case.toml", "--dir", run], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            said = ""
            while "could not be written" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            assert "particles of step" in said and "No space left" in said, said
            a = data(run)
            assert np.isfinite(a["position"]).all() and (np.diff(a["t"]) > 0).all() and len(a["t"]) > 3
            process.kill()
        b = data(run)
        assert len(b["t"]) >= len(a["t"]) and np.array_equal(b["position"][:len(a["t"])], a["position"])
    finally:
        subprocess.run(["umount", "-l", disk], check=False)


def test_a_start_anew_moves_them_aside(run):
    text = head(end=0.2, every=0.1) + REST
    run("anew", text + group("old", count=5))
    again = run("anew", text + group("new", count=6), "--from-start", "--new-case")
    assert sorted(p.name for p in (again / "particles").glob("*.h5")) == ["new.0000.h5", "new.h5"]
    assert list(again.glob("before-*/particles/old.h5"))
