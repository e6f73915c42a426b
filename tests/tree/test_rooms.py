"""Tests have rooms, named as the folders of the sources; every room has tests of the quick check; make builds what a part needs."""

import os
import re
import subprocess

from conftest import ROOT

TESTS = ROOT / "tests"


def rooms():
    return {p.parent.name for pattern in ("unit/*/test_*.c", "*/test_*.py") for p in TESTS.glob(pattern)}


def collect(*arguments):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run([TESTS / "pytest", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rooms_are_folders_of_the_sources():
    for room in rooms() - {"tree"}:
        assert any((ROOT / top / room).is_dir() for top in ("", "src", "solvers")), f"tests/{room}: no folder has this name"


def test_a_name_is_used_once_in_all_rooms():
    """Programs are built side by side, and Python finds modules by name."""
    for pattern in ("unit/*/test_*.c", "*/test_*.py"):
        names = [p.name for p in TESTS.glob(pattern)]
        assert len(names) > 100 and len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)


def test_every_room_has_quick_tests():
    seen = set(re.findall(r"^tests/(?:unit/)?(\w+)/test_", collect("--collect-only", "-q", "-m", "quick"), re.M))
    assert rooms() - seen == set(), "no test is marked quick there"


def test_a_part_needs_its_own_programs_alone():
    needed = re.findall(r"^needs (\S+)$", collect("--programs", "tests/unit/multiblock"), re.M)
    there = {p.stem for p in (TESTS / "unit/multiblock").glob("test_*.c")}
    assert needed and {name.removesuffix("-single") for name in needed} == there
    assert re.findall(r"^needs (\S+)$", collect("--programs", "tests/unit/grid", "-k", "test_zones"), re.M) == ["test_zones"]
    assert "needs unit/fft/lengths\n" in collect("--programs", "tests/cuda")
    assert "needs" not in collect("--programs", "tests/tree/test_commits.py")
