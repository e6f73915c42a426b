"""docs/developers/adding*.md followed as a reader would: its blocks in a copy of the tree, built, and what came of them run."""

import os
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from conftest import BUILD, ROOT
from outputs import sets
from pages import blocks

ADDING = [ROOT / f"docs/developers/{page}.md" for page in ("adding-a-set", "adding", "adding-a-solver")]
NEW = {"solvers/spectral/equations/burgers.c", "solvers/spectral/equations/burgers_points.h",
       "solvers/diffusion/diffusion.h", "solvers/diffusion/keys.c", "solvers/diffusion/solver.c"}
CHANGED = {"solvers/spectral/equations/list.h", "solvers/spectral/start/initial.c", "solvers/spectral/keys.c",
           "solvers/schemes.c", "solvers/list.h"}

CASE = """[equations]
solver = "burgers"
wave_speed = 0.7
wave_diffusivity = 0.3
[grid]
n = [64, 8, 8]
[initial]
kind = "sine"
[time]
end = 1
dt = 0.01
[output]
series_interval = 0.1
fields_interval = 1
slices = ["z=0"]
slices_interval = 1
"""


# ---- a copy of the house, with what the page adds ----

def files_of_tree():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    return [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file() and
            not p.relative_to(ROOT).parts[0] in ("build", "bin", ".git")]  # a tree from a tar file


def copy_tree(to):
    """Sources and objects with their times, so that make takes only what changed."""
    for name in [*files_of_tree(), "Makefile.inc"]:
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    for name in ("once", "double", "raw", "single"):
        if (BUILD / name).is_dir():
            shutil.copytree(BUILD / name, to / "build" / name, dirs_exist_ok=True)
    for name in ("flags", "objects", "single.names", "stamp.h", "microhttpd", "cgns", "zfp", "graphs", "formats"):
        if (BUILD / name).is_file():
            shutil.copy2(BUILD / name, to / "build" / name)


def apply_block(house, block):
    """The file that a block of the page makes or changes; None for another sort of block."""
    first, _, rest = block.text.partition("\n")
    name = re.fullmatch(r"(?:/\*|#) (\S+/\S+\.[ch])", first)
    if not name or block.language not in ("c", "diff"):
        return None
    path = house / name[1]
    if block.language == "c":
        assert not path.exists(), f"{name[1]} is there already"
        path.parent.mkdir(exist_ok=True)
        path.write_text(block.text)
        return name[1]
    lines = rest.splitlines()
    before = "\n".join(line[1:] for line in lines if line[:1] != "+")
    after = "\n".join(line[1:] for line in lines if line[:1] != "-")
    text = path.read_text()
    assert text.count(before) == 1, f"{name[1]} has these lines {text.count(before)} times:\n{before}"
    path.write_text(text.replace(before, after))
    return name[1]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """(folder, files that the page's blocks made or changed)"""
    other = [word for word in ("-fsanitize", "-DTRIAD_CUDA") if word in (BUILD / "flags").read_text()]
    if other:
        pytest.skip(f"built with {other[0]}: the page is followed with a plain build, whose objects are reused")
    to = tmp_path_factory.mktemp("house")
    copy_tree(to)
    touched = {apply_block(to, block) for page in ADDING for block in blocks(page)} - {None}
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    # objects of a build without WERROR=1 would all be made again with it; a warning fails here either way
    made = subprocess.run(["make", "-j2", "bin/triad", "build/tests/test_schemes"], cwd=to, env=environment,
                          capture_output=True, text=True, timeout=280)
    assert made.returncode == 0 and "warning:" not in made.stderr, made.stdout[-2000:] + made.stderr[-4000:]
    yield to, touched
    shutil.rmtree(to, ignore_errors=True)


@pytest.fixture
def run(house, mpirun, tmp_path):
    (tmp_path / "case.toml").write_text(CASE)

    def start(name, *arguments, ranks=1):
        mpirun(ranks, house[0] / "bin/triad", "run", tmp_path / "case.toml", "--dir", tmp_path / name, *arguments, expect=0)
        return tmp_path / name
    return start


# ---- how many places it took ----

@pytest.mark.limit(300)
def test_a_set_a_start_a_quantity_a_scheme_and_a_solver_touch_the_places_that_the_page_tells(house):
    assert house[1] == NEW | CHANGED
    assert not [name for name in house[1] if not name.startswith("solvers/")]


