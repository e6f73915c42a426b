"""Quantities of a case's own, [[output.quantities]]: in files of fields and in slices, beside numpy; and wrong ones."""

import subprocess

import h5py
import numpy as np
import pytest

pytestmark = pytest.mark.quick

CASE = """[parameters]
A = 2
[equations]
solver = "{solver}"
viscosity = 0.05
[grid]
n = [16, 12, 20]
length = ["2pi", "2pi", "4pi"]
[initial]
kind = "random"
[time]
end = 0.05
dt = 0.05
[output]
report = false
fields_interval = 0.05
fields = {fields}
slices = ["z=0: shear, mine", "x=pi/2: shear"]
[[output.quantities]]
name = "shear"
unit = "U^2/T"
formula = "A*u*dx(w) + cos(z/2)*dz(v)^2 + x"
[[output.quantities]]
formula = "dx(v) - dy( u )"
name = "mine"
"""


@pytest.fixture
def run(triad, mpirun, tmp_path):
    def start(text, *arguments, ranks=1, expect=0):
        case = tmp_path / "case.toml"
        case.write_text(text)
        done = mpirun(ranks, triad, "run", "-q", case, "--dir", tmp_path / f"run-{ranks}", *arguments, expect=expect, threads=1)
        return done if expect else tmp_path / f"run-{ranks}"
    return start


