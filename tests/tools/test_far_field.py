"""`triad far-field`: sources with known sound, from files of probes with the exact near field; spectra and levels; refusals.

The surface is a cylinder about the x axis with radius 2 and two disks; length is in units of a fifth of the wavelength."""

import csv
import subprocess
import tracemalloc

import h5py
import numpy as np
import pytest

import sound
from verification import record

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

import looks  # noqa: E402,F401  (the way to tools/)
from triad_plot import begin  # noqa: E402
from triad_plot.compute import frequency  # noqa: E402
from triad_plot.problem import Problem  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.sound import command, formula, medium, observers, record as records, surface  # noqa: E402

ALL = -np.inf, np.inf

OMEGA = 2 * np.pi / 5
T = 0.2 * np.arange(200)
PARTS = {"far": sound.cylinder(-3, 3, 2, 33, 24), "inlet": sound.disk(-3, 2, 8, 24), "outlet": sound.disk(3, 2, 8, 24)}
SMALL = {"far": sound.cylinder(-3, 3, 2, 13, 12), "inlet": sound.disk(-3, 2, 4, 12), "outlet": sound.disk(3, 2, 4, 12)}
AMPLITUDE = 1e-4
# |p'| at distance 50, at 0, 45, .., 180 degrees from downstream, of an independent code
KNOWN = {"monopole": (0.0, None, [2e-3, 2e-3, 2e-3, 2e-3, 2e-3]),
         "monopole in a stream": (0.5, None, [1.333428e-3, 1.773344e-3, 3.079201e-3, 3.928307e-3, 4.000032e-3]),
         "dipole along a stream": (0.5, (1, 0, 0), [1.117727e-3, 7.615311e-4, 2.580361e-3, 8.266503e-3, 1.005318e-2]),
         "dipole across a stream": (0.5, (0, 1, 0), [0, 1.685005e-3, 4.468467e-3, 3.731816e-3, 0])}


def far(folder, *words):
    """The files of the command as h5py's root; run in this process, which has the modules."""
    assert command.run_command([str(folder), *map(str, words)]) == 0
    return h5py.File(folder / "far-field/far-field.h5")


def refused(folder, *words):
    with pytest.raises(Problem) as problem:
        command.run_command([str(folder), *map(str, words)])
    return str(problem.value)


def field_of(name):
    mach, dipole, _ = KNOWN[name]
    return sound.harmonic(OMEGA, mach, dipole)


