"""triad tune: its table, what it writes, who takes it, and that the default is never given up for nothing. On CPUs."""

import re

import pytest

from conftest import ROOT
from outputs import sets

OPEN = sets(grid__n=[16, 16, 16], parallel__threads=1, time__scheme="rk2")
SMALL = [*OPEN, *sets(parallel__lines="auto")]  # given, and so not tried: fewer rows


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case" / "case.toml"
    path.parent.mkdir()
    path.write_text((ROOT / "runs/bench-hd/case.toml").read_text())
    return path


def tune(mpirun, triad, case, *more, ranks=2, expect=0, small=SMALL):
    return mpirun(ranks, triad, "tune", case, "--steps", 2, *small, *more, timeout=100, expect=expect)


def settings(path):
    return dict(re.findall(r"^(\w+) = (.*)$", path.read_text(), re.M))


def change(path, key, value):
    path.write_text(re.sub(rf"^{key} = .*$", f"{key} = {value}", path.read_text(), flags=re.M))


def test_table_has_the_default_and_what_is_written_is_never_slower(mpirun, triad, case):
    out = tune(mpirun, triad, case, *sets(parallel__split=[2, 1])).stdout
    rows = [line.split() for line in out.splitlines() if re.match(r"mpi +\d", line)]
    assert [int(r[1]) for r in rows[1:]] == sorted({int(r[1]) for r in rows[1:]}), "one row for each number of chunks"
    assert len(rows) >= 3 and int(rows[0][1]) == 4, "the first row is the default, four chunks"
    found = settings(case.parent / "tune.toml")
    assert float(found["step_s"]) <= float(found["default_s"])
    assert found["ranks"] == "2" and found["grid"] == "[16, 16, 16]" and found["gpu"] == '"none"'
    if found["nstreams"] == "0":
        assert found["step_s"] == found["default_s"] and "no setting is clearly faster" in out
    else:
        assert float(found["step_s"]) <= 0.98 * float(found["default_s"])


def test_run_takes_its_entry_and_says_so(mpirun, triad, case, rundir):
    tune(mpirun, triad, case, *sets(parallel__split=[2, 1]))  # not left to the clock: one group would have nothing to send in chunks
    change(case.parent / "tune.toml", "nstreams", 3)
    run = (triad, "run", case, "--dir", rundir, *SMALL, *sets(time__max_steps=1))
    assert "tuned: nstreams 3" in mpirun(2, *run, timeout=60, expect=0).stdout
    resolved = (rundir / "case.resolved.toml").read_text()
    assert re.search(r"^nstreams = 3 # .*tune\.toml:\d+$", resolved, re.M), resolved
    bench = (triad, "bench", case, "--steps", 1, *SMALL)
    for ranks, more in ((1, ()), (2, sets(grid__n=[18, 16, 16])), (2, sets(precision="single"))):
        other = mpirun(ranks, *bench, *more, timeout=60, expect=0).stdout
        assert "tuned:" not in other, "an entry of another problem was taken"
    kept = mpirun(2, *bench, *sets(parallel__nstreams=2), timeout=60, expect=0).stdout
    assert "2 chunks in flight" in kept, "what the case says stays"


def test_a_library_of_lines_is_taken_from_a_file_unless_results_are_to_be_reproducible(mpirun, triad, case, rundir):
    """On CPUs no library is tried: a run that resumes keeps its bits."""
    out = tune(mpirun, triad, case, *sets(parallel__split=[2, 1]), small=OPEN).stdout
    assert not re.search(r"^(own|fftw|cufft) ", out, re.M) and len(re.findall(r"^mpi ", out, re.M)) > 1
    file = case.parent / "tune.toml"
    file.write_text(re.sub(r"^own = .*\n", "", file.read_text(), flags=re.M) + 'own = "parallel.lines=fftw"\n')
    bench = (triad, "bench", case, "--steps", 1, *OPEN)
    assert "fftw along x, fftw along y, fftw along z" in mpirun(2, *bench, timeout=60, expect=0).stdout
    for reproducible, word in ((False, "fftw"), (True, "auto")):
        run = (triad, "run", case, "--dir", rundir / word, *OPEN, *sets(time__max_steps=1, parallel__reproducible=reproducible))
        mpirun(2, *run, timeout=60, expect=0)
        assert re.search(f'^lines = "{word}"', (rundir / word / "case.resolved.toml").read_text(), re.M), word