def test_the_case_knows_of_the_new_set(house, run, mpirun, tmp_path):
    triad = house[0] / "bin/triad"
    told = mpirun(1, triad, "case", "--keys", "equations.wave_speed", expect=0).stdout
    assert "Speed c that the wave runs with" in told and "solvers: burgers" in told
    (tmp_path / "case.toml").write_text(CASE)
    mpirun(1, triad, "case", "--check", tmp_path / "case.toml", expect=0)
    wrong = mpirun(1, triad, "case", "--check", tmp_path / "case.toml", *sets(equations__solver="hd"), expect=65)
    assert "not a key of solver hd, only of burgers" in wrong.stdout + wrong.stderr
    assert "sine" in mpirun(1, triad, "case", "--keys", "initial.kind", expect=0).stdout


def test_the_new_scheme_is_what_its_row_says(house, mpirun):
    mpirun(1, house[0] / "build/tests/test_schemes", expect=0)


# ---- Burgers' equation ----

def exact_energy(t, kappa=0.3, n=256):
    """mean(s^2)/2 of Burgers' equation from s = sin x, by Cole and Hopf: s = -2 kappa phi_x/phi, phi_t = kappa phi_xx. A
    speed c carries the wave along and leaves the energy."""
    x = 2 * np.pi * np.arange(n) / n
    k = np.fft.rfftfreq(n, 1 / n)
    modes = np.fft.rfft(np.exp(np.cos(x) / (2 * kappa))) * np.exp(-kappa * k**2 * t)
    s = -2 * kappa * np.fft.irfft(1j * k * modes, n) / np.fft.irfft(modes, n)
    return float((s**2).mean() / 2)


def test_the_new_set_solves_its_equation_and_every_scheme_has_its_order(run):
    """A step twice as short leaves 2^order less of the error, once it is small; 20 % for the next order. The grid's own
    error is far below: the modes left out, from 22 on, are smaller than exp(-0.3 pi 22) by then."""
    for scheme, order in (("ralston", 2), ("rk2", 2), ("rk3", 3)):
        errors = []
        for dt in (0.02, 0.01):
            folder = run(f"{scheme}-{dt}", *sets(time__scheme=scheme, time__dt=dt, output__fields_interval=0,
                                                 output__slices_interval=0))
            errors.append(abs(outputs.series(folder)["energy"][-1] - exact_energy(1)))
        assert errors[0] < 1e-3 and errors[0] / errors[1] == pytest.approx(2**order, rel=0.2), (scheme, errors)


def test_a_run_of_the_new_set_goes_on_on_other_ranks(house, run, mpirun):
    whole = run("whole")
    halves = run("halves", *sets(time__max_steps=40))
    run("halves", *sets(time__max_steps=0), ranks=2)
    a, b = outputs.modes(whole)["s"], outputs.modes(halves)["s"]
    assert abs(a - b).max() < 1e-14 * abs(a).max() * 100  # round-off of 60 steps
    told = mpirun(1, house[0] / "bin/triad", "info", whole, expect=0).stdout
    assert "burgers" in told


def test_files_of_the_new_set_hold_its_field_and_quantity(run):
    """From s = A sin x with A = 1e-6, s = A exp(-kappa t) sin(x - c t) to A^2."""
    folder = run("small", *sets(initial__amplitude=1e-6, time__scheme="rk4"))
    with h5py.File(sorted((folder / "fields").glob("fields-*.h5"))[-1]) as f:
        s, x = f["s"][0, 0], f["x"][:]
        assert np.allclose(s, 1e-6 * np.exp(-0.3) * np.sin(x - 0.7), rtol=0, atol=3e-12)
        assert np.ptp(f["s"][:], axis=(0, 1)).max() < 1e-18
    with h5py.File(sorted((folder / "slices").rglob("*.h5"))[-1]) as f:
        names = []
        f.visit(names.append)
        assert any(name.split("/")[-1] == "s" for name in names), names


# ---- diffusion ----

KAPPA, LENGTH, POINTS = 0.3, (2 * np.pi, 5, 4), (24, 20, 16)
SPACING = [length / n for length, n in zip(LENGTH, POINTS)]
WAVE = [2 * np.pi / length for length in LENGTH]
DIFFUSION = f"""[equations]
solver = "diffusion"
diffusivity = {KAPPA}
[grid]
n = {list(POINTS)}
length = {list(LENGTH)}
[initial]
kind = "cosine"
[time]
end = 1
dt = 0.03125
[output]
series_interval = 0.25
fields_interval = 1
slices = ["z=0: s, slope", "x=1"]
slices_interval = 1
"""


def rate_of_differences(spacing=SPACING, wave=WAVE):
    """kappa k~^2 of the wave with one period along each axis: the second difference of cos(k x) is
    -(2 sin(k h/2)/h)^2 cos(k x)."""
    return KAPPA * sum((2 * np.sin(k * h / 2) / h)**2 for k, h in zip(wave, spacing))