def error(file, exact):
    """Largest difference from the exact sound at all observers, over its largest value."""
    x = np.stack([file[f"levels/{a}"][:] for a in "xyz"], axis=1)
    right = np.stack([exact(x[i:i + 1], file["t"][i][:, None])[0].real[:, 0] for i in range(len(x))]) * AMPLITUDE
    return float(np.abs(file["p"][:] - right).max() / np.abs(right).max())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder for each source, with files of the exact near field, by name."""
    made = {}
    for name, (mach, _, _) in KNOWN.items():
        made[name] = tmp_path_factory.mktemp("far") / "run"
        sound.write(made[name], T, PARTS, sound.real(field_of(name)), mach, AMPLITUDE)
    return made


# ---- known sound ----

@pytest.mark.parametrize("name", KNOWN)
def test_the_sound_of_a_source_in_a_stream_is_the_exact_one(runs, name):
    """Waveform against the exact solution, amplitude against numbers of an independent code."""
    file = far(runs[name], "--arc", "50,0,180,5")
    wrong = error(file, field_of(name))
    amplitude = np.sqrt(2) * file["p"][:, -100:].std(axis=1)   # 100 rows are four periods
    assert np.abs(amplitude / AMPLITUDE - KNOWN[name][2]).max() < 0.01 * max(KNOWN[name][2])
    assert wrong < 0.01
    if name == "monopole":
        record("fct-sound-monopole", wrong)
    elif name == "dipole along a stream":
        record("fct-sound-dipole", wrong)


def test_the_sound_of_a_rotating_source_is_the_exact_one(tmp_path):
    """A mass source at radius 1 with tip Mach number 0.5: waveform, its extremes and first harmonics by an independent code, no sound on
    the axis. The near field is the same at (angle, t) as at (0, t - angle/omega): one azimuth and one period are computed."""
    omega, rows, around = 0.5, 128, 32
    parts = {"far": sound.cylinder(-2.5, 2.5, 2, 33, around), "inlet": sound.disk(-2.5, 2, 12, around), "outlet": sound.disk(2.5, 2, 12, around)}
    t = 2 * np.pi / omega * np.arange(3 * rows) / rows

    def near(x, times):
        first = x.reshape(-1, around, 3)[:, 0]
        p, u = sound.rotating(omega)(first, times[:rows])
        turns = np.arange(around) * rows // around
        index = (np.arange(len(times))[:, None] - turns) % rows       # [row, azimuth]
        p, u = p[index].transpose(0, 2, 1), u[:, index].transpose(0, 1, 3, 2)
        angle = 2 * np.pi * np.arange(around) / around
        u = np.stack([u[0], u[1] * np.cos(angle) - u[2] * np.sin(angle), u[1] * np.sin(angle) + u[2] * np.cos(angle)])
        return p.reshape(len(times), -1), u.reshape(3, len(times), -1)

    sound.write(tmp_path / "run", t, parts, near, amplitude=AMPLITUDE)
    file = far(tmp_path / "run", "--observer", "0,10,0", "--observer", "10,0,0")
    p = file["p"][0] / AMPLITUDE
    right = sound.rotating_pressure(np.array([0, 10., 0]), file["t"][0], omega)
    wrong = np.abs(p - right).max() / np.abs(right).max()
    assert wrong < 0.01
    assert [p.min(), p.max()] == pytest.approx([-5.320802e-3, 5.949075e-3], rel=0.01)
    harmonics = 2 * np.abs(np.fft.rfft(p[:rows]))[1:6] / rows
    assert harmonics == pytest.approx([1.9711e-3, 1.8615e-3, 1.4791e-3, 1.0988e-3, 7.875e-4], rel=0.01)
    assert np.abs(file["p"][1]).max() < 1e-3 * AMPLITUDE * np.abs(right).max()
    record("fct-sound-rotating", float(wrong))


def test_there_is_no_sound_inside_the_surface(runs):
    """A permeable surface radiates outwards only."""
    made = command.surface_of(Run(str(runs["dipole along a stream"])), None)
    air = formula.Medium(sound.P0, 1.0, 1.0, np.array([0.5, 0, 0]))
    assert medium.states_in({"boundaries.patches": ["a + b: farfield, pressure=2, temperature=4, sponge=1", "c: slip"]}) == [(2, 0.5, 0, 0, 0)]
    where = observers.Observers(np.array([[1.2, 0.5, 0.1]]), np.zeros(3))
    record_of = records.Record(made.patches, *ALL)
    inside = command.compute(made, record_of, where, air, command.arrivals_of(made, record_of, where, air))
    near = max(np.abs(patch.probe.read("p") - sound.P0).max() for patch in made.patches)
    assert np.abs(inside.p).max() < 0.01 * near


def test_areas_and_normals_close(tmp_path):
    """Areas of a cylinder and two disks; the integral of x . n is three times the volume; a mean of several disks as well."""
    sound.write(tmp_path / "run", T[:8], {**PARTS, "outlet2": sound.disk(2.2, 2, 8, 24)}, sound.real(field_of("monopole")))
    for names, length in (("far,inlet,outlet", 6), ("far,inlet,outlet,outlet2", 5.6)):
        made = command.surface_of(Run(str(tmp_path / "run")), names)
        assert made.open == []
        assert sum(patch.area.sum() for patch in made.patches) == pytest.approx(2 * np.pi * 4 + 2 * np.pi * 2 * length)
        assert sum((patch.area * np.sum(patch.x * patch.normal, axis=1)).sum() for patch in made.patches) == pytest.approx(3 * np.pi * 4 * length)
    assert surface.integral(np.linspace(0, 1, 7), 0.05, 0.9, 1) @ np.linspace(0, 1, 7)**3 == pytest.approx((0.9**5 - 0.05**5) / 5)


def test_a_cylinder_that_is_given_from_its_other_end_is_the_same_surface(tmp_path, capsys):
    """to_x below x: the same sound, with the file's rows of points in the other order; the same share of an open end."""
    field, turned = sound.real(field_of("monopole")), {**SMALL, "far": SMALL["far"][::-1]}
    for name, parts in (("ahead", SMALL), ("back", turned), ("open", {"far": turned["far"]})):
        sound.write(tmp_path / name, T, parts, field, amplitude=AMPLITUDE)
    right, p = (far(tmp_path / name, "--arc", "50,0,180,3")["p"][:] for name in ("ahead", "back"))
    assert np.abs(p - right).max() < 1e-9 * np.abs(right).max()
    made = command.surface_of(Run(str(tmp_path / "back")), None)
    assert made.contains(np.array([2.9, 1, 0])) and not made.contains(np.array([3.1, 1, 0])) and min(patch.area.min() for patch in made.patches) > 0
    far(tmp_path / "open", "--arc", "50,90,90,1")
    assert "open at x = -3: 12.5 % of a closed one" in capsys.readouterr().err
    assert list(h5py.File(tmp_path / "open/far-field/far-field.h5").attrs["open"]) == [-3, 3]