def test_blocks_of_a_box_and_cuts_of_blocks_are_tried_and_taken(mpirun, triad, tmp_path):
    def words(case, *more):
        command = (triad, "tune", ROOT / "runs" / case / "case.toml", "--steps", 1, "--file", tmp_path / "tune.toml", *more)
        return [line.split()[0] for line in mpirun(2, *command, timeout=100, expect=0).stdout.splitlines() if re.match(r"\S+ +0 +1 +[\d.]+ ", line)]
    one = sets(parallel__threads=1)
    assert words("compressible-hit-decay", *one, *sets(grid__n=[16, 16, 16])) == ["mpi", "[1,1,0]", "[1,0,1]", "[0,1,1]"]
    plane = [*one, *sets(grid__n=[32, 16, 1])]
    assert words("naca0012-euler", *plane) == ["mpi", "i", "j", "2", "4"], "not across the axis of one cell"
    file = tmp_path / "tune.toml"
    file.write_text(re.sub(r"^own = .*\n", "", file.read_text(), flags=re.M).replace("ranks = 2", 'own = "parallel.cut=j"\nranks = 2'))
    bench = (triad, "bench", ROOT / "runs/naca0012-euler/case.toml", "--steps", 1, *plane)
    (tmp_path / "triad").mkdir()
    file.rename(tmp_path / "triad/tune.toml")
    assert "parallel.cut j" in mpirun(2, *bench, timeout=60, expect=0, env={"XDG_CACHE_HOME": str(tmp_path)}).stdout
    assert "too many" in mpirun(2, *bench, *sets(parallel__cut="k"), timeout=60, expect=65).stderr


def test_other_entries_stay_and_the_same_one_is_replaced(mpirun, triad, case):
    file = case.parent / "tune.toml"
    file.write_text("# by hand\n[mine]\nx = 1\n")
    tune(mpirun, triad, case)
    tune(mpirun, triad, case)
    text = file.read_text()
    assert text.startswith("# by hand\n[mine]\nx = 1\n")
    assert len(re.findall(r"^\[hd-", text, re.M)) == 1
    tune(mpirun, triad, case, ranks=1)
    assert len(re.findall(r"^\[hd-", file.read_text(), re.M)) == 2


def test_ranks_that_share_planes_are_tried_and_taken(mpirun, triad, case):
    out = tune(mpirun, triad, case, *sets(parallel__nstreams=2)).stdout
    assert re.search(r"^1x2 +\d", out, re.M), "a row of one group of two ranks"
    assert not re.search(r"^1x2 ", tune(mpirun, triad, case, *sets(parallel__nstreams=2, parallel__split=[2, 1])).stdout, re.M)
    out = tune(mpirun, triad, case, *sets(parallel__split=[1, 2])).stdout
    assert len(re.findall(r"^\w+ +\d+ +1 +[\d.]+ ", out, re.M)) == 1, "one group has nothing to send in chunks: no other number of them"
    entry = case.parent / "tune.toml"
    entry.write_text(re.sub(r"^group = .*\n", "", entry.read_text(), flags=re.M) + "group = 2\n")
    out = mpirun(2, triad, "bench", case, "--steps", 1, *SMALL, timeout=60, expect=0).stdout
    assert "tuned: parallel.split = [1, 2], which the case does not set" in out


def test_the_users_cache_serves_cases_without_a_file(mpirun, triad, case, tmp_path):
    cache = tmp_path / "cache"
    (cache / "triad").mkdir(parents=True)
    tune(mpirun, triad, case, "--file", cache / "triad" / "tune.toml")
    assert not (case.parent / "tune.toml").exists()
    change(cache / "triad" / "tune.toml", "nstreams", 2)
    out = mpirun(2, triad, "bench", case, "--steps", 1, *SMALL, timeout=60, expect=0, env={"XDG_CACHE_HOME": str(cache)})
    assert "tuned: nstreams 2" in out.stdout


@pytest.mark.parametrize("key, value", [("nstreams", "300"), ("nstreams", "= 3"), ("transport", '"pigeon"')])
def test_a_broken_file_is_an_error_with_its_place(mpirun, triad, case, key, value):
    tune(mpirun, triad, case)
    change(case.parent / "tune.toml", key, value)
    bad = mpirun(2, triad, "bench", case, "--steps", 1, *SMALL, timeout=60, expect=65)
    assert re.search(r"tune\.toml:\d+", bad.stderr) and "triad tune" in bad.stderr


