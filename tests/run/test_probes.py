"""output.probes: values are the sums over the modes; rows survive stops and kills; the same bits on any ranks."""

import os
import signal
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH, case
from waiting import wait_for

OUTPUT = """checkpoint_interval = 0.1
probes = ["[1.0, pi/2, -30]", "lattice 3 1 2", "[ 0.25 ,7, 1e-3 ]"]"""
POINTS = [(1, np.pi / 2, -30), *((LENGTH[0] * i / 3, 0, LENGTH[2] * k / 2) for k in range(2) for i in range(3)), (0.25, 7, 1e-3)]
MORE = {
    "hd": ("viscosity = 0.02\nscalars = [0.02]", 'kind = "random"\nwavenumber = 2'),
    "mhd": ("viscosity = 0.02\nresistivity = 0.02", 'kind = "random"\nwavenumber = 2'),
    "gpe": ("healing_length = 1.0", 'kind = "vortex-ring"\nrings = [3, 2.5, 4, 0, 0, 1, 1.5]'),
}


@pytest.fixture
def run(mpirun, triad, tmp_path):
    """run(ranks, solver, --set pairs ..): the run directory."""
    def start(ranks=1, solver="hd", name="run", expect=0, precision="double", threads=1, **keys):
        more, initial = MORE[solver]
        (tmp_path / "case.toml").write_text(case(solver, more, (16, 15, 12), OUTPUT, initial, 0.2, precision=precision))
        sets = [word for k, v in keys.items() for word in ("--set", f"{k.replace('__', '.')}={v}")]
        start.result = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / name, *sets, expect=expect,
                              threads=threads)
        return tmp_path / name
    return start


def table(run, name="probes.csv"):
    lines = [line for line in (run / name).read_text().splitlines() if not line.startswith("#")]
    values = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    return dict(zip(lines[0].split(","), values.T))


def sums(m, name, x):
    """sum_k w u(k) exp(i k.x), real part: the checkpoint holds one count of both halves of modes."""
    k = [2 * np.pi / length * np.asarray(m[f"k{axis}"], float) for axis, length in zip("xyz", LENGTH)]
    modes = np.where((m["kx"] == 0) & (m["ky"] == 0), 1, 2)[:, None] * m[name]
    return np.array([np.sum((modes * np.exp(1j * (k[0][:, None] * a + k[1][:, None] * b + k[2][None, :] * c))).real)
                     for a, b, c in x])


@pytest.mark.parametrize("solver, precision, tolerance", [("hd", "double", 1e-13), ("mhd", "double", 1e-13),
                                                          ("gpe", "double", 1e-13), ("hd", "single", 1e-13)])
def test_every_field_is_the_sum_over_its_modes(run, solver, precision, tolerance):
    """Sums in double of what modes there are, in single too: a few thousand terms of 1e-16 each."""
    folder = run(solver=solver, precision=precision)
    m, got = outputs.modes(folder), table(folder)
    names = [name for name in m if name not in ("kx", "ky", "kz", "attributes")]
    assert len(got) == 3 + len(POINTS) * len(names) and len(got["t"]) == 5
    for name in names:
        want = sums(m, name, POINTS)
        scale = np.sqrt(np.sum(abs(m[name])**2) * 2)
        last = np.array([got[f"{name}_{i + 1}"][-1] for i in range(len(POINTS))])
        assert np.abs(last - want).max() <= tolerance * scale
    header = (folder / "probes.csv").read_text()
    assert "# u_1 [U]: " in header or solver == "gpe"
    assert "at (1, 1.5707963267948966, -30)" in header


def test_the_same_bits_on_any_ranks_and_threads(run):
    """The sum along kz is a column's own, and that over columns is exact."""
    text = (run(1, name="one", parallel__reproducible="true") / "probes.csv").read_bytes()
    for ranks, threads in ((3, 1), (1, 2)):
        other = run(ranks, name=f"r{ranks}-{threads}", threads=threads, parallel__reproducible="true")
        assert (other / "probes.csv").read_bytes() == text


def test_rows_come_at_their_interval(run):
    folder = run(output__probes_interval=0.1)
    assert np.allclose(table(folder)["t"], [0, 0.1, 0.2], atol=1e-12)