def test_the_mean_of_several_ends_is_the_same_sound(runs, tmp_path):
    mach, _, _ = KNOWN["dipole along a stream"]
    ends = {f"end{i}": sound.disk(x, 2, 8, 24) for i, x in enumerate((2.4, 2.7))}
    sound.write(tmp_path / "run", T, {**PARTS, **ends}, sound.real(field_of("dipole along a stream")), mach, AMPLITUDE)
    assert error(far(tmp_path / "run", "--arc", "50,0,180,5"), field_of("dipole along a stream")) < 0.01


def test_an_entropy_spot_through_the_surface_is_silent_by_its_pressure(tmp_path):
    """Density alone is carried through the ends by a stream: no sound; the density of the files makes some."""
    def spot(x, t):
        shape = np.exp(-(x[:, 0] - 0.5 * (t - 20))**2)
        return 0 * shape, np.zeros((3, *shape.shape))
    sound.write(tmp_path / "run", T, SMALL, spot, 0.5)
    for name, x in SMALL.items():
        with h5py.File(tmp_path / f"run/probes/{name}-00000000.h5", "a") as file:
            file["rho"][:] = 1 + 0.1 * np.exp(-(x.reshape(-1, 3)[:, 0] - 0.5 * (T[:, None] - 20))**2)
    loud = np.abs(far(tmp_path / "run", "--arc", "50,90,90,1")["p"][:]).max()
    assert np.abs(far(tmp_path / "run", "--arc", "50,90,90,1", "--isentropic")["p"][:]).max() < 1e-9 * loud


# ---- rows ----

def test_unequal_steps_are_interpolated_with_their_error(runs, tmp_path, capsys):
    """Rows every 0.1 with steps that vary by 0.4 of that: right, and the error is printed; far apart, they are refused."""
    fine = np.cumsum(0.1 + 0.04 * np.sin(0.7 * np.arange(400)))
    sound.write(tmp_path / "fine", fine, SMALL, sound.real(field_of("monopole")), amplitude=AMPLITUDE)
    sound.write(tmp_path / "even", 0.1 * np.arange(400), SMALL, sound.real(field_of("monopole")), amplitude=AMPLITUDE)
    file = far(tmp_path / "fine", "--arc", "50,0,180,5")
    assert "interpolated from unequal intervals, error" in capsys.readouterr().out
    even = error(far(tmp_path / "even", "--arc", "50,0,180,5"), field_of("monopole"))
    assert "at equal intervals" in capsys.readouterr().out
    assert 0 < file.attrs["error"] < 0.01 and error(file, field_of("monopole")) < even + 0.01
    coarse = np.cumsum(1.4 + 0.3 * np.sin(0.7 * np.arange(200)))
    sound.write(tmp_path / "coarse", coarse, SMALL, sound.real(field_of("monopole")))
    assert "too far apart to interpolate" in refused(tmp_path / "coarse", "--arc", "50,0,180,5")


