"""Whole runs that begin from fields in a file: of a user, of another run, of another grid; files that are none."""

import subprocess

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets
from smallrun import CASE, LENGTH, SMALL, coefficients, grid_wavenumbers, small


def write_user_field(path, n=(20, 15, 24), seed=5, **options):
    """u, v, w as (z, y, x), smooth enough to be resolved, with a mean flow and a part that is not solenoidal."""
    generator = np.random.default_rng(seed)
    z, y, x = np.meshgrid(*(2 * np.pi * np.arange(m) / m for m in n), indexing="ij")
    fields = {}
    for name in outputs.FIELDS:
        value = np.full(n, generator.normal())
        for _ in range(6):
            k = generator.integers(-3, 4, 3)
            value = value + generator.normal() * np.cos(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6))
        fields[name] = value
    with h5py.File(path, "w") as f:
        for name, value in fields.items():
            f.create_dataset(name, data=value, **options)
    return fields


def expected_modes(fields, m, length):
    """Modes of a field from a file on a checkpoint's grid: carried over, made solenoidal, without the mean."""
    c = {f: coefficients(v, m) for f, v in fields.items()}
    n = fields["u"].shape
    # modes beyond the file's own grid, its Nyquist ones included, are zero
    held = (2 * abs(m["kx"])[:, None] < n[2]) & (2 * abs(m["ky"])[:, None] < n[1]) & (2 * abs(m["kz"])[None, :] < n[0])
    k = grid_wavenumbers(length, m["kx"], m["ky"], m["kz"])
    k2 = k[0]**2 + k[1]**2 + k[2]**2
    with np.errstate(invalid="ignore", divide="ignore"):
        along = np.where(k2 > 0, sum(k[i] * c[f] for i, f in enumerate(outputs.FIELDS)) / k2, 0)
    kept = held & (k2 > 0)
    return {f: np.where(kept, c[f] - k[i] * along, 0) for i, f in enumerate(outputs.FIELDS)}


def inside(m):
    """Modes that the sphere truncation keeps, of the rectangle that a file has room for."""
    kmax = [(int(n) - 1) // 3 for n in m["attributes"]["n"]]
    x, y, z = m["kx"][:, None] / kmax[0], m["ky"][:, None] / kmax[1], m["kz"][None, :] / kmax[2]
    return x**2 + y**2 + z**2 <= 1 + 1e-12


@pytest.mark.parametrize("n, options, tolerance", [
    ((20, 15, 24), {}, 1e-14),
    ((20, 15, 24), {"compression": "gzip", "chunks": (7, 4, 5), "shuffle": True}, 1e-14),
    ((18, 12, 16), {"dtype": "f4"}, 1e-6),  # the grid's own size
    ((9, 11, 10), {"dtype": ">f8", "chunks": (2, 11, 10)}, 1e-14),
], ids=["larger", "chunked-and-compressed", "single", "smaller-big-endian"])
def test_field_from_a_file_has_its_modes(mpirun, triad, tmp_path, n, options, tolerance):
    fields = write_user_field(tmp_path / "ic.h5", n, **options)
    result = mpirun(3, triad, "run", CASE, "--dir", tmp_path / "run", *SMALL,
                    *sets(initial__kind="file", initial__file=str(tmp_path / "ic.h5"), time__end=0.0),
                    timeout=60, expect=0)
    m = outputs.modes(tmp_path / "run")
    want = expected_modes(fields, m, LENGTH)
    size = max(abs(v).max() for v in want.values())
    assert size > 0.1
    for name in outputs.FIELDS:
        np.testing.assert_allclose(m[name], np.where(inside(m), want[name], 0), atol=tolerance * size * 10, rtol=0)
    said = result.stdout + result.stderr
    assert "not divergence-free" in said and "mean flow" in said, said


def test_field_from_a_file_is_the_same_on_any_ranks(mpirun, triad, tmp_path):
    write_user_field(tmp_path / "ic.h5")
    for ranks in (1, 4):
        mpirun(ranks, triad, "run", CASE, "--dir", tmp_path / str(ranks), "-q", *SMALL,
               *sets(initial__kind="file", initial__file=str(tmp_path / "ic.h5"), time__end=0.0), timeout=60, expect=0)
    assert outputs.same_bits(tmp_path / "1", tmp_path / "4")


def test_file_stands_beside_the_case_that_names_it(mpirun, triad, tmp_path):
    write_user_field(tmp_path / "ic.h5")
    text = CASE.read_text().replace('kind = "taylor-green"', 'kind = "file"\nfile = "ic.h5"')
    (tmp_path / "case.toml").write_text(text)
    mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run",
           *sets(grid__n=[16, 16, 16], time__end=0.0),
           timeout=60, expect=0)


def test_fields_written_by_a_run_start_another(small, mpirun, triad, rundir):
    run, _ = small
    fields = sorted((run / "fields").glob("fields-*.h5"))[-1]
    mpirun(2, triad, "run", CASE, "--dir", rundir, "-q", *SMALL,
           *sets(initial__kind="file", initial__file=str(fields), time__end=0.0), timeout=60, expect=0)
    assert outputs.distance(rundir, run) < 1e-14


