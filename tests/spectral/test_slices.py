"""Slices: planes of a run as numbers and pictures, equal to those of its fields, on any number of ranks."""

import os
import re
import struct
import subprocess
import zlib
from pathlib import Path

import h5py
import numpy as np
import pytest

from boxes import LENGTH, RANDOM, case

OUTPUT = """spectra_interval = 0
fields_interval = 0.05
slices_interval = 0.05
slices = {slices}
"""
SETS = {
    "hd": ("hd", "viscosity = 0.02\nscalars = [0.02]", "",
           ["u", "v", "w", "speed", "vorticity", "vorticity_x", "vorticity_y", "vorticity_z", "scalar1", "strain",
            "dissipation", "q", "helicity"]),
    "boussinesq": ("boussinesq", "viscosity = 0.02\ndiffusivity = 0.02", "potential_energy = 0.2", ["theta", "w"]),
    "mhd": ("mhd", "viscosity = 0.02\nresistivity = 0.02", "",
            ["bx", "by", "bz", "magnetic", "current", "current_x", "current_y", "current_z", "vorticity"]),
    "gpe": ("gpe", "healing_length = 0.5", "", ["density", "phase", "psi_re", "psi_im"]),
}
N = (18, 15, 12)
# planes that are the grid's own: x = pi is point 9 of 18, y = 2 point 6 of 15, z = -pi/4 point -1 of 12
PLANES = (("z=0", 2, 0), ("x = pi", 0, 9), ("y=2", 1, 6), ("z=-pi/4", 2, 11))


def start(folder, kind, precision="double", truncation="sphere", slices=None):
    solver, keys, initial, names = SETS[kind]
    slices = slices or [f"{plane}: {', '.join(names)}" for plane, _, _ in PLANES]
    (folder / "case.toml").write_text(case(solver, keys, N, OUTPUT.format(slices=str(slices).replace("'", '"')), RANDOM + initial,
                                           grid=f'truncation = "{truncation}"', precision=precision))
    return folder / "case.toml"


@pytest.fixture(scope="module", params=[("hd", "double", "sphere"), ("hd", "single", "box"), ("hd", "double", "none"),
                                        ("boussinesq", "double", "sphere"), ("mhd", "double", "sphere"),
                                        ("gpe", "double", "sphere")], ids="-".join)
def flow(request, launcher, triad, tmp_path_factory):
    """A finished run, its set and its precision."""
    kind, precision, truncation = request.param
    folder = tmp_path_factory.mktemp("flow")
    launcher(2, triad, "run", start(folder, kind, precision, truncation), "--dir", folder / "run", threads=2, expect=0)
    return folder / "run", kind, precision


def curl(f):
    """Of three real fields (z, y, x), by numpy; a Nyquist mode has no derivative."""
    waves = []
    for n, length in zip(f[0].shape, LENGTH[::-1]):
        k = np.fft.fftfreq(n, 1 / n)
        k[abs(k) == n / 2] = 0
        waves.append(2 * np.pi * k / length)
    k = np.meshgrid(*waves, indexing="ij")[::-1]
    fk = [np.fft.fftn(a) for a in f]
    return [np.fft.ifftn(1j * (k[a] * fk[b] - k[b] * fk[a])).real for a, b in ((1, 2), (2, 0), (0, 1))]


def gradient(f):
    """d_j of a real field (z, y, x), j = x, y, z."""
    out = []
    for axis, length in zip((2, 1, 0), LENGTH):
        n = f.shape[axis]
        k = np.fft.fftfreq(n, 1 / n)
        k[abs(k) == n / 2] = 0
        shape = [1, 1, 1]
        shape[axis] = n
        out.append(np.fft.ifft(1j * (2 * np.pi * k / length).reshape(shape) * np.fft.fft(f, axis=axis), axis=axis).real)
    return out


def quantities(path):
    """Every quantity a slice may show, in the whole box."""
    with h5py.File(path) as h:
        f = {name: d[:].astype(float) for name, d in h.items() if isinstance(d, h5py.Dataset) and d.ndim == 3}
    for parts, norm, turn in ((("u", "v", "w"), "speed", "vorticity"), (("bx", "by", "bz"), "magnetic", "current")):
        if parts[0] not in f:
            continue
        vector = [f[p] for p in parts]
        f[norm] = np.sqrt(sum(a**2 for a in vector))
        c = curl(vector)
        f[turn] = np.sqrt(sum(a**2 for a in c))
        f.update({f"{turn}_{letter}": a for letter, a in zip("xyz", c)})
        if norm == "speed":
            g = [gradient(a) for a in vector]   # g[i][j] = d_j u_i
            square = sum((g[i][j] + g[j][i])**2 for i in range(3) for j in range(3)) / 2   # 2 S:S
            f["strain"], f["dissipation"] = np.sqrt(square), 0.02 * square
            f["q"] = -sum(g[i][j] * g[j][i] for i in range(3) for j in range(3)) / 2
            f["helicity"] = sum(a * b for a, b in zip(vector, c))
    if "psi_re" in f:
        f["density"] = f["psi_re"]**2 + f["psi_im"]**2
        f["phase"] = np.arctan2(f["psi_im"], f["psi_re"])
    return f


