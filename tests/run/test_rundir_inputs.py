"""A run directory alone repeats the run: copies of what it started from, and what is told of files that are not copied."""

import os
import re
import shutil

import pytest

import outputs
from outputs import sets
from rundirs import CASE, SMALL, run, sessions  # noqa: F401


def file_of(folder):
    """initial.file of the case that a directory keeps."""
    return re.search(r'(?m)^file = "([^"]*)"', (folder / "case.resolved.toml").read_text().split("[initial]")[1]).group(1)


def start_of(kind, name):
    return sets(initial__kind=kind, initial__file=str(name))


@pytest.mark.parametrize("kind", ["file", "checkpoint"])
@pytest.mark.parametrize("most", [64, 0], ids=["copied", "named"])
def test_resolved_case_of_the_directory_repeats_the_run(run, mpirun, triad, rundir, tmp_path, kind, most):
    run(4, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = {"file": next((tmp_path / "source/fields").glob("fields-*2.h5")), "checkpoint": tmp_path / "source"}[kind]
    start = sets(initial__kind=kind, initial__file=os.path.relpath(name, CASE.parent), output__copy_inputs=most)
    run(6, *start)
    (told,) = sessions(rundir)[0]["inputs"]
    assert told["path"] == str(name if kind == "file" else outputs.checkpoints(name)[-1]) and told["bytes"] > 1000
    assert re.fullmatch("[0-9a-f]{16}", told["xxh3" if kind == "file" else "manifest"])
    assert (told["copy"] is not None) == (most > 0)
    run(8, *start)  # a session that goes on keeps that
    if most:
        shutil.rmtree(tmp_path / "source")
    mpirun(1, triad, "run", rundir / "case.resolved.toml", "--dir", tmp_path / "again", expect=0)
    assert outputs.rows(tmp_path / "again") == outputs.rows(rundir) and outputs.same_bits(tmp_path / "again", rundir)


def test_start_from_the_copy_that_the_directory_keeps_leaves_it_whole(run, mpirun, triad, rundir, tmp_path):
    run(2, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = next((tmp_path / "source/fields").glob("fields-*2.h5"))
    run(2, *sets(initial__kind="file", initial__file=str(name)))
    for rest in [p for p in rundir.iterdir() if p.name not in ("inputs", "case.resolved.toml")]:
        shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
    mpirun(1, triad, "run", rundir / "case.resolved.toml", "--dir", rundir, expect=0)
    assert (rundir / "inputs" / name.name).read_bytes() == name.read_bytes()
    assert [p.name for p in (rundir / "inputs").iterdir()] == [name.name] and sessions(rundir)[-1]["inputs"][0]["copy"]


def test_a_new_start_keeps_no_copy_of_what_an_earlier_one_read(run, rundir, tmp_path):
    """The first start was killed before its first checkpoint, and with it went what told of it."""
    for steps, name in ((4, "one"), (6, "other")):
        run(steps, folder=tmp_path / name)
    run(2, *start_of("checkpoint", tmp_path / "one"))
    for rest in [p for p in rundir.iterdir() if p.name not in ("inputs", "case.resolved.toml")]:
        shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
    run(2, *start_of("checkpoint", tmp_path / "other"))
    assert [p.name for p in (rundir / "inputs").iterdir()] == ["step-00000006"] and file_of(rundir) == "inputs/step-00000006"


def test_a_file_of_the_same_name_that_is_not_copied_is_not_taken_for_the_copy_of_another(run, rundir, tmp_path):
    for steps, name in ((1, "one"), (2, "other")):
        run(steps, *sets(output__fields_interval=1.0), folder=tmp_path / name)
        shutil.copy(next((tmp_path / name / "fields").glob(f"fields-*{steps}.h5")), tmp_path / name / "start.h5")
    run(1, *start_of("file", tmp_path / "one/start.h5"))
    shutil.rmtree(rundir / "checkpoints")
    (rundir / "provenance.json").unlink()
    (rundir / "series.csv").unlink()
    run(1, *start_of("file", tmp_path / "other/start.h5"), *sets(output__copy_inputs=0))
    assert not (rundir / "inputs/start.h5").exists() and file_of(rundir) == str(tmp_path / "other/start.h5")


def test_a_name_with_brackets_of_json_is_found_again(run, rundir, tmp_path):
    run(1, *sets(output__fields_interval=1.0), folder=tmp_path / "source")
    (tmp_path / "a}, {").mkdir()
    shutil.copy(next((tmp_path / "source/fields").glob("fields-*1.h5")), tmp_path / "a}, {/start.h5")
    start = start_of("file", tmp_path / "a}, {/start.h5")
    run(1, *start)
    run(2, *start)
    assert file_of(rundir) == "inputs/start.h5"


def test_a_session_that_goes_on_names_the_copy_of_what_its_case_says_and_of_nothing_else(run, rundir, tmp_path):
    for steps, name in ((4, "one"), (6, "other")):
        run(steps, folder=tmp_path / name)
    run(2, *start_of("checkpoint", tmp_path / "one"))
    run(3, *start_of("checkpoint", tmp_path / "other"))
    assert file_of(rundir) == str(tmp_path / "other"), "nothing of it was kept"
    run(4, *start_of("checkpoint", tmp_path / "one"))
    assert file_of(rundir) == "inputs/step-00000004"
    run(6, folder=tmp_path / "one")  # and when that run has gone on since
    run(5, *start_of("checkpoint", tmp_path / "one"))
    assert file_of(rundir) == "inputs/step-00000004"


@pytest.mark.parametrize("kind", ["file", "checkpoint"])
def test_a_run_begins_anew_from_the_copy_that_it_keeps(run, rundir, tmp_path, kind):
    run(4, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = {"file": next((tmp_path / "source/fields").glob("fields-*2.h5")), "checkpoint": tmp_path / "source"}[kind]
    run(2, *start_of(kind, name))
    shutil.rmtree(tmp_path / "source")
    rows, copy = outputs.rows(rundir), file_of(rundir)
    for before in ("before-1", "before-2"):  # the limit on copies is not for what is here already
        run(2, "--from-start", *sets(output__copy_inputs=0), case=rundir / "case.resolved.toml")
        assert file_of(rundir) == copy and (rundir / copy).exists() and (rundir / before / copy).exists()
        (told,) = sessions(rundir)[-1]["inputs"]
        assert told["copy"] == copy and told["path"] == str((rundir / before / copy).resolve())
        assert outputs.rows(rundir) == rows


def test_a_run_begins_anew_from_its_own_newest_checkpoint(run, rundir):
    run(4)
    run(2, "--from-start", *start_of("checkpoint", rundir))
    assert file_of(rundir) == "inputs/step-00000004"
    assert sessions(rundir)[-1]["inputs"][0]["path"] == str(rundir.resolve() / "before-1/checkpoints/step-00000004")
    run(3, "--from-start", *start_of("checkpoint", rundir), *sets(output__copy_inputs=0))
    assert file_of(rundir) == "before-2/checkpoints/step-00000002"


def test_a_file_beside_the_user_and_not_beside_the_case_is_told(mpirun, triad, rundir, tmp_path):
    (tmp_path / "mine.h5").write_bytes(b"")
    said = mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *start_of("file", "mine.h5"), cwd=tmp_path, expect=66)
    assert f"{CASE.parent}/mine.h5" in said.stderr and "A file of this name is in the working directory" in said.stderr
    assert "A file of this name" not in mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *start_of("file", "no.h5"), cwd=tmp_path,
                                        expect=66).stderr
