"""The case with which the command line is tested, and what a command leaves behind."""

from conftest import ROOT
from outputs import sets

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[12, 12, 12], time__max_steps=3)


def left(command):
    """What a command left in the folder that it ran in."""
    return sorted(str(p.relative_to(command.work)) for p in command.work.rglob("*"))