def test_a_resumed_run_has_the_rows_of_one_that_went_on(run):
    whole = run(name="whole", output__probes_format="h5")
    part = run(name="part", time__max_steps=3, output__checkpoint_interval=0.1)
    # as if it had been killed behind the checkpoint of step 2, in the middle of a row
    for folder in outputs.checkpoints(part)[1:]:
        os.rename(folder, part / f"{folder.name}.gone")
    with open(part / "probes.csv", "a") as f:
        f.write("4,0.2,0.05,1")
    run(name="part", output__probes_format="h5")
    assert (part / "probes.csv").read_bytes() == (whole / "probes.csv").read_bytes()
    assert (part / "probes.discarded.csv").exists()
    with h5py.File(whole / "probes.h5") as a, h5py.File(part / "probes.h5") as b:
        assert sorted(a) == sorted(["position", "t", "u", "v", "w", "scalar1"])
        assert np.allclose(a["position"][:], POINTS, rtol=1e-15, atol=0)
        got = table(whole)
        assert np.array_equal(a["t"][:], got["t"]) and a["u"].dims[0][0] == a["t"]
        for name in ("u", "scalar1"):
            assert np.array_equal(a[name][:], b[name][:])
            assert np.array_equal(a[name][:], np.stack([got[f"{name}_{i + 1}"] for i in range(len(POINTS))], axis=1))


def test_a_kill_leaves_whole_rows_and_a_resume_all_of_them(launcher, mpirun, triad, tmp_path):
    more, initial = MORE["hd"]
    (tmp_path / "case.toml").write_text(case("hd", more, (16, 15, 12), OUTPUT, initial, 0.2))
    words = ("run", tmp_path / "case.toml", "--dir", tmp_path / "run", "--set", "time.end=500", "--set",
             "output.checkpoint_interval=1", "--set", "time.max_steps=10000")
    process = launcher.start(1, triad, *words)
    path = tmp_path / "run" / "probes.csv"
    wait_for(lambda: path.exists() and len(outputs.checkpoints(tmp_path / "run")) >= 2 and path.read_bytes().count(b"\n") > 100,
             "two checkpoints and a hundred rows", process)
    for pid in [int(p) for p in os.listdir("/proc") if p.isdigit()]:
        try:
            command = open(f"/proc/{pid}/cmdline", "rb").read()
        except OSError:
            continue
        if str(tmp_path / "run").encode() in command and b"mpirun" not in command.split(b"\0")[0]:
            os.kill(pid, signal.SIGKILL)
    process.wait(20)
    step = int(table_of_whole_rows(path)[-1].split(",")[0])
    mpirun(1, triad, *words[:-1], f"time.max_steps={step + 20}", "--break-lock", expect=0)
    got = table(tmp_path / "run")
    assert np.array_equal(got["step"], np.arange(step + 21))


def table_of_whole_rows(path):
    text = path.read_text()
    return [line for line in text[:text.rindex("\n")].splitlines() if not line.startswith("#")][1:]


def test_other_places_want_another_file(run):
    folder = run(time__max_steps=2)
    run(expect=65, output__probes='["[1, 1, 1]"]')
    assert "with these points: move it away to resume" in run.result.stderr
    os.rename(folder / "probes.csv", folder / "earlier.csv")
    run(output__probes='["[1, 1, 1]"]')
    assert len(table(folder)["t"]) == 2


BAD = {
    '["[1, 2]"]': "is not a point",
    '["[1, 2, 3, 4]"]': "is not a point",
    '["[1, 2, x]"]': "is not a point",
    '["[1, 2, nan]"]': "is not a point",
    '["lattice 2 2"]': "is not a point",
    '["lattice 2 2 2 2"]': "is not a point",
    '["somewhere"]': "is not a point",
    '[""]': "is not a point",
    '["lattice 0 1 1"]': "at least one point",
    '["lattice 99 99 99"]': "at most 4096",
    '["[1,1,1]", "lattice 16 16 16"]': "value 2 of 2: 4097 points",
}


def test_places_that_are_none_are_refused_where_they_stand(triad, tmp_path):
    more, initial = MORE["hd"]
    (tmp_path / "case.toml").write_text(case("hd", more, (16, 15, 12), OUTPUT, initial, 0.2))
    check = (triad, "case", "--check", tmp_path / "case.toml")
    assert subprocess.run(check, capture_output=True, timeout=20).returncode == 0
    for text, words in BAD.items():
        done = subprocess.run((*check, "--set", f"output.probes={text}"), capture_output=True, text=True, timeout=20)
        assert done.returncode == 65 and words in done.stderr and "output.probes: value" in done.stderr, text
    for words, more in ((("numbers per row"), 'output.probes=["lattice 16 16 16"]'),
                        ("values between points are undefined", "grid.truncation=none")):
        done = subprocess.run((*check, "--set", more), capture_output=True, text=True, timeout=20)
        assert done.returncode == 65 and words in done.stderr
    text = (tmp_path / "case.toml").read_text().replace("[ 0.25 ,7, 1e-3 ]", "[0.25, 7]")
    (tmp_path / "case.toml").write_text(text)
    done = subprocess.run(check, capture_output=True, text=True, timeout=20)
    line = 1 + text[:text.index("probes =")].count("\n")
    assert done.returncode == 65 and f"case.toml:{line}:" in done.stderr


