"""triad query: values at points are the sums over the modes of the checkpoint, whatever way they are computed."""

import io
import os
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH, RANDOM, case

OUTPUT = "checkpoint_interval = 0.1\nfields_interval = 0.2"
MORE = {
    "hd": "viscosity = 0.02\nscalars = [0.02]",
    "boussinesq": "viscosity = 0.02\nbuoyancy_frequency = 1.0\ndiffusivity = 0.02",
    "mhd": "viscosity = 0.02\nresistivity = 0.02",
    "gpe": "healing_length = 1.0",
}


def make(launcher, triad, folder, solver, precision="double", n=(16, 15, 12)):
    start = RANDOM if solver != "gpe" else 'kind = "vortex-ring"\nrings = [3, 2.5, 4, 0, 0, 1, 1.5]'
    (folder / "case.toml").write_text(case(solver, MORE[solver], n, OUTPUT, start, 0.2, precision=precision))
    launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


@pytest.fixture(scope="module", params=list(MORE))
def flow(request, launcher, triad, tmp_path_factory):
    return make(launcher, triad, tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def one(launcher, triad, tmp_path_factory):
    """A run of hd, for what depends on no equations."""
    return make(launcher, triad, tmp_path_factory.mktemp("one"), "hd")


def ask(triad, *words, expect=0, text=None):
    result = subprocess.run([triad, "query", *words], capture_output=True, text=True, timeout=60, input=text)
    assert result.returncode == expect, result
    return result.stdout if expect == 0 else result.stderr


def table(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    values = np.genfromtxt(io.StringIO("\n".join(lines)), delimiter=",", names=True)
    return {name: np.atleast_1d(values[name]) for name in values.dtype.names}


def points(n, seed=1):
    """Some in the box, some far outside."""
    return (np.random.default_rng(seed).random((n, 3)) - 0.3) * 3 * np.array(LENGTH)


def write(path, x):
    path.write_text("# three lengths\nx,y,z\n" + "".join(f"{a!r},{b!r},{c!r}\n" for a, b, c in x.tolist()))
    return path


def sums(m, name, x, *axes, below=np.inf):
    """Re sum_k w u(k) (i k_a)(i k_b) exp(i k.x): both halves of modes of which the checkpoint holds one count."""
    k = [2 * np.pi / length * np.asarray(m[f"k{axis}"], float) for axis, length in zip("xyz", LENGTH)]
    kx, ky, kz = k[0][:, None], k[1][:, None], k[2][None, :]
    weight = np.where((m["kx"] == 0) & (m["ky"] == 0), 1, 2)[:, None]
    modes = weight * np.where(np.sqrt(kx**2 + ky**2 + kz**2) <= below, m[name], 0)
    for axis in axes:
        modes = modes * 1j * (kx, ky, kz)[axis]
    return np.array([np.sum((modes * np.exp(1j * (kx * a + ky * b + kz * c))).real) for a, b, c in x])


def close(got, want):
    scale = np.sqrt(np.mean(want**2)) or 1
    assert np.abs(got - want).max() <= 1e-12 * scale, (np.abs(got - want).max(), scale)


def fields(m):
    return [name for name in m if name not in ("kx", "ky", "kz", "attributes")]


def test_marks_of_spreadsheets_and_blanks_about_words_change_nothing(triad, one, tmp_path):
    (tmp_path / "plain.csv").write_text("x,y,z\n1,2,3\n4,5,6\n")
    (tmp_path / "marked.csv").write_bytes(b"\xef\xbb\xbfx,y,z\r\n1,2,3\r\n4,5,6\r\n")
    plain = ask(triad, one, "--at", tmp_path / "plain.csv", "--what", "velocity,gradient,filtered=4")
    assert ask(triad, one, "--at", tmp_path / "marked.csv", "--what", " velocity , gradient ,filtered=4 ") == plain
    (tmp_path / "late.csv").write_bytes(b"1,2,3\n\xef\xbb\xbf4,5,6\n")
    assert "line 2: no number for x" in ask(triad, one, "--at", tmp_path / "late.csv", expect=65)


def test_every_field_is_the_sum_over_its_modes(triad, flow, tmp_path):
    m, x = outputs.modes(flow), points(30)
    got = table(ask(triad, flow, "--at", write(tmp_path / "points.csv", x)))
    assert sorted(got) == sorted(["x", "y", "z", *fields(m)]) and len(fields(m)) >= 2
    assert np.array_equal(np.stack([got[a] for a in "xyz"], axis=1), x)
    for name in fields(m):
        close(got[name], sums(m, name, x))


def test_at_the_points_of_the_grid_stand_the_values_of_files_of_fields(triad, flow):
    """Which the run's own transform has made."""
    got = table(ask(triad, flow, "--at", "lattice 16 15 12"))
    compared = 0
    with h5py.File(sorted(flow.glob("fields/*.h5"))[-1]) as f:
        for name in set(got) & set(f) - set("xyz"):
            close(got[name], f[name][:].ravel())
            compared += 1
    assert compared == len(fields(outputs.modes(flow)))


@pytest.mark.parametrize("grid, n, way", [((16, 15, 12), 20, "by sums over modes"), ((48, 45, 40), 6000, "by a grid of 64 x 60 x 54")])
def test_gradient_and_hessian_are_the_sums_of_their_modes(launcher, triad, tmp_path, grid, n, way):
    run = make(launcher, triad, tmp_path, "hd", n=grid)
    m, x = outputs.modes(run), points(n)
    out = tmp_path / "out.h5"
    scalar = "scalar1"
    done = subprocess.run([triad, "query", run, "--at", write(tmp_path / "points.csv", x), "--device", "cpu", "--what",
                           f"velocity,gradient,hessian,gradient={scalar}", "-o", out], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and way in done.stderr, done
    told = subprocess.run([triad, "info", out], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "values at points" in told.stdout
    with h5py.File(out) as f:
        assert np.array_equal(f["position"][:], x) and np.array_equal(f.attrs["length"], LENGTH)
        some = slice(0, n, max(n // 20, 1))
        for name in ("u", "v", "w"):
            close(f[name][some], sums(m, name, x[some]))
            for i, a in enumerate("xyz"):
                close(f[f"d{name}_d{a}"][some], sums(m, name, x[some], i))
                for j, b in enumerate("xyz"):
                    if j >= i:
                        close(f[f"d2{name}_d{a}d{b}"][some], sums(m, name, x[some], i, j))
        for i, a in enumerate("xyz"):
            close(f[f"d{scalar}_d{a}"][some], sums(m, scalar, x[some], i))
        # no flow leaves any point
        worst = np.abs(f["du_dx"][:] + f["dv_dy"][:] + f["dw_dz"][:]).max()
        assert worst <= 1e-12 * np.abs(f["du_dx"][:]).max()


def test_filtered_keeps_the_modes_below(triad, one, tmp_path):
    m, x = outputs.modes(one), points(10)
    got = table(ask(triad, one, "--at", write(tmp_path / "points.csv", x), "--what", "u,filtered=2.5"))
    assert list(got) == ["x", "y", "z", "u"]
    close(got["u"], sums(m, "u", x, below=2.5))
    assert np.abs(got["u"] - sums(m, "u", x)).max() > 1e-3 * np.abs(got["u"]).max()


def test_lattice_has_the_values_of_the_grid(triad, one):
    m = outputs.modes(one)
    got = table(ask(triad, one, "--at", "lattice 3 2 4", "--what", "velocity"))
    x = np.stack([got[a] for a in "xyz"], axis=1)
    want = [(LENGTH[0] * i / 3, LENGTH[1] * j / 2, LENGTH[2] * k / 4) for k in range(4) for j in range(2) for i in range(3)]
    assert np.allclose(x, want, rtol=1e-15, atol=0)
    for name in ("u", "v", "w"):
        close(got[name], sums(m, name, x))


def test_between_checkpoints_values_are_linear_and_the_difference_is_told(triad, one, tmp_path):
    early, late = outputs.checkpoints(one)[-2:]
    x = points(15)
    t = [outputs.modes(folder)["attributes"]["t"] for folder in (early, late)]
    a, b = (sums(outputs.modes(folder), "u", x) for folder in (early, late))
    at = write(tmp_path / "points.csv", x)
    text = ask(triad, one, "--at", at, "--what", "u", "--time", str(t[0] + 0.25 * (t[1] - t[0])))
    close(table(text)["u"], 0.75 * a + 0.25 * b)
    told = next(line for line in text.splitlines() if line.startswith("# u "))
    assert float(told.split()[2]) == pytest.approx(np.sqrt(np.mean((b - a) ** 2)), rel=1e-2)  # three digits
    # at the time of one, that one alone
    text = ask(triad, one, "--at", at, "--what", "u", "--time", repr(float(t[0])))
    close(table(text)["u"], a)
    assert "linear in time" not in text
    assert "no checkpoints around --time 7" in ask(triad, one, "--at", at, "--time", "7", expect=65)
    close(table(ask(triad, early, "--at", at, "--what", "u"))["u"], a)
    assert "has t = " in ask(triad, early, "--at", at, "--time", repr(float(t[1])), expect=65)


def test_single_precision_is_summed_in_double(triad, launcher, tmp_path):
    run = make(launcher, triad, tmp_path, "hd", "single")
    x = points(10)
    m = outputs.modes(run)
    double = {k: v.astype(complex) if k == "u" else v for k, v in m.items()}
    close(table(ask(triad, run, "--at", write(tmp_path / "p.csv", x), "--what", "u"))["u"], sums(double, "u", x))


def test_where_it_was_computed_and_what_took_how_long_is_told_beside_the_values(triad, one):
    def run(*words):
        words = [triad, "query", one, "--at", "lattice 2 2 2", "--what", "velocity", *words]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, env={**os.environ, "OMP_NUM_THREADS": "2"})
    said = run()
    assert said.returncode == 0 and re.match(r"8 points on 2 threads by sums over modes: order [\d.]+ s, copies", said.stderr), said
    assert all(word in said.stderr for word in ("points read", "checkpoint", "answer written"))
    quiet = run("-q", "--device", "cpu")
    assert quiet.stderr == "" and quiet.stdout == said.stdout


@pytest.mark.skipif(any(Path("/dev").glob("nvidia[0-9]*")), reason="there is a GPU here: make check-gpu tests it")
def test_a_gpu_that_is_not_there_is_refused_by_name_and_not_missed_by_auto(triad, one):
    at = ("--at", "lattice 1 1 1")
    said = ask(triad, one, *at, "--device", "gpu", expect=69)
    assert re.search("--device gpu: (this build has no CUDA support|no GPU is available).*; use cpu or auto", said), said
    assert "use gpu, cpu or auto" in ask(triad, one, *at, "--device", "tpu", expect=64)
    assert ask(triad, one, *at, "--device", "auto") == ask(triad, one, *at, "--device", "cpu")


def test_points_come_from_hdf5_as_answers_and_paths_have_them(triad, one, tmp_path):
    x = points(12)
    want = ask(triad, one, "--at", write(tmp_path / "points.csv", x))
    ask(triad, one, "--at", tmp_path / "points.csv", "--what", "u", "-o", tmp_path / "answer.h5")
    assert ask(triad, one, "--at", tmp_path / "answer.h5") == want
    with h5py.File(tmp_path / "paths.h5", "w") as f:  # of paths the last time, whatever was before
        f["position"] = np.stack([x + 1, np.full_like(x, np.nan), x])
    assert ask(triad, one, "--at", tmp_path / "paths.h5") == want
    wrong = {"(point, 3) or (time, point, 3)": np.zeros((3, 4)), "the file contains no points": np.zeros((0, 3)), "position of point 7, counted from 0, is not": x.copy()}
    wrong["position of point 7, counted from 0, is not"][7, 1] = np.inf
    for words, values in wrong.items():
        with h5py.File(tmp_path / "wrong.h5", "w") as f:
            f["position"] = values
        assert words in ask(triad, one, "--at", tmp_path / "wrong.h5", expect=65)
    with h5py.File(tmp_path / "wrong.h5", "w") as f:
        f["places"] = x
    assert "places" in ask(triad, one, "--at", tmp_path / "wrong.h5", expect=65)
    assert "none.h5" in ask(triad, one, "--at", tmp_path / "none.h5", expect=66)


ROWS = {
    "x,y,z\n1,2,3\n1,2\n": "line 3: no number for z",
    "1,2,3\n\n# more\n1,two,3\n": "line 4: no number for y",
    "1,2,3,4\n": "line 1: more than three",
    "1,nan,3\n": "line 1: y is not finite",
    "1,2,1e999\n": "line 1: z is not finite",
    "y,x,z\n1,2,3\n": "line 1: no number for x",
    "1x,2,3\n": "line 1: x is not a number",
    "x,y,z\n": "the file contains no points",
    "": "the file contains no points",
}


@pytest.mark.parametrize("text", ROWS, ids=range(len(ROWS)))
def test_rows_that_are_no_points_are_told_with_their_line(triad, one, tmp_path, text):
    (tmp_path / "points.csv").write_text(text)
    assert f"points.csv: {ROWS[text]}" in ask(triad, one, "--at", tmp_path / "points.csv", expect=65)


def test_wrong_words_and_missing_files_are_told(triad, one, tmp_path):
    at = ("--at", "lattice 1 1 1")
    assert "--at" in ask(triad, one, expect=64)
    assert "query requires" in ask(triad, *at, expect=64)
    for wrong in ("lattice 2 2", "lattice 0 1 1", "lattice 1 1 1 1", "lattice 1000000 1000000 1000000"):
        ask(triad, one, "--at", wrong, expect=64)
    for wrong in ("filtered=-1", "filtered=k", "velocity=2", "u,,v"):
        ask(triad, one, *at, "--what", wrong, expect=64)
    assert "it has u, v, w" in ask(triad, one, *at, "--what", "vorticity", expect=65)
    assert "--time" in ask(triad, one, *at, "--time", "soon", expect=64)
    assert re.search(r"around --time 99: they cover t = [\d.]{1,11} to [\d.]{1,11}(\n| \[)", ask(triad, one, *at, "--time", "99", expect=65))
    assert "no such file" in ask(triad, one, "--at", tmp_path / "none.csv", expect=66)
    assert "no such file" in ask(triad, tmp_path / "none", *at, expect=66)
    assert "not a run directory or a checkpoint" in ask(triad, tmp_path, *at, expect=65)
    ask(triad, one, "--at", tmp_path, expect=65)
    (tmp_path / "here.csv").write_text("kept")
    assert "already exists" in ask(triad, one, *at, "-o", tmp_path / "here.csv", expect=64)
    assert (tmp_path / "here.csv").read_text() == "kept"
    assert ".csv or .h5" in ask(triad, one, *at, "-o", tmp_path / "out.txt", expect=64)
    ask(triad, one, *at, "-o", tmp_path / "out.csv")
    assert table((tmp_path / "out.csv").read_text())["x"] == [0]


def test_a_damaged_checkpoint_is_no_answer(triad, one, tmp_path):
    copy = tmp_path / "step"
    shutil.copytree(outputs.checkpoints(one)[-1], copy)
    with h5py.File(copy / "modes.h5") as f:
        place = f["u"].id.get_offset() + 8
    with open(copy / "modes.h5", "r+b") as f:
        f.seek(place)
        f.write(b"\x55")
    assert "checksum does not match" in ask(triad, copy, "--at", "lattice 1 1 1", expect=65)


# ---- pressure ----

@pytest.mark.parametrize("solver", ["hd", "boussinesq", "mhd"])
def test_pressure_is_that_of_files_of_fields_and_so_is_its_gradient(launcher, triad, tmp_path, solver):
    """At the points of the grid, of which another test compares the run's own with numpy; its gradient by Fourier sums of it."""
    folder = tmp_path
    (folder / "case.toml").write_text(case(solver, MORE[solver], (16, 15, 12), OUTPUT + '\nfields = ["pressure"]', end=0.2))
    launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    got = table(ask(triad, folder / "run", "--at", "lattice 16 15 12", "--what", "pressure,gradient=pressure,u"))
    with h5py.File(sorted((folder / "run").glob("fields/*.h5"))[-1]) as f:
        p = f["pressure"][:]
    close(got["pressure"], p.ravel())
    for i, axis in enumerate("xyz"):
        n = p.shape[2 - i]
        k = (2 * np.pi / LENGTH[i] * np.fft.fftfreq(n, 1 / n)).reshape([-1 if d == 2 - i else 1 for d in range(3)])
        close(got[f"dpressure_d{axis}"], np.fft.ifft(1j * k * np.fft.fft(p, axis=2 - i), axis=2 - i).real.ravel())
    # between the points it is the same function
    inside = table(ask(triad, folder / "run", "--at", write(tmp_path / "p.csv", points(5)), "--what", "pressure,filtered=2"))
    assert np.all(np.isfinite(inside["pressure"]))


def test_pressure_of_a_superfluid_is_refused(launcher, triad, tmp_path):
    run = make(launcher, triad, tmp_path, "gpe")
    assert "not available for solver gpe" in ask(triad, run, "--at", "lattice 1 1 1", "--what", "pressure", expect=65)


# ---- paths ----

PATHS = """
[equations]
solver = "hd"
viscosity = {viscosity}
[grid]
n = [16, 16, 16]
[initial]
kind = "abc"
abc = [1, 0.7, 0.4]
[time]
end = 1.6
dt = 0.1
[output]
checkpoint_interval = 0.4
keep = 10
report = false
"""


def abc(x):
    """A sin z + C cos y, B sin x + A cos z, C sin y + B cos x: a steady flow without viscosity, else it decays as exp(-nu t)."""
    a, b, c = 1, 0.7, 0.4
    return np.stack([a * np.sin(x[:, 2]) + c * np.cos(x[:, 1]), b * np.sin(x[:, 0]) + a * np.cos(x[:, 2]),
                     c * np.sin(x[:, 1]) + b * np.cos(x[:, 0])], axis=1)


def runge_kutta(u, x, t, end, steps):
    """The classical scheme, told anew."""
    h, out = (end - t) / steps, [x]
    for i in range(steps):
        s = t + i * h
        k1 = u(x, s)
        k2 = u(x + h / 2 * k1, s + h / 2)
        k3 = u(x + h / 2 * k2, s + h / 2)
        k4 = u(x + h * k3, s + h)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(x)
    return np.array(out)


@pytest.fixture(scope="module")
def abc_run(launcher, triad, tmp_path_factory):
    made = {}

    def of(viscosity):
        if viscosity not in made:
            folder = tmp_path_factory.mktemp("abc")
            (folder / "case.toml").write_text(PATHS.format(viscosity=viscosity))
            launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
            made[viscosity] = folder / "run"
        return made[viscosity]
    return of


def paths(triad, run, at, begin, end, steps, folder):
    out = folder / f"paths-{begin}-{end}-{steps}.h5"
    ask(triad, run, "--at", at, "--time", str(begin), "--advect", str(end), "--steps", str(steps), "-o", out)
    with h5py.File(out) as f:
        return f["t"][:], f["position"][:], f["velocity"][:]


def test_points_in_a_steady_flow_move_as_integrated_by_hand(triad, abc_run, tmp_path):
    """The run keeps a steady flow steady to rounding; of fourth order in the step."""
    run, x = abc_run(0), np.random.default_rng(2).random((4, 3)) * 6
    at = write(tmp_path / "points.csv", x)
    t, got, u = paths(triad, run, at, 0.4, 1.6, 12, tmp_path)
    assert np.allclose(t, np.linspace(0.4, 1.6, 13))
    assert np.abs(got - runge_kutta(lambda y, _: abc(y), x, 0.4, 1.6, 12)).max() < 1e-12
    assert np.abs(u - np.array([abc(y) for y in got])).max() < 1e-12
    exact = runge_kutta(lambda y, _: abc(y), x, 0.4, 1.6, 400)[-1]
    errors = [np.abs(paths(triad, run, at, 0.4, 1.6, n, tmp_path)[1][-1] - exact).max() for n in (3, 6)]
    assert 3.5 < np.log2(errors[0] / errors[1]) < 4.7
    # back in time, where they came from: but for the error of the twelve steps forth, which the flow may stretch
    write(tmp_path / "back.csv", got[-1])
    assert np.abs(paths(triad, run, tmp_path / "back.csv", 1.6, 0.4, 48, tmp_path)[1][-1] - x).max() < 4 * errors[1] / 2**4


def test_velocity_is_linear_in_time_between_checkpoints(triad, abc_run, tmp_path):
    """Of a flow that decays as exp(-nu t), through three of them, forth and back."""
    viscosity, times = 0.3, np.array([0.4, 0.8, 1.2, 1.6])
    run, x = abc_run(viscosity), np.random.default_rng(3).random((3, 3)) * 6
    at = write(tmp_path / "points.csv", x)

    def u(y, s):
        return np.interp(s, times, np.exp(-viscosity * times)) * abc(y)
    for begin, end in ((0.5, 1.55), (1.6, 0.4)):
        assert np.abs(paths(triad, run, at, begin, end, 7, tmp_path)[1] - runge_kutta(u, x, begin, end, 7)).max() < 1e-12


def test_paths_as_rows_and_what_is_wrong_with_them(triad, abc_run, one, tmp_path):
    run, at = abc_run(0), write(tmp_path / "points.csv", points(2))
    got = table(ask(triad, run, "--at", at, "--time", "0.4", "--advect", "0.8", "--steps", "3"))
    t, x, _u = paths(triad, run, at, 0.4, 0.8, 3, tmp_path)
    assert list(got) == ["t", "particle", "x", "y", "z", "u", "v", "w"] and np.array_equal(got["t"], np.repeat(t, 2))
    assert np.array_equal(got["x"], x[:, :, 0].ravel()) and np.array_equal(got["particle"], np.tile([0, 1], 4))
    words = ("--at", at, "--time", "0.4", "--advect")
    assert "outside its checkpoints, t = " in ask(triad, run, *words, "7", expect=65)
    assert "not a number" in ask(triad, run, *words, "soon", expect=64)
    assert "requires --time" in ask(triad, run, "--at", at, "--advect", "1", expect=64)
    assert "remove --what" in ask(triad, run, *words, "1", "--what", "u", expect=64)
    assert "--steps" in ask(triad, run, *words, "1", "--steps", "0", expect=64)
    assert "requires --advect" in ask(triad, run, "--at", at, "--steps", "3", expect=64)
    assert "requires a run directory" in ask(triad, outputs.checkpoints(one)[-1], *words, "0.1", expect=65)
    assert "no such file" in ask(triad, tmp_path / "none", *words, "1", expect=66)