def test_planes_are_those_of_the_fields(flow):
    run, kind, precision = flow
    # a transform's error is a few epsilon of the rms, a derivative multiplies it by the largest wavenumber, 6
    epsilon = 200 * np.finfo(precision).eps
    for step in (0, 1, 2):
        box = quantities(run / f"fields/fields-{step:08d}.h5")
        for number, (_, axis, index) in enumerate(PLANES, 1):
            with h5py.File(run / f"slices/slice{number}-{step:08d}.h5") as h:
                names = [name for name, d in h.items() if isinstance(d, h5py.Dataset) and d.ndim == 2]
                assert sorted(names) == sorted(SETS[kind][3])
                for name in names:
                    want = np.take(box[name], index, axis=2 - axis)
                    difference = h[name][:] - want
                    if name == "phase":
                        difference = np.angle(np.exp(1j * difference))
                    assert abs(difference).max() <= epsilon * abs(box[name]).max(), (name, number, step)
                    assert abs(want).max() > 0


def test_every_dataset_says_what_it_is(flow):
    run, _, _ = flow
    for number, (_, axis, index) in enumerate(PLANES, 1):
        with h5py.File(run / f"slices/slice{number}-00000001.h5") as h:
            across = [a for a in "zyx" if a != "xyz"[axis]]
            at = LENGTH[axis] * index / N[axis]
            assert h.attrs["axis"] == "xyz"[axis] and h.attrs["at"] % LENGTH[axis] == pytest.approx(at, abs=1e-12)
            assert h.attrs["step"] == 1 and h.attrs["t"] == 0.05 and np.allclose(h.attrs["length"], LENGTH)
            assert h["notes"].attrs["case"]
            for name, d in h.items():
                if isinstance(d, h5py.Dataset) and d.ndim == 2:
                    assert [dim[0].name for dim in d.dims] == ["/" + a for a in across]
                    assert d.attrs["units"] and d.attrs["long_name"]
            for a in across:
                i = "xyz".index(a)
                assert np.allclose(h[a][:], LENGTH[i] * np.arange(N[i]) / N[i]) and h[a].attrs["units"] == "L"