def test_a_spectrum_over_frequencies_holds_the_variance_at_the_right_place():
    """A sine of amplitude 3 has the variance 9/2, within Hann's four bins about its frequency; at uneven times too."""
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    import looks  # noqa: F401  (the way to tools/)
    from triad_plot.figures.time.probe import frequency_spectrum
    t = np.cumsum(np.random.default_rng(1).uniform(0.999e-3, 1.001e-3, 20000))
    f, density = frequency_spectrum(t, np.stack([3 * np.sin(2 * np.pi * 7 * t), 5 + 3 * np.cos(2 * np.pi * 7 * t)], axis=1))
    width = f[1] - f[0]
    assert np.sum(density) * width == pytest.approx(4.5, rel=1e-3)
    assert np.sum(density[abs(f - 7) < 2.5 * width]) * width == pytest.approx(4.5, rel=1e-3)


# ---- a gas, at points of a box ----

GAS = """
[equations]
solver = "compressible"
[grid]
n = [{n}, 12, 10]
length = ["2pi", 5.0, 3.0]
{walls}
[initial]
kind = "formula"
rho = "1 + 0.2*sin(x)"
u = "0.1*cos(x)"
v = "x*0 + y*y*y - y*z*z"
p = "1 + 0.01*z*z*z*y"
[time]
end = 1
max_steps = 1
dt = 1e-9
[output]
spectra_interval = 0
probes = {probes}
slices = []
report = false
"""


def gas(mpirun, triad, folder, name, ranks=1, n=16, walls="", probes='["[1.3, 2.2, 1.1]", "[-0.2, 4.0, 2.0]", "lattice 2 1 2"]', expect=0):
    (folder / f"{name}.toml").write_text(GAS.format(n=n, walls=walls, probes=probes))
    return mpirun(ranks, triad, "run", folder / f"{name}.toml", "--dir", folder / name, expect=expect)


WALLS = "[boundaries]\ny = [\"outflow\", \"outflow\"]\nz = [\"outflow\", \"outflow\"]"


def test_a_gas_is_told_by_polynomials_of_third_degree(mpirun, triad, tmp_path):
    """Exact for cubes of y and z, near the ends too; of fourth order along x, across whose ends it goes."""
    errors = []
    places = '["[1.3, 2.2, 1.1]", "[6.2, 0.01, 2.999]", "[-0.03, 5.0, 0]"]'
    at = np.array([(1.3, 2.2, 1.1), (6.2, 0.01, 2.999), (-0.03, 5.0, 0)])
    for n in (16, 32, 64):
        gas(mpirun, triad, tmp_path, f"gas{n}", n=n, walls=WALLS, probes=places)
        got = {name: values[0] for name, values in table(tmp_path / f"gas{n}").items()}
        for i, (x, y, z) in enumerate(at):
            assert abs(got[f"v_{i + 1}"] - (y**3 - y * z * z)) < 1e-11
            # a pressure of 1 is what is left of an energy of up to v^2/2 = 8000
            assert abs(got[f"p_{i + 1}"] - (1 + 0.01 * z**3 * y)) < 1e-11
        errors.append(max(abs(got[f"u_{i + 1}"] - 0.1 * np.cos(x)) for i, (x, _y, _z) in enumerate(at)))
    assert 3 < np.log2(errors[0] / errors[2]) / 2 < 5 and errors[2] < 1e-6, errors


def test_a_gas_has_the_same_places_on_any_ranks(mpirun, triad, tmp_path):
    gas(mpirun, triad, tmp_path, "one")
    gas(mpirun, triad, tmp_path, "three", ranks=3)
    assert (tmp_path / "one/probes.csv").read_bytes() == (tmp_path / "three/probes.csv").read_bytes()
    assert len(table(tmp_path / "one")) == 3 + 5 * 6


def test_places_outside_of_walls_are_refused(mpirun, triad, tmp_path):
    done = gas(mpirun, triad, tmp_path, "outside", walls=WALLS, probes='["[1, 5.5, 1]"]', expect=65)
    assert "y = 5.5 is outside the box" in done.stderr
