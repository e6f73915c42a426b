"""The short form of `make torture` (tests/torture.py): a run is killed, its machine loses power, its disk fills; the same
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
