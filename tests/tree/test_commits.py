"""Files of a run get their final names in one place, triad_disk_commit of src/store/disk.c, which syncs the file and its folder."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [p for top in ("src", "solvers", "fft", "transpose", "cuda") for p in sorted((ROOT / top).rglob("*.c"))]

# who may call rename() itself, and why
RENAMES = {"src/store/disk.c": "the place", "src/store/checkpoint/commit.c": "checkpoints: folders, put back on failure",
           "src/run/status.c": "status.json: nobody needs it after a crash",
           "src/parallel/kernel_cache.c": "a cache that is built again"}


def code(path):
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)


def test_only_these_files_call_rename():
    found = {str(p.relative_to(ROOT)) for p in SOURCES if re.search(r"(?<!\w)rename(at2?)?\(", code(p))}
    assert found == set(RENAMES), "use triad_disk_commit or triad_disk_rename, which sync the folder"


def test_a_source_that_makes_a_temporary_file_commits_it():
    for path in SOURCES:
        if re.search(r'/\.tmp-[^"]*"', code(path)) and str(path.relative_to(ROOT)) not in RENAMES:
            assert "triad_disk_commit(" in code(path), f"{path.relative_to(ROOT)}: a temporary name, and no triad_disk_commit"
