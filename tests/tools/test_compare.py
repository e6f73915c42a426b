"""triad-plot compare: figures with curves of other codes, from files in their layouts; the numbers are those of the files."""

import csv

import h5py
import numpy as np
import pytest

import looks
from looks import plot_here

matplotlib = pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")


@pytest.fixture(scope="module")
def run(triad, launcher, tmp_path_factory):
    return looks.make_run(triad, launcher, tmp_path_factory.mktemp("compared") / "hd", "hd")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One file of each kind."""
    folder = tmp_path_factory.mktemp("others")
    k, t = np.arange(1.0, 9), np.arange(5) / 4
    (folder / "kspectrum.0003.txt").write_text("".join(f"{a:13.6E}{0.3 * a**-1.7:23.15E}\n" for a in k))                     # GHOST
    (folder / "balance.txt").write_text("".join(f"{a:13.6E}{2 * np.exp(-a):26.18E}{4.5:26.18E}{0.:26.18E}\n" for a in t))
    with h5py.File(folder / "spectra3d.h5", "w") as file:                                                                    # fluidsim
        file["times"], file["k_spectra3d"] = t, k
        file["spectra_E"] = np.outer(1 + t, k**-2.0)
    (folder / "spatial_means.txt").write_text("".join(f"####\ntime = {a:11.5e}\nE    = {1 + a:11.5e}\nEx   = 1 ; Ey   = 2 \nepsK = 3 ; epsK_tot = {a:11.5e} \n"
                                                      for a in t))
    (folder / "p").write_text("# Probe 0 (0 0 0)\n# Probe 1 (1 0 0)\n#       Probe             0             1\n#        Time\n"
                              + "".join(f"  {a}   {a * a}   (1 2 {a})\n" for a in t))                                        # OpenFOAM
    (folder / "getdata.tsv").write_text("dataset: isotropic1024coarse, variable: velocity\nx_point\ty_point\tz_point\tux\n"
                                        + "".join(f"{a}\t0\t0\t{3 * a}\n" for a in t))                                       # JHTDB
    (folder / "other.csv").write_text('# measured\n"t [s]",energy\n' + "".join(f"{a},{5 * a}\n" for a in t))
    return folder


def curve(folder, *words):
    """(x, y) of the last curve of a figure, by --table."""
    table = folder / "table.csv"
    done = plot_here("compare", *words, "-o", folder / "figure.png", "--table", table)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(line for line in table.read_text().splitlines() if not line.startswith("#")))
    last = [row for row in rows if row["curve"] == rows[-1]["curve"]]
    return rows[-1]["curve"], np.array([float(row["x"]) for row in last]), np.array([float(row["y"]) for row in last])


def test_curves_of_other_codes_are_drawn_with_their_numbers(run, files, tmp_path):
    k, t = np.arange(1.0, 9), np.arange(5) / 4
    name, x, y = curve(tmp_path, "spectrum", run, files / "kspectrum.0003.txt", "--at", 1)
    assert name == "GHOST, kspectrum.0003.txt" and np.allclose(x, k) and np.allclose(y, 0.3 * k**-1.7)
    name, x, y = curve(tmp_path, "energy", run, files / "balance.txt")
    assert np.allclose(x, t) and np.allclose(y, np.exp(-t))            # half of <v^2>
    name, x, y = curve(tmp_path, "spectrum", run, files / "spectra3d.h5", "--at", 0.5, "--map", "label=fluidsim")
    assert name == "fluidsim" and np.allclose(y, 1.5 * k**-2)          # at the time of the figure
    name, x, y = curve(tmp_path, "energy", run, files / "spatial_means.txt")
    assert np.allclose(x, t) and np.allclose(y, 1 + t)
    name, x, y = curve(tmp_path, "energy", run, files / "p", "--map", "x=1,y=2*3,label=OpenFOAM")
    assert np.allclose(y, 3 * t**2)
    name, x, y = curve(tmp_path, "energy", run, files / "p", "--map", "y=5")
    assert np.allclose(y, t)                                           # a component of a vector
    name, x, y = curve(tmp_path, "energy", run, files / "getdata.tsv", "--map", "x=x_point,y=ux/3,label=a, b")
    assert np.allclose(y, t) and name == "a, b"
    name, x, y = curve(tmp_path, "series", run, "energy", "re_lambda", files / "other.csv", "--map", "y=energy/5,panel=2")
    assert np.allclose(x, t) and np.allclose(y, t)


def test_a_figure_of_several_files_is_legible(run, files, tmp_path):
    from triad_plot import verbs
    from triad_plot.draw import comparison
    from triad_plot.options import Options
    from triad_plot.read.run import Run
    figure = verbs.find("energy").draw([Run(str(run))], Options())
    curves = comparison.read([str(files / "balance.txt"), str(files / "other.csv")], "energy", ["label=one", "y=2,label=two"], None)
    comparison.add(figure, curves)
    assert not looks.faults(figure)
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()][-2:] == ["one", "two"]
    assert figure.axes[0].get_ylim()[1] >= 5


def refused(expect, *words):
    done = plot_here("compare", *words)
    assert done.returncode == expect, done
    return done.stderr


def test_what_cannot_be_compared_is_refused(run, files, tmp_path):
    ghost = files / "kspectrum.0003.txt"
    assert "at least one file of another code" in refused(64, "spectrum", run)
    assert "unknown verb spectra" in refused(64, "spectra", run, ghost)
    assert "say so: --map x=COLUMN,y=COLUMN" in refused(64, "energy", run, files / "other.csv")
    assert "has no column q; it has columns 1 to 2: t [s], energy" in refused(66, "energy", run, files / "other.csv", "--map", "y=q")
    assert "'z=3' is not one of x=, y=" in refused(64, "energy", run, ghost, "--map", "y=2,z=3")
    assert "/0 is no factor" in refused(64, "energy", run, ghost, "--map", "y=2/0")
    assert "must be given once, or once for each of the 2 files" in refused(64, "energy", run, ghost, files / "p", "--map", "y=2", "--map", "y=2", "--map", "y=2")
    assert "panels 1 to 1" in refused(64, "energy", run, files / "p", "--map", "y=2,panel=4")
    assert "this one has none" in refused(64, "slice", run, ghost)
    assert "has no dataset E; it has k_spectra3d" in refused(66, "spectrum", run, files / "spectra3d.h5", "--map", "y=E")
    assert "name their dataset: t=" in refused(64, "spectrum", run, with_other_name(files, tmp_path), "--map", "x=k_spectra3d,y=spectra_E,at=1")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3\n")
    assert "bad.csv:3: has 1 numbers" in refused(65, "energy", run, tmp_path / "bad.csv", "--map", "y=2")
    done = plot_here("energy", run, "--map", "y=2")
    assert done.returncode == 64 and "--map does not apply" in done.stderr


def with_other_name(files, folder):
    (folder / "result.h5").write_bytes((files / "spectra3d.h5").read_bytes())
    return folder / "result.h5"