def test_rows_written_again_after_a_restart_count_once(runs, tmp_path):
    """The later file begins before the end of the earlier one: the sound is that of one file, bit for bit."""
    field = sound.real(field_of("monopole"))
    sound.write(tmp_path / "whole", T, SMALL, field)
    sound.write(tmp_path / "parts", T[:120], SMALL, field)
    for name, x in SMALL.items():
        with h5py.File(tmp_path / f"whole/probes/{name}-00000000.h5") as file:
            sound.store(tmp_path / "parts", name, 100, T[100:], x, {key: file[key][100:] for key in ("rho", "u", "v", "w", "p")})
        with h5py.File(tmp_path / f"parts/probes/{name}-00000000.h5", "a") as file:
            file["p"][100:] = 0      # of the run that was lost
    assert np.array_equal(far(tmp_path / "parts", "--arc", "50,0,180,3")["p"], far(tmp_path / "whole", "--arc", "50,0,180,3")["p"])


def test_what_would_give_false_sound_is_refused(runs, tmp_path):
    field, arc = sound.real(field_of("monopole")), ("--arc", "50,0,180,5")

    def made(name, t=T, parts=SMALL):
        sound.write(tmp_path / name, t, parts, field)
        return tmp_path / name
    assert "rows are missing between t = 9.8 and 10.6" in refused(made("gap", np.delete(T, [50, 51, 52])), *arc)
    short = refused(made("short", T[:70]), *arc)
    assert "is too short" in short and "of 64; run for" in short
    folder = made("spoilt")
    with h5py.File(folder / "probes/far-00000000.h5", "a") as file:
        file["u"][7, 3] = np.nan
    assert "u is not finite at t = 1.4" in refused(folder, *arc)
    with h5py.File(folder / "probes/inlet-00000000.h5", "a") as file:
        file["t"][:] += 0.1
    assert "its rows have other times" in refused(folder, *arc)
    assert "does not close far" in refused(made("wide", parts={**SMALL, "inlet": sound.disk(-3, 2.5, 4, 12)}), *arc)
    assert "at least 4 are required" in refused(made("few", parts={"far": sound.cylinder(-3, 3, 2, 3, 12)}), *arc)
    assert "cylinder must be at different x" in refused(made("flat", parts={"far": sound.cylinder(1, 1, 2, 5, 12)}), *arc)
    assert "there are: a, b" in refused(made("two", parts={"a": SMALL["far"], "b": SMALL["far"]}), *arc)
    assert "requires probes of solver fct" in refused(made("none", parts={}), *arc)
    assert "neither a cylinder nor a disk" in refused(made("line", parts={"axis": SMALL["far"][:, :1]}), *arc, "--surface", "axis")
    run = runs["monopole"]
    for words, said in (((), "requires observers"), (("--observer", "0,1,0"), "inside the surface"), (("--observer", "0,2.3,0"), "two spacings"),
                        (("--observer", "1,2"), "must be X,Y,Z"), (("--arc", "50,0,180,0"), "whole number"), ((*arc, "--surface", "off"), "has no probe off"),
                        ((*arc, "--stream", "2,0,0"), "requires less than 1"), ((*arc, "--reference", "0"), "must be positive"),
                        ((*arc, "--from", "30"), "too short"), ((*arc, "--from", "5", "--to", "1"), "is later"), (("--observers", "gone.csv"), "no such file"),
                        (("--observer", "9,9,9", "--around", "3"), "requires --arc"), ((*arc, "--band", "2,1"), "higher one second"),
                        ((*arc, "--band", "100,200"), "has no such frequency"), ((*arc, "--band", "0,0.001"), "has no such frequency")):
        assert said in refused(run, *words), said
    (tmp_path / "short/case.resolved.toml").write_text('[equations]\nsolver = "fct"\n')
    assert "far-field patches are missing" in refused(tmp_path / "short", *arc)


def test_words_that_cannot_be_served_are_refused_before_the_sound_is_computed(runs, monkeypatch):
    """Minutes of computing do not end with the message that a band or a number of segments is impossible."""
    def compute(*_):
        pytest.fail("the sound was computed first")
    monkeypatch.setattr(command, "compute", compute)
    for words, said in ((("--band", "100,200"), "has no such frequency"), (("--segments", "10000"), "are too few")):
        assert said in refused(runs["monopole"], "--arc", "50,0,180,3", *words)