def at_points(field, folder, which):
    with h5py.File(sorted((folder / "fields").glob("fields-*.h5"))[which]) as f:
        return f[field][:], [f[axis][:] for axis in "xyz"]


@pytest.fixture
def diffuse(house, mpirun, tmp_path):
    def start(name, *arguments, ranks=1, expect=0):
        case = tmp_path / "case.toml"
        case.write_text(DIFFUSION)
        told = mpirun(ranks, house[0] / "bin/triad", "run", case, "--dir", tmp_path / name, *arguments, expect=expect)
        return tmp_path / name if expect == 0 else told.stdout + told.stderr
    return start


def test_a_wave_decays_at_the_rate_of_the_differences_to_the_order_of_the_scheme(diffuse):
    """cos cos cos is an eigenvector of the discrete Laplacian, so that time steps make all of the error: halving dt leaves
    2^-order of it, but for the next order, of rate dt = 5 %."""
    energy = np.exp(-2 * rate_of_differences()) / 16
    for scheme, order in (("rk2-imaginary", 2), ("ssprk3", 3), ("rk4", 4)):
        errors = [abs(outputs.series(diffuse(f"{scheme}-{dt}", *sets(time__scheme=scheme, time__dt=dt)))["energy"][-1] / energy
                      - 1) for dt in (1 / 32, 1 / 64)]
        assert 1e-10 < errors[0] < 1e-2 and errors[0] / errors[1] == pytest.approx(2**order, rel=0.1), (scheme, errors)


def test_the_field_is_the_wave_at_every_point_and_its_budget_closes(diffuse):
    folder = diffuse("wave", *sets(time__scheme="rk4"))
    rate, series = rate_of_differences(), outputs.series(folder)
    for which, decay, tolerance in ((0, 1, 1e-14), (-1, np.exp(-rate), 1e-7)):  # 1e-7: the steps' error, as above
        s, (x, y, z) = at_points("s", folder, which)
        wave = [np.cos(k * at) for k, at in zip(WAVE, (x, y, z))]
        assert np.allclose(s, decay * np.einsum("i,j,k->kji", *wave), rtol=0, atol=tolerance)
    assert np.allclose(series["dissipation"], 2 * rate * series["energy"], rtol=1e-12)  # sums of 7680 rounded terms


def test_the_solution_is_of_second_order_in_the_spacing(diffuse):
    """Of the wave on n^3 points, against exp(-2 kappa k^2 t); rk4's own error is 1e-5 of it. 3 % for the next order, of
    (k h)^2/10."""
    errors = []
    for n in (16, 32):
        folder = diffuse(f"n{n}", *sets(grid__n=[n, n, n], grid__length=[2 * np.pi] * 3, time__scheme="rk4", time__end=0.5,
                                        time__dt=1 / 128))
        errors.append(outputs.series(folder)["energy"][-1] * 16 / np.exp(-KAPPA * 3) - 1)
    assert errors[0] > 1e-3 and errors[0] / errors[1] == pytest.approx(4, rel=0.03), errors


def test_slices_of_the_new_solver_show_its_field_and_central_differences(diffuse):
    with h5py.File(diffuse("sliced") / "slices/slice1-00000000.h5") as f:
        x, y, s, slope = f["x"][:], f["y"][:], f["s"][:], f["slope"][:]
    (k, l, _), (h, g, _) = WAVE, SPACING
    assert np.allclose(s, np.cos(l * y)[:, None] * np.cos(k * x), rtol=0, atol=1e-14)
    along_x = np.sin(k * h) / h * np.cos(l * y)[:, None] * np.sin(k * x)
    along_y = np.sin(l * g) / g * np.sin(l * y)[:, None] * np.cos(k * x)
    assert np.allclose(slope, np.hypot(along_x, along_y), rtol=0, atol=1e-13)


def test_every_number_of_ranks_gives_the_same_bits(diffuse):
    one, *others = [diffuse(f"ranks{n}", *sets(initial__kind="spot"), ranks=n) for n in (1, 2, 3)]
    for other in others:
        assert outputs.rows(other) == outputs.rows(one)
        assert np.array_equal(at_points("s", other, -1)[0], at_points("s", one, -1)[0])
        for slice_of in ("slice1", "slice2"):
            names = [sorted((run / "slices").glob(f"{slice_of}-*.h5"))[-1] for run in (one, other)]
            with h5py.File(names[0]) as a, h5py.File(names[1]) as b:
                assert np.array_equal(a["s"][:], b["s"][:]) and np.array_equal(a["slope"][:], b["slope"][:])


