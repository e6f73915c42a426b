"""The table of all kinds of mesh and grid files: what comes of each is what the page says, and meshes that are read are right."""

import subprocess

import meshfiles
import meshkinds
from conftest import ROOT


def test_the_table_of_file_kinds_is_what_comes(triad, tmp_path):
    """At least 60 kinds are read with the cells, volume and patches that were written, or refused with the words of the page; without the CGNS library
    those of CGNS are left out."""
    page = (ROOT / "docs/reference/mesh-file-kinds.md").read_text()
    meshfiles.su2(meshfiles.row(), tmp_path / "a.su2")
    with_cgns = subprocess.run([triad, "grid", tmp_path / "a.su2", "--write", tmp_path / "a.cgns"], capture_output=True).returncode != 69
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| format", "| ---"))]
    assert len(rows) >= 60
    came = meshkinds.table(triad, with_cgns)
    assert came == [line for line in rows if with_cgns or not line.startswith("| CGNS")], [pair for pair in zip(came, rows) if pair[0] != pair[1]][:3]