def test_memory_does_not_grow_with_observers_times_points(tmp_path, monkeypatch, capsys):
    """Fourteen numbers are needed for each pair, for the pairs of one observer at a time. Too many observers are refused before."""
    sound.write(tmp_path / "run", T[:80], SMALL, sound.real(field_of("monopole")))
    made = command.surface_of(Run(str(tmp_path / "run")), None)
    record_of, air = records.Record(made.patches, *ALL), formula.Medium(sound.P0, 1.0, 1.0, np.zeros(3))
    monkeypatch.setattr(command, "LEAST", 1)
    peak, points = {}, sum(len(patch.x) for patch in made.patches)
    for count in (10, 200):
        where = observers.Observers(observers.of_arc(f"50,0,180,{count}", 1, np.zeros(3)), np.zeros(3))
        tracemalloc.start()
        command.compute(made, record_of, where, air, command.arrivals_of(made, record_of, where, air))
        peak[count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak[200] - peak[10] < 190 * points * 8
    with pytest.raises(Problem, match="20000000 observers are more than"):
        observers.of_arc("50,30,150,2000", 10000, np.zeros(3))

    def fails(_):
        raise MemoryError("Unable to allocate 5 TiB")
    monkeypatch.setattr(command, "run_command", fails)
    assert begin.main(["far-field", "run"]) == 71
    assert capsys.readouterr().err == "triad: error: out of memory: Unable to allocate 5 TiB\n"


def test_an_open_end_is_a_warning_with_its_share(tmp_path, capsys):
    sound.write(tmp_path / "run", T, {"far": SMALL["far"], "inlet": SMALL["inlet"]}, sound.real(field_of("monopole")))
    far(tmp_path / "run", "--arc", "50,90,90,1")
    warned = capsys.readouterr().err
    assert "the surface is open at x = 3: 12.5 % of a closed one" in warned and "disk, x=3, radius=2" in warned
    assert list(h5py.File(tmp_path / "run/far-field/far-field.h5").attrs["open"]) == [3]


# ---- files ----

def test_levels_and_spectra_hold_the_sound(runs, tmp_path):
    """Of the monopole: the rms, dB of a reference, the variance as the sum of the spectrum, with its peak at the frequency."""
    (tmp_path / "where.csv").write_text("x,y,z\n0,30,0\n0,0,60\n")
    file = far(runs["monopole"], "--observers", tmp_path / "where.csv", "--reference", "1e-6", "--arc", "50,90,90,1", "--around", "4", "-o",
               runs["monopole"] / "far-field")
    rms = AMPLITUDE * OMEGA / (4 * np.pi) / np.sqrt(2) / file["levels/distance"][:]
    assert file["levels/distance"][:] == pytest.approx([30, 60, 50, 50, 50, 50]) and file["levels/angle"][:] == pytest.approx(90)
    assert file["levels/rms"][:] == pytest.approx(rms, rel=0.02)
    assert file["levels/level"][:] == pytest.approx(20 * np.log10(rms / 1e-6), abs=0.2) and (file["levels/level_error"][:] < 1).all()
    f, psd = file["f"][:], file["psd"][:]
    assert psd.sum(axis=1) * f[0] == pytest.approx(rms**2, rel=0.05)
    assert np.abs(f[psd.argmax(axis=1)] - 0.2).max() < f[0]
    with open(runs["monopole"] / "far-field/levels.csv") as table:
        rows = list(csv.DictReader(line for line in table if line[0] != "#"))
    assert [float(row["level"]) for row in rows] == pytest.approx(list(file["levels/level"]))
    with open(runs["monopole"] / "far-field/pressure.csv") as table:
        rows = list(csv.DictReader(line for line in table if line[0] != "#"))
    assert [float(row["p_2"]) for row in rows] == pytest.approx(list(file["p"][1]), rel=1e-9)
    assert float(rows[0]["t_2"]) == pytest.approx(file["t"][1, 0])


def test_levels_of_a_band_are_those_of_its_frequencies(runs, capsys):
    """Of a drift, a slow and a fast sine the band holds the fast one; the monopole is silent outside its frequency, 0.2."""
    t = 0.02 * np.arange(3000)[:, None]
    values = 3 + 0.2 * t + 4 * np.sin(0.7 * t) + np.sin(2 * np.pi * 1.5 * t)
    assert frequency.band(values, 0.02, 1, 2).std(axis=0) == pytest.approx(np.sqrt(0.5), rel=0.02)
    rms = {band: far(runs["monopole"], "--arc", "50,90,90,1", "--band", band)["levels/rms"][0] for band in ("0.1,0.3", "0.4,2", "0,9")}
    spacing = 2 * 2 * np.pi / 24     # of points on a ring; the speed of sound is 1
    assert capsys.readouterr().err.count(f"resolve only frequencies up to f = {1 / (4 * spacing):.3g}") == 2
    assert rms["0.1,0.3"] == pytest.approx(rms["0,9"], rel=0.05) and rms["0.4,2"] < 0.2 * rms["0,9"]


def test_welchs_densities_sum_to_the_variance():
    """Of white noise and of a sine between two frequencies; odd lengths too."""
    noise = np.random.default_rng(1).normal(size=(20001, 2))
    f, psd = frequency.density(noise, 0.5, 7)
    assert psd.mean(axis=0) == pytest.approx(2 * 0.5 * noise.var(axis=0), rel=0.03)
    assert psd.sum(axis=0) * f[0] == pytest.approx(noise.var(axis=0), rel=0.03)
    level, wrong = frequency.level(noise, 1.0)
    assert level == pytest.approx([0, 0], abs=4 * wrong.max()) and wrong == pytest.approx(10 / np.log(10) * np.sqrt(2 / 20001), rel=0.8)
    t = 0.01 * np.arange(4000)
    f, psd = frequency.density(np.sin(2 * np.pi * 5.03 * t)[:, None], 0.01, 3)
    assert psd.sum() * f[0] == pytest.approx(0.5, rel=1e-3) and abs(f[psd.argmax()] - 5.03) < f[0]


def test_a_run_of_the_program_has_such_files_and_a_uniform_stream_is_silent(run_case, triad, tmp_path):
    """Datasets, attributes and points as those that the other tests write; through the command of the program."""
    folder = run_case("""[equations]
solver = "fct"
[grid]
n = [8, 8, 8]
length = [1, 1, 1]
[boundaries]
patches = ["*: farfield, pressure=1, density=1.4, u=0.3"]
[initial]
kind = "uniform"
density = 1.4
velocity = [0.3, 0, 0]
[time]
dt = 0.01
end = 2.2
[output]
probes = ["far: cylinder, x=0.2, y=0.5, z=0.5, to_x=0.8, radius=0.3, n=5, around=8",
          "lid: disk, x=0.2, y=0.5, z=0.5, radius=0.3, n=4, around=8", "end: disk, x=0.8, y=0.5, z=0.5, radius=0.3, n=4, around=8"]
""")
    sound.write(tmp_path / "made", [0, 1], {"far": sound.cylinder(0.2, 0.8, 0.3, 5, 8), "lid": sound.disk(0.2, 0.3, 4, 8)},
                sound.real(field_of("monopole")))
    for name in ("far", "lid"):
        with h5py.File(folder / f"probes/{name}-00000000.h5") as run, h5py.File(tmp_path / f"made/probes/{name}-00000000.h5") as made:
            assert set(run) == set(made) and list(run.attrs["shape"]) == list(made.attrs["shape"])
            for key in made:
                assert run[key].dtype == made[key].dtype and run[key].ndim == made[key].ndim
                assert run[key].attrs.get("units") == made[key].attrs.get("units")
            assert np.abs(run["x"][:] - made["x"][:] - [0, 0.5, 0.5]).max() < 1e-15
    done = subprocess.run([triad, "far-field", folder, "--arc", "5,0,180,3", "--centre", "0.5,0.5,0.5"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "lid: disk at x = 0.2" in done.stdout and "warning" not in done.stderr, done.stderr
    told = subprocess.run([triad, "info", folder / "far-field/far-field.h5"], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "sound in the far field" in told.stdout and "psd" in told.stdout, told.stderr
    with h5py.File(folder / "far-field/far-field.h5") as file:
        assert np.abs(file["p"]).max() < 1e-9 and file.attrs["c0"] == pytest.approx(1) and list(file.attrs["stream"]) == [0.3, 0, 0]