def read_png(path):
    """Pixels [row][column] of palette numbers, the palette, the texts: by hand, after the PNG specification."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, texts, palette = 8, b"", {}, None
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 3)
        elif kind == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"IDAT":
            packed += body
        elif kind == b"tEXt":
            key, text = body.split(b"\0", 1)
            texts[key.decode("latin1")] = text.decode("latin1")
        at += 12 + n
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 0).all()  # no filter
    return rows[:, 1:], palette, texts


def test_pictures_show_the_numbers(flow):
    run, kind, _ = flow
    for number, (_, axis, _) in enumerate(PLANES, 1):
        for name in SETS[kind][3]:
            pixels, palette, texts = read_png(run / f"slices/slice{number}-{name}-00000002.png")
            with h5py.File(run / f"slices/slice{number}-00000002.h5") as h:
                values = h[name][:][::-1]  # the first row is below
                assert h[name].attrs["long_name"] in texts["Title"] and h[name].attrs["units"] in texts["Title"]
            low, high = map(float, re.match(r"(\S+) to (\S+)$", texts["Range"]).groups())
            assert "t = 0.1" in texts["Time"] and texts["Plane"].startswith("xyz"[axis] + " = ")
            slack = 1e-8 * (high - low)  # the range is told with 9 digits
            assert low - slack <= values.min() and values.max() <= high + slack
            by = [a // b for a, b in zip(pixels.shape, values.shape)]
            assert max(pixels.shape) >= 512 and [a * b for a, b in zip(by, values.shape)] == list(pixels.shape)
            want = np.repeat(np.repeat((values - low) / (high - low) * 254, by[0], axis=0), by[1], axis=1)
            assert abs(pixels - want).max() <= 0.5 + 1e-4
            # square pixels, to a pixel of a block
            d = [LENGTH["xyz".index(a)] / N["xyz".index(a)] for a in "zyx" if a != "xyz"[axis]]
            assert d[0] / by[0] == pytest.approx(d[1] / by[1], rel=0.05)
            assert len({tuple(c) for c in palette}) > 200


def lightness(palette):
    """CIE L* of sRGB colours."""
    c = palette / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055)**2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return 116 * np.cbrt(y) - 16


def test_colours_read_without_hue(flow):
    run, kind, _ = flow
    rising = {"hd": "speed", "mhd": "current", "gpe": "density"}.get(kind)
    even = {"hd": "u", "boussinesq": "theta", "mhd": "bx", "gpe": "psi_re"}[kind]
    if rising:
        light = lightness(read_png(run / f"slices/slice1-{rising}-00000002.png")[1][:255])
        assert (np.diff(light) > -1).all() and light[-1] - light[0] > 75
    light = lightness(read_png(run / f"slices/slice1-{even}-00000002.png")[1][:255])
    assert abs(light - light[::-1]).max() < 8 and light[127] > 90 and light[0] < 40


@pytest.mark.parametrize("kind", ["hd", "gpe"])
def test_slices_are_the_same_bytes_on_any_number_of_ranks(triad, mpirun, tmp_path, kind):
    case = start(tmp_path, kind)
    first = None
    for ranks, threads in ((1, 1), (2, 2), (3, 1)):
        run = tmp_path / f"run-{ranks}"
        mpirun(ranks, triad, "run", case, "--dir", run, "--set", "parallel.reproducible=true", threads=threads, expect=0)
        now = {}
        for path in sorted((run / "slices").iterdir()):
            if path.suffix == ".png":
                now[path.name] = path.read_bytes()
            else:
                with h5py.File(path) as h:
                    now[path.name] = [(n, h[n][:].tobytes()) for n in h if isinstance(h[n], h5py.Dataset)]
        assert len(now) == 3 * len(PLANES) * (1 + len(SETS[kind][3]))
        first = first or now
        assert now == first, f"{ranks} x {threads}"


def test_planes_off_the_grid_are_the_fourier_sum(triad, mpirun, tmp_path):
    case = start(tmp_path, "hd", slices=["z=1.234: w", "x=-0.7: w", "y=100: w"])
    run = tmp_path / "run"
    mpirun(2, triad, "run", case, "--dir", run, expect=0)
    with h5py.File(run / "fields/fields-00000002.h5") as h:
        w = h["w"][:]
    for number, (axis, at) in enumerate(((2, 1.234), (0, -0.7), (1, 100.0)), 1):
        n, dim = N[axis], 2 - axis
        k = 2 * np.pi * np.fft.fftfreq(n, 1 / n) / LENGTH[axis]
        shape = [1, 1, 1]
        shape[dim] = n
        want = (np.fft.fft(w, axis=dim) * np.exp(1j * k * at).reshape(shape)).sum(axis=dim).real / n
        with h5py.File(run / f"slices/slice{number}-00000002.h5") as h:
            assert abs(h["w"][:] - want).max() < 1e-12 * abs(w).max()


def test_a_flat_box_and_the_default_plane(triad, mpirun, tmp_path):
    case = tmp_path / "case.toml"
    case.write_text('[equations]\nsolver = "hd"\n[grid]\nn = [16, 16, 1]\n[initial]\nkind = "taylor-green"\n'
                    'two_dimensional = true\n[time]\nend = 0.1\ndt = 0.1\n[output]\nslices_interval = 1\n')
    run = tmp_path / "run"
    mpirun(2, triad, "run", case, "--dir", run, expect=0)
    with h5py.File(run / "slices/slice1-00000000.h5") as h:
        x = h["x"][:]
        # curl of (sin x cos y, -cos x sin y) is 2 sin x sin y
        assert np.allclose(h["vorticity"][:], abs(2 * np.sin(x)[None, :] * np.sin(x)[:, None]), atol=1e-14)


# what a case says of its flow; the axis and place of the plane, and what it shows, where it says nothing of slices
DEFAULTS = {
    "hd": ("n = [8, 8, 8]", "taylor-green", "", "z", 0, {"vorticity"}),
    "of equal axes only the last": ("n = [16, 8, 8]", "taylor-green", "", "z", 0, {"vorticity"}),
    "flat along y": ("n = [8, 1, 8]", "rest", "", "y", 0, {"vorticity"}),
    "boussinesq": ("n = [8, 8, 8]", "taylor-green", "", "y", 0, {"theta", "vorticity"}),
    "compressible": ("n = [16, 16, 8]", "taylor-green", "", "z", 0, {"schlieren", "vorticity"}),
    # points lie half a spacing off the walls: 4 of 8 is the first above the middle of a box of 2
    "between walls": ("n = [8, 8, 8]\nlength = [2, 2, 2]", "uniform",
                      '[boundaries]\nz = ["reflecting", "reflecting"]\n', "z", 1.125, {"schlieren", "vorticity"}),
}


@pytest.mark.parametrize("kind", DEFAULTS)
def test_every_run_leaves_a_plane_of_its_end(triad, mpirun, tmp_path, kind):
    grid, start, more, axis, at, names = DEFAULTS[kind]
    solver = kind if kind in ("boussinesq", "compressible") else "compressible" if more else "hd"
    case, run = tmp_path / "case.toml", tmp_path / "run"
    case.write_text(f'[equations]\nsolver = "{solver}"\n[grid]\n{grid}\n[initial]\nkind = "{start}"\n{more}'
                    '[time]\nend = 1\ndt = 1e-3\nmax_steps = 3\n')
    mpirun(1, triad, "run", case, "--dir", run, expect=0)
    file, = (run / "slices").glob("*.h5")
    assert file.name == "slice1-00000003.h5"
    with h5py.File(file) as h:
        assert (h.attrs["axis"], h.attrs["at"]) == (axis, at)
        assert {name for name, data in h.items() if len(getattr(data, "shape", ())) == 2} == names
    assert {p.name for p in (run / "slices").glob("*.png")} == {f"slice1-{name}-00000003.png" for name in names}
    assert "a set of slices" in mpirun(1, triad, "case", "--check", case, expect=0).stdout
    mpirun(1, triad, "run", case, "--dir", tmp_path / "none", "--set", "output.slices=[]", expect=0)
    assert not list((tmp_path / "none/slices").glob("*"))


def test_a_resumed_run_goes_on(triad, mpirun, tmp_path):
    case, run = start(tmp_path, "mhd"), tmp_path / "run"
    mpirun(2, triad, "run", case, "--dir", run, "--set", "time.end=0.05", expect=0)
    assert not (run / "slices/slice1-00000002.h5").exists()
    mpirun(3, triad, "run", case, "--dir", run, expect=0)
    assert (run / "slices/slice4-00000002.h5").exists()
    log = (run / "log.txt").read_text()
    assert re.search(r"slices: 4 planes at each of \d+ times; steps waited for them \S+ s", log)
    assert not list((run / "slices").glob(".tmp*"))


def test_the_thread_that_writes_them_is_as_important_as_the_steps_that_wait_for_it(triad, tmp_path):
    """With a lower priority it starves on a node that others use, and the steps wait with it."""
    text = start(tmp_path, "hd").read_text()
    (tmp_path / "long.toml").write_text(re.sub(r"slices_interval = .*", "slices_interval = 1e-6\nslices_points = 512", text))
    run = subprocess.Popen([triad, "run", tmp_path / "long.toml", "--dir", tmp_path / "run", "--set", "output.disk_check=warn"], stdout=subprocess.DEVNULL,
                           env={**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    seen, steps = set(), set()
    while run.poll() is None and not any(policy == os.SCHED_BATCH for policy, _nice in seen):
        for task in Path(f"/proc/{run.pid}/task").glob("*/stat"):
            try:  # from behind the name, in brackets: fields 3, 4, ..
                fields = task.read_text().rsplit(")", 1)[1].split()
                seen.add((int(fields[38]), int(fields[16])))
                if task.parent.name == str(run.pid):
                    steps.add(int(fields[16]))
            except (OSError, IndexError):
                pass
    run.kill()
    run.wait()
    # the tests themselves may run at a lower priority
    assert len(steps) == 1 and {nice for policy, nice in seen if policy == os.SCHED_BATCH} == steps, seen
    assert all(nice <= max(steps) for _policy, nice in seen), seen


def test_info_tells_of_slices_and_pictures(triad, mpirun, flow, tmp_path):
    run, kind, _ = flow
    number, name = 2, SETS[kind][3][0]
    out = mpirun(1, triad, "info", run / f"slices/slice{number}-00000001.h5", expect=0).stdout
    assert "(z, y) on the plane x = 3.14159" in out and name in out
    picture = run / f"slices/slice{number}-{name}-00000001.png"
    out = mpirun(1, triad, "info", picture, expect=0).stdout
    assert "a picture of a slice" in out and "Range" in out
    assert "slices       12 files" in mpirun(1, triad, "info", run, expect=0).stdout
    data = bytearray(picture.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "bad.png").write_bytes(data)
    assert "damaged" in mpirun(1, triad, "info", tmp_path / "bad.png", expect=65).stderr
    copy = tmp_path / f"slice{number}-00000007.h5"
    copy.write_bytes((run / f"slices/slice{number}-00000001.h5").read_bytes())
    assert "the file name says step 7" in mpirun(1, triad, "info", copy, expect=65).stdout


def test_memory_and_disk_are_told_beforehand(triad, mpirun, tmp_path):
    case = start(tmp_path, "hd")
    out = mpirun(1, triad, "case", "--check", case, "--set", "output.structure_functions=log", expect=0).stdout
    assert re.search(r"\n +slices +\S+ [kM]B +planes and pictures", out) and re.search(r"\n +lines +\S+ [kM]B", out)
    told = re.search(r"a set of slices +(\S+) ([kM])B +3 planned", out)
    assert told, out
    mpirun(1, triad, "run", case, "--dir", tmp_path / "run", expect=0)
    real = sum(p.stat().st_size for p in (tmp_path / "run/slices").iterdir()) / 3
    most = float(told[1]) * {"k": 1e3, "M": 1e6}[told[2]]
    assert real <= most
    without = mpirun(1, triad, "case", "--check", case, "--set", "output.slices=[]", expect=0).stdout
    assert "slices" not in without and "lines" not in without


@pytest.mark.parametrize("slices, words", [
    ('["z=0", "q=1"]', 'case.toml:21:18: error: output.slices: value 2 of 2: "q=1" is not a plane'),
    ('["z=0: vorticty"]', 'did you mean "vorticity"?'),
    ('["z=0: theta"]', '"theta" is not a quantity of solver hd, only of boussinesq'),
    ('["z=one"]', '"one" is not a coordinate'),
    ('["z=0: u, u"]', "u is repeated"),
    ('["z=0:"]', '"" is not a quantity'),
    ('[0]', "expected text, found the integer 0"),
    ('["z=0: scalar2"]', "this case has no field scalar2"),
])
def test_wrong_slices_are_told_in_their_place(triad, mpirun, tmp_path, slices, words):
    case = start(tmp_path, "hd")
    text = re.sub(r"slices = .*", "slices = " + slices, case.read_text())
    case.write_text(text)
    result = mpirun(1, triad, "case", "--check", case, expect=65)
    assert words in result.stderr, result.stderr
    assert len([line for line in result.stderr.splitlines() if "error:" in line or "triad:" in line]) == 1


# ---- output.slices_points ----

def refined(values, n):
    """Periodic samples of a sum of modes on n points along each axis, by numpy: the spectrum with zeros beyond it. Dealiased
    fields have no Nyquist modes."""
    c = np.fft.fft2(values) / values.size
    out = np.zeros(n, complex)
    for p in range(values.shape[0]):
        for q in range(values.shape[1]):
            i, j = (m - size if 2 * m > size else m for m, size in zip((p, q), values.shape))
            out[i, j] = c[p, q]
    return np.fft.ifft2(out).real * out.size


def test_finer_slices_are_the_same_fields_between_the_points(triad, launcher, tmp_path):
    names = ["u", "w", "theta", "vorticity_y"]
    for points, folder in ((0, "plain"), (54, "fine")):
        case = start(tmp_path, "boussinesq", slices=[f"{plane}: {', '.join(names)}, vorticity" for plane, _, _ in PLANES])
        launcher(2, triad, "run", case, "--dir", tmp_path / folder, "--set", f"output.slices_points={points}", expect=0)
    for number, (_plane, axis, _index) in enumerate(PLANES, 1):
        name = f"slice{number}-00000002.h5"
        with h5py.File(tmp_path / "plain/slices" / name) as plain, h5py.File(tmp_path / "fine/slices" / name) as fine:
            n = tuple(3 * N[i] for i in (2, 1, 0) if i != axis)
            for quantity in names:
                assert fine[quantity].shape == n and fine[quantity].attrs["units"] == plain[quantity].attrs["units"]
                want = refined(plain[quantity][:], n)
                # the same sums of some hundred modes in another order
                assert np.abs(fine[quantity][:] - want).max() < 1e-13 * np.abs(want).max() * 18 * 15
            np.testing.assert_allclose(fine["vorticity"][::3, ::3], plain["vorticity"][:], atol=1e-12)
            assert fine["y" if axis != 1 else "x"].shape[0] in n
    assert len({p.name for p in (tmp_path / "fine/slices").glob("*.png")}) >= 4 * 5


def test_finer_slices_want_modes_that_are_known_between_points(triad, launcher, tmp_path):
    said = launcher(1, triad, "case", "--check", start(tmp_path, "hd", truncation="none"), "--set", "output.slices_points=64",
                    expect=65)
    assert "output.slices_points" in said.stderr + said.stdout