def test_loops_and_numberings_of_a_mesh_are_tried_and_taken(mpirun, triad, case, rundir):
    """fct: a row for each word that the case leaves open, none for chunks; an entry is for one mesh, and wrong words have their place."""
    case.write_text((ROOT / "runs/sod-tets/case.toml").read_text())
    small = sets(grid__n=[4, 2, 2], parallel__threads=1)

    def rows(*more, ranks=1):
        out = mpirun(ranks, triad, "tune", case, "--steps", 2, *small, *more, timeout=60, expect=0).stdout
        return [line.split()[0] for line in out.splitlines() if re.match(r"\w+ +\d+ +\d+ +[\d.]+ ", line)]
    assert rows() == ["mpi", "colours", "atomics", "morton", "coalesced"]
    assert rows(*sets(grid__loops="colours", grid__kind="hexes")) == ["mpi", "morton", "coalesced"]
    built = [word for word in ("curve", "metis", "scotch")
             if mpirun(1, triad, "case", "--check", case, *sets(grid__partition=word), expect=None).returncode == 0]
    assert rows(*sets(grid__loops="colours", grid__numbering="morton"), ranks=2) == ["mpi", *built]
    entries = case.parent / "tune.toml"
    text = entries.read_text()
    assert len(re.findall(r"^\[fct-double-4x2x2-(?:tets|hexes)-1-on", text, re.M)) == 2
    entries.write_text(re.sub(r"^own = .*\n", "", text, flags=re.M).replace("step_s", 'own = "grid.loops=colours grid.numbering=morton"\nstep_s', 1))
    run = (triad, "run", case, "--dir", rundir, *small, *sets(time__max_steps=1))
    assert "tuned: nstreams 0, transport auto, threads 0, grid.loops colours, grid.numbering morton" in mpirun(1, *run, timeout=60, expect=0).stdout
    resolved = (rundir / "case.resolved.toml").read_text()
    assert re.search(r'^loops = "colours" # .*tune\.toml:\d+$', resolved, re.M), resolved
    for own in ("grid.loops=knots", "grid.length=2", "colour=red"):
        change(entries, "own", f'"{own}"')
        bad = mpirun(1, triad, "bench", case, "--steps", 1, *small, timeout=60, expect=65)
        assert re.search(r"tune\.toml:\d+", bad.stderr) and "run triad tune again" in bad.stderr


def test_bad_usage(mpirun, triad, case):
    mpirun(1, triad, "tune", timeout=60, expect=64)
    mpirun(1, triad, "tune", case, "--steps", "none", timeout=60, expect=64)
    mpirun(1, triad, "tune", case.parent / "missing.toml", timeout=60, expect=66)
    for sizes in ("480,x", "480,", "0", ","):
        mpirun(1, triad, "tune", case, "--sizes", sizes, timeout=60, expect=64)
    for size, near in ((17000, 4096), (9, 16), (509, 507), (4091, 4095)):  # 507 = 3 13^2, 4095 = 3^2 5 7 13; 508 and 510 have a 127 and a 17
        assert f"the nearest {near}" in mpirun(1, triad, "tune", case, "--sizes", size, timeout=60, expect=64).stderr


def test_sizes_are_for_a_gpu(mpirun, triad, case):
    """Kernels of line lengths are made by steps on a GPU: a case that steps on the CPU is told so, with a way out."""
    bad = mpirun(1, triad, "tune", case, "--sizes", "16", "--set", "parallel.device=cpu", timeout=60, expect=69)
    assert "--sizes compiles GPU kernels" in bad.stderr and "parallel.device" in bad.stderr


def test_plans_of_a_busy_minute_can_be_made_anew(triad, mpirun, tmp_path):
    """--new-plans forgets what is kept: the plans of another size are gone, those of this one measured."""
    case, env, kept = ROOT / "runs/bench-hd/case.toml", {"TRIAD_WISDOM": tmp_path / "plans"}, tmp_path / "plans-double"

    def plans(*more):
        mpirun(1, triad, "bench", case, "--steps", 1, *more, timeout=60, expect=0, env=env)
        return set(kept.read_text().splitlines())

    small = plans(*sets(grid__n=[12, 12, 12]))
    both = plans(*sets(grid__n=[20, 20, 20]))
    assert len(both) > len(small) and plans(*sets(grid__n=[12, 12, 12])) == both
    assert len(plans("--new-plans", *sets(grid__n=[12, 12, 12]))) < len(both)
