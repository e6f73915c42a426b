"""Groups of particles in a case: set by number or as a whole, resolved, wrong ones refused with their place."""

import subprocess

import numpy as np
import pytest

from particles import REST, case, group, head, run, start_at  # noqa: F401

pytestmark = pytest.mark.quick

BAD = [
    (group("a b", count=5), "1 to 40 letters"),
    (group("a", count=5) + group("a", count=5), "two [[particles]] have the name"),
    (group("a"), "count must be at least 1"),
    (group("a", count=-1), "out of range"),
    (group("a", count=5, start="pairs", separation=0.1), "even number"),
    (group("a", count=4, start="pairs"), "requires a separation"),
    (group("a", count=28, start="lattice"), "use 27, which is 3 x 3 x 3"),
    (group("a", count=5, kind="inertial"), "requires a stokes_time"),
    (group("a", count=5, gravity=[0, 0, 1]), "not to tracers"),
    (group("a", count=5, sample=["vorticity", "colour"]), "value 2 of 2"),
    (group("a", count=5, sample=["scalar1"]), "value 1 of 1"),
    (group("a", count=5, start="file"), "requires particles.file"),
    (group("a", cuont=5), 'did you mean "particles[1].count"'),
    ("[particles]\nname = \"a\"\n", "write [[particles]]"),
]


@pytest.mark.parametrize("text, told", BAD)
def test_bad_groups_are_refused_with_their_place(run, text, told):
    result = run("bad", head() + REST + text, expect=65)
    assert told in result.stderr and "case.toml:" in result.stderr, result.stderr


@pytest.mark.parametrize("equations", ['solver = "hd"\nviscosity = 0.1', 'solver = "compressible"'])
def test_a_plan_counts_those_of_a_file(triad, tmp_path, equations):
    """As many as a group that says how many."""
    text = case(equations, "n = [16, 16, 16]", "end = 1.0", '[initial]\nkind = "formula"\n' + ('p = "1"\n' if "comp" in equations else 'u = "sin(y)"\n'))
    told = []
    for keys in (start_at(tmp_path / "p.h5", np.full((20000, 3), 0.5)), {"count": 20000}):
        (tmp_path / "case.toml").write_text(text + group(**keys))
        out = subprocess.run([triad, "case", "--check", tmp_path / "case.toml"], capture_output=True, text=True, check=True).stdout
        told.append([line for line in out.splitlines() if "particles" in line or "on disk" in line or "checkpoint" in line])
    assert told[0] == told[1] and any("a row of particles" in line for line in told[0]), told


def test_spheres_on_a_beta_plane_are_refused(run):
    text = head(n=(16, 16, 1), more="beta = 1.0", end=0.1) + REST
    assert "on a beta plane" in run("bad", text + group("a", count=5, kind="inertial", stokes_time=1.0), expect=65).stderr
    run("good", text + group("a", count=5))


def test_files_that_hold_no_places_are_refused(run, tmp_path):
    for places, told in (([[1.0, 2.0, np.nan]], "is not in a box"), ([[1.0, 2.0]], "not (particle, 3)"), ([[1e99, 0, 0]], "is not in a box"),
                         (np.zeros((0, 3)), "contains no particles"), (np.zeros((2, 0, 3)), "contains no particles")):
        result = run("places", head() + REST + group(**start_at(tmp_path / "p.h5", places)), "--from-start", expect=65)
        assert told in result.stderr, result.stderr
    keys = start_at(tmp_path / "p.h5", [[1.0, 2.0, 3.0]])
    run("gone", head(end=0.1) + REST + group(**keys))
    (tmp_path / "p.h5").rename(tmp_path / "q.h5")
    run("gone", head(end=0.2) + REST + group(**keys))  # it goes on from its checkpoint, and needs the file no more
    (tmp_path / "q.h5").rename(tmp_path / "p.h5")
    assert "but the case has 2" in run("places", head() + REST + group(count=2, **keys), "--from-start", expect=65).stderr


@pytest.mark.parametrize("words, told, code", [
    (["particles[2].count=9"], 'name = "b"\ncount = 9 ', 0),
    (['particles=[{name="z", count=7}]'], '[[particles]]\nname = "z"', 0),
    (['particles=[{name="z", count=7}]', "particles[1].seed=4"], "seed = 4 ", 0),
    (["particles=[]"], "[output]", 0),
    (["particles[3].count=9"], "no [[particles]] number 3", 65),
    (["particles.count=9"], "write particles[1].count", 65),
    (["particles=3"], "write [[particles]]", 65),
    (["grid[1].n=9"], "remove the number", 65),
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


def test_gpus_are_refused_by_name_and_passed_over_otherwise(triad, tmp_path):
    (tmp_path / "case.toml").write_text(head() + REST + group(count=5))
    result = subprocess.run([triad, "case", tmp_path / "case.toml", "--check", "--set", "parallel.device=gpu"], capture_output=True, text=True)
    assert result.returncode == 69, result