def break_field(tmp_path, how):
    path = tmp_path / "ic.h5"
    fields = write_user_field(path)
    with h5py.File(path, "a") as f:
        if how == "names":
            f.move("v", "velocity_y")
        if how == "sizes":
            del f["w"]
            f["w"] = fields["w"][:, :, :-1]
        if how == "rank":
            del f["w"]
            f["w"] = fields["w"].ravel()
        if how == "nan":
            f["u"][3, 4, 5] = np.nan
        if how == "text":
            del f["w"]
            f["w"] = np.full((20, 15, 24), b"no")
    if how == "garbage":
        path.write_bytes(b"these are no fields" * 1000)
    if how == "truncated":
        path.write_bytes(path.read_bytes()[:20000])
    return path


@pytest.mark.parametrize("how, words", [
    ("names", ["v", "velocity_y"]), ("sizes", ["w"]), ("rank", ["w", "three"]), 
    ("nan", ["nan", "(3, 4, 5)"]), ("text", ["w"]),
    ("garbage", ["ic.h5"]), ("truncated", ["ic.h5"]),
])
def test_file_that_is_no_field_is_refused(mpirun, launcher, triad, tmp_path, how, words):
    path = break_field(tmp_path, how)
    command = [triad, "run", CASE, "--dir", tmp_path / "run", *SMALL,
               *sets(initial__kind="file", initial__file=str(path))]
    if how in ("names", "nan"):
        result = mpirun(2, *command, timeout=60, expect=65)
    else:  # without mpirun, which takes its time over a failure
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, env=launcher.environment())
        assert result.returncode == 65, result
    assert all(word in result.stderr for word in words), result.stderr
    assert "HDF5-DIAG" not in result.stderr


@pytest.mark.parametrize("solver, lacks, words", [
    ("hd", ["w"], '"w"'), ("mhd", ["by"], '"by"'), ("staggered", ["v"], '"v"'), ("compressible", ["rho"], '"rho"')])
def test_a_vector_without_a_component_is_refused_and_what_is_there_is_named(mpirun, triad, tmp_path, solver, lacks, words):
    names = {"mhd": "u v w bx by bz", "compressible": "rho u v w p"}.get(solver, "u v w").split()
    with h5py.File(tmp_path / "ic.h5", "w") as f:
        for name in names:
            if name not in lacks:
                f[name] = np.ones((12, 12, 12))
    (tmp_path / "case.toml").write_text(
        f'[equations]\nsolver = "{solver}"\n' + ("" if solver == "compressible" else "viscosity = 0.1\n") +
        ("resistivity = 0.1\n" if solver == "mhd" else "") +
        '[grid]\nn = [12, 12, 12]\n[initial]\nkind = "file"\nfile = "ic.h5"\n[time]\nend = 0.1\ndt = 0.05\n')
    result = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=65)
    assert words in result.stderr and all(name in result.stderr for name in names if name not in lacks), result.stderr


def test_a_field_that_a_file_lacks_starts_from_zero_with_one_warning(mpirun, triad, tmp_path):
    z, y, x = np.meshgrid(*[2 * np.pi * np.arange(12) / 12] * 3, indexing="ij")
    with h5py.File(tmp_path / "ic.h5", "w") as f:
        f["u"], f["v"], f["w"] = np.sin(y), np.sin(z), np.sin(x)
    (tmp_path / "case.toml").write_text(
        '[equations]\nsolver = "boussinesq"\nviscosity = 0.1\ndiffusivity = 0.1\nbuoyancy_frequency = 1.0\nscalars = [0.1]\n'
        '[grid]\nn = [12, 12, 12]\n[initial]\nkind = "file"\nfile = "ic.h5"\n[time]\nend = 0\n')
    result = mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    warned = [line for line in (result.stdout + result.stderr).splitlines() if "has no theta, scalar1" in line]
    assert len(warned) == 1 and "warning" in warned[0], result
    m = outputs.modes(tmp_path / "run")
    assert not m["theta"].any() and not m["scalar1"].any() and abs(outputs.energy(m) - 0.75) < 1e-14


def test_checkpoint_of_another_grid_gives_its_modes(small, mpirun, triad, tmp_path):
    run, _ = small
    source = outputs.modes(run)
    # finer, coarser, and finer in one direction only
    for n in ([24, 20, 30], [10, 9, 12], [32, 9, 18]):
        target = tmp_path / "-".join(map(str, n))
        mpirun(3, triad, "run", CASE, "--dir", target, *SMALL,
               *sets(initial__kind="checkpoint", initial__file=str(run), grid__n=n, time__end=0.0),
               timeout=60, expect=0)
        m = outputs.modes(target)
        assert m["attributes"]["t"] == 0 and m["attributes"]["step"] == 0
        for f in outputs.FIELDS:
            ours, theirs = outputs.by_wavenumber(m, f), outputs.by_wavenumber(source, f)
            kmax = [(k - 1) // 3 for k in n]
            fits = {k: v for k, v in theirs.items() if sum((a / b)**2 for a, b in zip(k, kmax)) <= 1 + 1e-12}
            assert len(fits) > 20 and set(ours) <= set(fits)
            # projecting what is solenoidal already changes the last bits at most
            np.testing.assert_allclose([ours.get(k, 0) for k in fits], list(fits.values()), atol=1e-15, rtol=0)


def test_checkpoint_folder_itself_can_be_named(small, mpirun, triad, rundir):
    run, _ = small
    first = outputs.checkpoints(run)[0]
    mpirun(1, triad, "run", CASE, "--dir", rundir, "-q", *SMALL,
           *sets(initial__kind="checkpoint", initial__file=str(first), time__end=0.0), timeout=60, expect=0)
    m, source = outputs.modes(rundir), outputs.modes(first)
    np.testing.assert_allclose(m["u"], source["u"], atol=1e-15, rtol=0)