@pytest.mark.parametrize("first, then", [(1, 3), (3, 2)])
def test_a_run_of_the_new_solver_goes_on_on_other_ranks_with_the_same_bits(diffuse, first, then):
    whole = diffuse("whole", *sets(initial__kind="spot"))
    diffuse("halves", *sets(initial__kind="spot", time__max_steps=13), ranks=first)
    halves = diffuse("halves", *sets(initial__kind="spot", time__max_steps=0), ranks=then)
    with h5py.File(outputs.checkpoints(whole)[-1] / "points.h5") as a, \
         h5py.File(outputs.checkpoints(halves)[-1] / "points.h5") as b:
        assert np.array_equal(a["s"][:], b["s"][:])
    assert outputs.rows(halves)[-1] == outputs.rows(whole)[-1]


def test_the_new_solver_starts_from_fields_and_checkpoints_of_others(diffuse):
    before = diffuse("before", *sets(initial__kind="spot"))
    energy = outputs.rows(before)[-1].split(",")[3]
    fields = sorted((before / "fields").glob("fields-*.h5"))[-1]
    for kind, file in (("file", fields), ("checkpoint", before)):
        after = diffuse(kind, *sets(initial__kind=kind, initial__file=str(file)), ranks=2)
        assert outputs.rows(after)[1].split(",")[3] == energy
    wrong = diffuse("wrong", *sets(initial__kind="file", initial__file=str(fields), grid__n=[24, 20, 8]), expect=65)
    assert "dataset s has 16 x 20 x 24 points (z, y, x), but the grid has 8 x 20 x 24" in wrong


def test_the_new_solver_runs_in_single_precision_and_says_where_it_blows_up(diffuse):
    single = outputs.series(diffuse("single", *sets(precision="single")))["energy"]
    assert single == pytest.approx(outputs.series(diffuse("double"))["energy"], rel=1e-5)  # 96 stages, 6e-8 each
    told = diffuse("unstable", *sets(initial__kind="spot", time__dt=0.2, time__end=100), expect=80)
    assert "blow-up: after step" in told and "or a finer grid\n" in told, "its series has no kmax_eta"


def test_every_command_takes_the_new_solver(house, diffuse, mpirun, tmp_path):
    triad, folder = house[0] / "bin/triad", diffuse("run")
    told = mpirun(1, triad, "case", "--keys", "time.scheme", expect=0).stdout
    assert "solvers: diffusion" in told
    kinds = mpirun(1, triad, "case", "--keys", "initial.kind", expect=0).stdout
    assert '"cosine", "spot", "file", "checkpoint"' in kinds
    checked = mpirun(1, triad, "case", "--check", tmp_path / "case.toml", expect=0).stdout
    assert "a set of fields" in checked and "state and stages" in checked
    timed = mpirun(2, triad, "bench", tmp_path / "case.toml", "--steps", 3, expect=0).stdout
    assert "diffusion  24 x 20 x 16  double  ssprk3  2 ranks" in timed and "million cell steps/s" in timed
    info = mpirun(1, triad, "info", folder, expect=0).stdout
    assert "diffusion, 24 x 20 x 16, double precision, initial cosine" in info and "slice2-00000000.h5" in info
    no_gpu = diffuse("gpu", *sets(parallel__device="gpu"), expect=69)
    assert "this solver has no GPU support" in no_gpu


# ---- a start and a quantity of the sets that are there ----

def test_the_new_start_and_quantity_serve_the_sets_that_were_there(house, mpirun, tmp_path):
    """u = sin z decays as exp(-nu t): exact for Navier-Stokes. Its vorticity along y is cos z."""
    case = tmp_path / "case.toml"
    case.write_text('[equations]\nsolver = "hd"\nviscosity = 0.1\n[grid]\nn = [16, 16, 16]\n[initial]\nkind = "sine-shear"\n'
                    '[time]\nend = 0.5\ndt = 0.05\n[output]\nslices = ["y=0: turning, vorticity_z"]\nslices_interval = 0.5\n')
    mpirun(1, house[0] / "bin/triad", "run", case, "--dir", tmp_path / "run", expect=0)
    energy = outputs.series(tmp_path / "run")["energy"]
    assert energy[0] == pytest.approx(0.25, rel=1e-12)
    assert energy[-1] == pytest.approx(0.25 * np.exp(-2 * 0.1 * 0.5), rel=1e-12)
    assert list((tmp_path / "run/slices").rglob("*.h5"))
