"""Steps end at the times of files that a run makes, and at no others."""

import pytest

import outputs
from outputs import sets

WALLS = """[equations]
solver = "staggered"
viscosity = 1e-6
[grid]
n = [8, 8, 4]
length = [1.0, 1.0, 0.5]
[boundaries]
y = ["wall", "wall"]
[initial]
kind = "formula"
u = "1e-3*sin(2pi*y)"
[time]
end = 50
cfl = 0.5
[output]
series_interval = 20
"""
SOLIDS = WALLS.replace('[boundaries]\ny = ["wall", "wall"]', '[solids]\nkind = "boxes"\nboxes = [2, 2, 0, 2, 2, 2]')
GAS = """[equations]
solver = "compressible"
[grid]
n = [16, 16, 1]
length = [100.0, 100.0, 6.25]
[boundaries]
x = ["extrapolate", "extrapolate"]
[initial]
kind = "uniform"
[time]
end = 50
[output]
series_interval = 20
"""


@pytest.mark.parametrize("text", [WALLS, SOLIDS, GAS], ids=["walls", "solids", "open"])
def test_spectra_that_are_not_made_cut_no_step(mpirun, triad, tmp_path, text):
    (tmp_path / "case.toml").write_text(text)
    steps = []
    for interval in (0, 1):
        mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / str(interval), *sets(output__spectra_interval=interval), expect=0)
        steps.append(int(outputs.series(tmp_path / str(interval))["step"][-1]))
        assert not list((tmp_path / str(interval)).glob("spectra/*"))
    assert steps[0] == steps[1] < 40


def test_profiles_are_still_written_at_their_interval(mpirun, triad, tmp_path):
    (tmp_path / "case.toml").write_text(WALLS)
    mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", *sets(profiles__every=1, output__spectra_interval=10.0), expect=0)
    text = (tmp_path / "run/profiles.csv").read_text()
    assert outputs.series(tmp_path / "run")["step"][-1] >= 5 and len(text.splitlines()) > 8


def test_an_interval_that_makes_steps_too_short_is_named(mpirun, triad, tmp_path):
    """A fluid at rest allows any step; 1e16 of them would be needed to the end, a sample of the means after each."""
    (tmp_path / "case.toml").write_text('[equations]\nsolver = "hd"\nviscosity = 1e-9\n[grid]\nn = [4, 4, 4]\n[initial]\nkind = "rest"\n'
                                        '[time]\nend = 1e16\ncfl = 0.5\n[output]\nmeans = ["moments"]\nmeans_interval = 1.0\nspectra_interval = 0\n'
                                        'series_interval = 1e16\n')
    result = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=80)
    assert "dt is limited by output.means_interval" in result.stderr and "too high for the grid" not in result.stderr, result
