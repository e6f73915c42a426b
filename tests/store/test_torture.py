"""The short form of `make torture` (tests/help/torture.py): a run is killed, its machine loses power, its disk fills; the same
command goes on without a hand, and nothing differs from an unbroken run."""

import os
import random

import pytest

import torture


@pytest.fixture(scope="module")
def bench(triad, tmp_path_factory):
    return torture.Bench(tmp_path_factory.mktemp("torture"))


@pytest.mark.limit(300)
@pytest.mark.parametrize("kind, tries", [("kill", 3), ("whole", 6), ("cut", 6), ("full", 4)])
def test_the_same_command_goes_on_without_a_hand_or_a_difference(bench, kind, tries):
    if kind == "full" and not torture.can_mount(bench.folder / "probe"):
        pytest.skip("mounting a small disk takes root")
    if os.environ.get("TRIAD_BUILD", "").endswith("sanitize") and kind in ("whole", "cut"):
        pytest.skip("the sanitizers must be loaded before anything else")
    seed = os.environ.get("TRIAD_TEST_SEED", random.randrange(10**6))
    print("TRIAD_TEST_SEED", seed)
    for i in range(tries):
        torture.KINDS[kind](bench, random.Random(f"{seed}-{i}"), bench.folder / f"{kind}-{i}")


@pytest.mark.limit(120)
@pytest.mark.parametrize("flow", list(torture.FLOWS))
def test_when_a_checkpoint_is_on_the_disk_every_other_file_of_the_run_is(triad, tmp_path, flow):
    if os.environ.get("TRIAD_BUILD", "").endswith("sanitize"):
        pytest.skip("the sanitizers must be loaded before anything else")
    bench = torture.Bench(tmp_path / flow, flow, whole=False)
    lost, checkpoints = torture.unsynced_at_checkpoints(bench, torture.record_once(bench))
    assert checkpoints == 8 and not lost, f"{checkpoints} checkpoints; a power cut behind so many of them loses {lost}"


def test_the_model_of_a_power_cut_loses_what_was_not_synced_and_nothing_else(tmp_path):
    disk, out = torture.Disk("/run"), set()
    for item in [("mkdir", 0, 0, "/run", b""), ("create", 7, 0, "/run/a", b""), ("write", 7, 0, "", b"safe"), ("sync", 7, 0, "", b""),
                 ("opened", 1, 3, "/run", b""), ("folder", 1, 3, "", b""), ("write", 7, 4, "", b"gone"),
                 ("create", 8, 0, "/run/b", b""), ("write", 8, 0, "", b"soon"), ("rename", 0, 0, "/run/b", b"/run/c")]:
        disk.play(item)
    for i in range(200):
        for model in ("whole", "cut"):
            disk.image(model, random.Random(i), tmp_path / f"{model}-{i}")
            out.add((model, *((p.name, p.read_bytes()) for p in sorted((tmp_path / f"{model}-{i}").iterdir()))))
    whole = {o[1:] for o in out if o[0] == "whole"}
    assert whole == {(("a", a), *b) for a in (b"safe", b"safegone")
                     for b in [(), (("b", b"soon"),), (("c", b"soon"),)]}, whole
    cut = {o[1:] for o in out if o[0] == "cut"}
    assert {o[1][0] for o in cut} == {"c"} and {o[1][1] for o in cut} == {b"", b"s", b"so", b"soo", b"soon"}
    assert {o[0][1] for o in cut} == {b"safe", b"safeg", b"safego", b"safegon", b"safegone"}


def test_failures_of_a_kind_are_one_line(capsys, tmp_path):
    say = [torture.Broken(f"these differ: series.csv, slices/slice1-{i:08d}.h5\nmuch more") for i in (15, 20)]
    assert say[0].sort() == say[1].sort() == "these differ: series.csv, slices/slice1-#.h5"
    failures = {("kill", say[0].sort()): [3, 8], ("cut", torture.Broken("the same command ended with 74:\n..").sort()): [5]}
    assert torture.report({"kill": 5, "cut": 5}, failures, tmp_path) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["kill: 5 tries, 2 with a hand or a difference", "cut: 5 tries, 1 with a hand or a difference"]
    assert len(lines) == 4 and lines[2].startswith("kill, 2 times: these differ") and "run-3.txt" in lines[2]
    assert lines[3].startswith("cut, 1 times: the same command ended with 74;")