def fields(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return {name: f[name][:] for name in f if isinstance(f[name], h5py.Dataset) and f[name].ndim == 3}


def slope(f, axis):
    """The derivative of a band-limited periodic field (z, y, x)."""
    n, length = f.shape[axis], {0: 4 * np.pi, 1: 2 * np.pi, 2: 2 * np.pi}[axis]
    k = 2 * np.pi * np.fft.fftfreq(n, length / n).reshape([-1 if a == axis else 1 for a in range(3)])
    return np.fft.ifft(1j * k * np.fft.fft(f, axis=axis), axis=axis).real


def test_own_quantities_are_their_formulas_in_fields_and_slices(run):
    """Transforms of 3840 points in double on both sides."""
    text = CASE.format(solver="hd", fields='["u", "v", "w", "shear", "mine", "vorticity_z"]')
    folder = run(text)
    f = fields(folder)
    z = (4 * np.pi / 20 * np.arange(20)).reshape(-1, 1, 1)
    x = 2 * np.pi / 16 * np.arange(16)
    shear = 2 * f["u"] * slope(f["w"], 2) + np.cos(z / 2) * slope(f["v"], 0)**2 + x
    np.testing.assert_allclose(f["shear"], shear, atol=1e-12)
    np.testing.assert_allclose(f["mine"], f["vorticity_z"], atol=1e-12)
    with h5py.File(sorted((folder / "slices").glob("slice1-*.h5"))[-1]) as one, \
            h5py.File(sorted((folder / "slices").glob("slice2-*.h5"))[-1]) as two:
        np.testing.assert_allclose(one["shear"][:], shear[0], atol=1e-12)
        np.testing.assert_allclose(one["mine"][:], f["mine"][0], atol=1e-12)
        np.testing.assert_allclose(two["shear"][:], shear[:, :, 4], atol=1e-12)
        unit = one["shear"].attrs["units"] if "units" in one["shear"].attrs else one["shear"].attrs["unit"]
        assert (unit.decode() if isinstance(unit, bytes) else unit) == "U^2/T"
    ranks = fields(run(text, ranks=3))
    np.testing.assert_allclose(ranks["shear"], f["shear"], atol=1e-12)


def test_own_quantities_of_other_sets_and_from_the_resolved_case(run):
    text = CASE.format(solver="mhd", fields='["bx", "shear"]').replace("A*u*dx(w) + cos(z/2)*dz(v)^2 + x", "bx*dz(bx)")
    folder = run(text)
    f = fields(folder)
    np.testing.assert_allclose(f["shear"], f["bx"] * slope(f["bx"], 0), atol=1e-12)
    again = run((folder / "case.resolved.toml").read_text(), ranks=2)
    np.testing.assert_allclose(fields(again)["shear"], f["shear"], atol=1e-12)


def test_an_argument_changes_one_of_several_quantities(run):
    """output.quantities[2].formula, beside the field that it is now."""
    f = fields(run(CASE.format(solver="hd", fields='["w", "shear", "mine"]'), "--set", 'output.quantities[2].formula="2*w"'))
    np.testing.assert_allclose(f["mine"], 2 * f["w"], atol=1e-14)
    assert abs(f["shear"]).max() > 1


@pytest.mark.parametrize("old, new, told", [
    ("dx(w)", "dx(q)", "column 8: dx() requires the name of one field"),
    ("dx(w)", "dx(dx(w))", "column 8: dx() requires the name of one field"),
    ("dx(w)", "dx(w", "the parenthesis of dx is not closed"),
    ("A*u", "B*u", 'unknown name "B"'),
    ('name = "shear"', 'name = "vorticity"', '"vorticity" is the name of an existing quantity'),
    ('name = "shear"', 'name = "mine"', '"mine" is given twice'),
    ('name = "shear"', 'name = "1;"', "is not a valid name"),
    ('formula = "dx(v) - dy( u )"', "", 'missing required key "output.quantities[2].formula"'),
    ('"dx(v) - dy( u )"', '""', '"mine" has no formula'),
    ('unit = "U^2/T"', 'units = "U^2/T"', 'unknown key "output.quantities[1].units", did you mean'),
    ('unit = "U^2/T"', 'unit = ["U^2/T"]', "output.quantities[1].unit: expected text"),
    ('name = "mine"', 'name = "mine"\n' + "".join(f'[[output.quantities]]\nname = "q{i}"\nformula = "u"\n' for i in range(15)),
     "more than 16 [[output.quantities]]"),
    ('"z=0: shear', '"z=0: sheer', '"sheer" is not a quantity'),
    ("[[output.quantities]]\nname", "[[output.quantity]]\nname", 'unknown key "output.quantity"'),
])
def test_wrong_quantities_end_with_65_and_the_place(triad, tmp_path, old, new, told):
    text = CASE.format(solver="hd", fields="[]")
    assert old in text
    case = tmp_path / "case.toml"
    case.write_text(text.replace(old, new, 1))
    done = subprocess.run([triad, "case", case], capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr, done.stderr


MEANS = ["--set", 'output.means=["moments", "pdfs", "profiles x", "profiles y", "profiles z", "quantities"]', "--set", "output.means_interval=0.05",
         "--set", "output.means_from=0.05"]


def test_means_and_densities_of_own_quantities_are_those_of_their_values(run):
    """The one sample, of the time of the file of fields: sums of 3840 numbers on both sides. The covariances' product is not of single numbers."""
    text = CASE.format(solver="hd", fields='["shear", "mine"]')
    folder = run(text, *MEANS, ranks=2)
    f = fields(folder)
    with h5py.File(folder / "means.h5") as h:
        got = {name: h[name][:] for name in h if isinstance(h[name], h5py.Dataset)}
        unit = h["shear_moments"].attrs["units"]
        assert (unit.decode() if isinstance(unit, bytes) else unit) == "(U^2/T)^p"
    for name in ("shear", "mine"):
        q = f[name]
        d = q - q.mean()
        moments = [q.mean(), *((d**p).mean() for p in (2, 3, 4))]
        np.testing.assert_allclose(got[f"{name}_moments"], moments, rtol=1e-12, atol=1e-12)
        density = np.histogram(d / d.std(), bins=200, range=(-10, 10))[0] / q.size / 0.1
        assert abs(got[f"{name}_pdf"] - density).sum() * 0.1 <= 2 / q.size  # of a number at the edge of a bin
        for axis, across in (("x", (0, 1)), ("y", (0, 2)), ("z", (1, 2))):
            np.testing.assert_allclose(got[f"mean_{name}_{axis}"], q.mean(axis=across), atol=1e-12)
            np.testing.assert_allclose(got[f"cov_{name}_{name}_{axis}"], q.var(axis=across), atol=1e-11)
    assert "shear_moments" not in h5py.File(run(text, *MEANS[:1], MEANS[1].replace(', "quantities"', ""), *MEANS[2:]) / "means.h5")


def test_means_of_own_quantities_are_the_same_on_any_ranks(run):
    text = CASE.format(solver="hd", fields="[]") + "[parallel]\nreproducible = true\n"
    with h5py.File(run(text, *MEANS) / "means.h5") as a, h5py.File(run(text, *MEANS, ranks=3) / "means.h5") as b:
        for name in a:
            if isinstance(a[name], h5py.Dataset):
                np.testing.assert_array_equal(a[name][:], b[name][:], err_msg=name)


PROBES = ["--set", 'output.probes=["[0, 0, 0]", "[5pi/8, 4pi/6, 2.4pi]"]', "--set", 'output.probes_quantities=["mine", "shear"]',
          "--set", "output.probes_interval=0.05"]


def test_probes_tell_own_quantities_behind_the_fields(run):
    """At points of the grid: sums over modes beside transforms."""
    folder = run(CASE.format(solver="hd", fields='["u", "shear", "mine"]'), *PROBES, ranks=2)
    f = fields(folder)
    names, *lines = [line.split(",") for line in (folder / "probes.csv").read_text().splitlines() if not line.startswith("#")]
    rows = dict(zip(names, np.array(lines, dtype=float).T))
    for place, at in ((1, (0, 0, 0)), (2, (12, 4, 5))):
        for name in ("u", "shear", "mine"):
            np.testing.assert_allclose(rows[f"{name}_{place}"][-1], f[name][at], atol=1e-12)
    assert names.index("w_1") < names.index("mine_1") < names.index("shear_1") < names.index("u_2")


@pytest.mark.parametrize("setting, told", [
    ('output.probes_quantities=["vorticity"]', "value 1 of 1 is not a name in [[output.quantities]]"),
    ('output.probes_quantities=["mine", "mine"]', "value 2 of 2 is repeated"),
    ('output.means=["spectra", "quantities"]', '"quantities" requires at least one of'),
])
def test_lists_of_own_quantities_that_are_wrong_end_with_65(triad, tmp_path, setting, told):
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(solver="hd", fields="[]"))
    done = subprocess.run([triad, "case", case, "--set", setting], capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr, done.stderr


@pytest.mark.parametrize("formula, words", [("1/(0*x + sin(x))", "warning: output.quantities: bad is infinite at x = 0, y = 0, z = 0"),
                                            ("sqrt(x - 3)", "warning: output.quantities: bad is not a number at x = 0, y = 0, z = 0")])
@pytest.mark.parametrize("ranks", [1, 3])
def test_a_quantity_that_is_not_finite_is_warned_of_once_with_its_place(triad, mpirun, tmp_path, ranks, formula, words):
    """sqrt(x - 3) is no number at the points of 16 with x < 3: eight of each row, 1920 of 3840. sin is 0 at x = 0 alone, not at pi in doubles."""
    text = CASE.format(solver="hd", fields='["u", "bad"]').replace("end = 0.05", "end = 0.1")
    (tmp_path / "case.toml").write_text(text + f'[[output.quantities]]\nname = "bad"\nformula = "{formula}"\n')
    said = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0).stderr
    bad = 1920 if "sqrt" in formula else 240
    assert said.count(words) == 1 and said.count("output.quantities: bad") == 1
    assert f"(indices 0 0 0), and not finite at {bad} of 3840 points" in said
    assert "mine is" not in said and "shear is" not in said


EVERYWHERE = ["--set", 'output.slices=["y=pi/3: mine, bad"]', *MEANS, "--set", 'output.probes=["[4, 0, 0]", "[1, 2, 0]", "[2, pi, 1]"]', "--set",
              'output.probes_quantities=["mine", "bad"]', "--set", "output.probes_interval=0.05"]


@pytest.mark.parametrize("ranks", [1, 3])
def test_slices_probes_and_means_warn_too_each_once(triad, mpirun, tmp_path, ranks):
    """sqrt(x - 3): no number at 8 of the 16 points of a row, in each of the 20 rows of a plane, and at two of the three probes."""
    text = CASE.format(solver="hd", fields="[]").replace("end = 0.05", "end = 0.1").replace('slices = ["z=0: shear, mine", "x=pi/2: shear"]\n', "")
    (tmp_path / "case.toml").write_text(text + '[[output.quantities]]\nname = "bad"\nformula = "sqrt(x - 3)"\n')
    said = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", *EVERYWHERE, expect=0).stderr
    place = "warning: output.quantities: bad is not a number at x = "
    assert said.count("output.quantities: ") == said.count(place) == 3
    assert f"{place}0, y = 1.0472, z = 0 (slice 1), and not finite at 160 of 320 points, at step " in said and "so are slices that show it" in said
    assert f"{place}1, y = 2, z = 0 (probe point 2), and not finite at 2 of 3 points, at step 0, t = 0: so are rows of probes.csv" in said
    assert f"{place}0, y = 0, z = 0 (indices 0 0 0), and not finite at 1920 of 3840 points" in said


def test_info_says_which_values_of_a_file_are_not_finite(triad, mpirun, tmp_path):
    """1/(x - 5 pi/8) at the point 5 of 16, where x is that number to the last digit."""
    text = CASE.format(solver="hd", fields='["u", "bad"]')
    (tmp_path / "case.toml").write_text(text + '[[output.quantities]]\nname = "bad"\nformula = "1/step(abs(x - 1.9634954) - 1e-3)"\n')
    mpirun(1, triad, "run", "-q", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    file = sorted((tmp_path / "run/fields").glob("*.h5"))[-1]
    with h5py.File(file) as f:
        bad = np.argwhere(~np.isfinite(f["bad"][:]))
    told = subprocess.run([triad, "info", file], capture_output=True, text=True)
    assert told.returncode == 65 and len(bad) == 240 and tuple(bad[0]) == (0, 0, 5)
    assert "bad has 240 values that are not finite, of 3840: the first is infinite, at index (0, 0, 5), counted from 0" in told.stdout
