"""`triad archive`: what it holds, that its figures and bits come again, that damage is found; `triad diff`: how runs differ."""

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.parse
import zipfile

import h5py
import numpy as np
import pytest

import every_solver
from every_solver import runs  # noqa: F401
from conftest import ROOT
from looks import plot_here
from outputs import sets

AUTHOR = ("--author", "Lovelace, Ada; 0000-0002-1825-0097; Analytical Engines")


@pytest.fixture(scope="module")
def call(launcher, triad):
    """call(words, ..): what triad prints."""
    def go(*words, expect=0, cwd=None, **env):
        done = subprocess.run([triad, *map(str, words)], capture_output=True, text=True, timeout=100, cwd=cwd, env={**launcher.environment(), **env})
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done
    return go


@pytest.fixture(scope="module")
def archive(call, runs, tmp_path_factory):
    """An archive of hd, in a folder."""
    out = tmp_path_factory.mktemp("archive") / "hd-archive"
    call("archive", runs("hd"), "-o", out, *AUTHOR, "--with", "slices,particles,checkpoint", SOURCE_DATE_EPOCH="1700000000")
    return out


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- what it holds ----

def test_every_file_has_its_checksum_and_a_description(archive):
    files = files_of(archive)
    lines = dict(line.split("  ")[::-1] for line in files["manifest-sha256.txt"].decode().splitlines())
    assert lines == {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "manifest-sha256.txt"}
    graph = {item["@id"]: item for item in json.loads(files["ro-crate-metadata.json"])["@graph"]}
    for name, data in files.items():
        if name in ("ro-crate-metadata.json", "manifest-sha256.txt"):
            continue
        item = graph[urllib.parse.quote(name)]
        assert item["@type"] == "File" and item["contentSize"] == str(len(data)) and item["sha256"] == hashlib.sha256(data).hexdigest()
    done = subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "manifest-sha256.txt"], cwd=archive, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_metadata_are_a_valid_crate(archive):
    """By the rules of RO-Crate 1.1: sections Root Data Entity, Data Entities, Contextual Entities."""
    crate = json.loads((archive / "ro-crate-metadata.json").read_text())
    assert crate["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    assert all("@id" in item and "@type" in item for item in crate["@graph"])
    graph = {item["@id"]: item for item in crate["@graph"]}
    assert len(graph) == len(crate["@graph"])                       # one entity an identifier
    descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
    assert descriptor["@type"] == "CreativeWork" and descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert root["@type"] == "Dataset" and root["datePublished"] == "2023-11-14"
    assert root["name"] and root["description"] and graph[root["license"]["@id"]]["@type"] == "CreativeWork"
    assert all((archive / urllib.parse.unquote(part["@id"])).is_file() for part in root["hasPart"])

    def references(value):
        if isinstance(value, dict):
            yield from [value["@id"]] if set(value) == {"@id"} else (r for v in value.values() for r in references(v))
        elif isinstance(value, list):
            assert len(value) != 1, "a list of one is written as the one"
            yield from (r for v in value for r in references(v))
    named = {r for item in crate["@graph"] for key, value in item.items() for r in references(value)}
    assert named - {"https://w3id.org/ro/crate/1.1"} <= set(graph), named - set(graph)
    person = graph["https://orcid.org/0000-0002-1825-0097"]
    assert person["@type"] == "Person" and person["name"] == "Ada Lovelace" and graph[person["affiliation"]["@id"]]["@type"] == "Organization"
    assert not any("\\" in key or key.startswith(("/", "file:")) for key in graph)


def test_citation_has_what_its_format_requires(archive):
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((archive / "CITATION.cff").read_text())
    assert found["cff-version"] == "1.2.0" and found["type"] == "dataset" and found["message"] and found["title"]
    assert found["authors"] == [{"family-names": "Lovelace", "given-names": "Ada", "orcid": "https://orcid.org/0000-0002-1825-0097",
                                 "affiliation": "Analytical Engines"}]
    assert found["license"] == "CC-BY-4.0" and found["date-released"] == "2023-11-14"
    assert "CC-BY-4.0" in (archive / "LICENSE.txt").read_text() and "@software{Triad" in (archive / "citation.bib").read_text()


def test_packed_files_hold_the_bits_of_the_run_with_units_and_scales(archive, runs):
    compared = 0
    for path in runs("hd").rglob("*.h5"):
        packed = archive / "run" / path.relative_to(runs("hd"))
        if not packed.exists() or "checkpoints" in packed.parts:
            continue
        with h5py.File(path) as a, h5py.File(packed) as b:
            for name, item in a.items():
                if isinstance(item, h5py.Dataset):
                    compared += 1
                    assert item[()].tobytes() == b[name][()].tobytes() and item.attrs.get("units") == b[name].attrs.get("units")
                    assert [list(dim.keys()) for dim in item.dims] == [list(dim.keys()) for dim in b[name].dims], (path, name)
            assert all(np.array_equal(b.attrs[key], value) for key, value in a.attrs.items())
    assert compared > 50


@pytest.mark.parametrize("solver", every_solver.CASES)
def test_every_solver_has_an_archive_that_is_verified_and_is_the_run(call, runs, tmp_path, solver):
    out = tmp_path / "made"
    call("archive", runs(solver), "-o", out, *AUTHOR, "--fields", "all", *(["--no-figures"] if solver in ("boussinesq", "mhd") else []))
    assert "all are as manifest-sha256.txt says" in call("archive", "--verify", out).stdout
    text = call("diff", runs(solver), out / "run").stdout
    assert "case: the same" in text and re.search(r"series: the same in 1 file", text)
    assert "fields: the same in 3 files" in text or "blocks: the same in 3 files" in text, text
    assert list((out / "figures").glob("*.csv")) or solver in ("boussinesq", "mhd")


def test_commands_of_the_readme_draw_the_same_bytes(call, archive, tmp_path):
    shutil.copytree(archive, tmp_path / "moved")
    before = files_of(tmp_path / "moved")
    commands = re.findall(r"`triad-plot ([^`]*)`", before["README.md"].decode())
    assert len(commands) > 5
    shutil.rmtree(tmp_path / "moved/figures")
    for command in commands:
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/triad_plot", *command.split()], cwd=tmp_path / "moved", capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert files_of(tmp_path / "moved") == before
    call("archive", "--verify", "moved", cwd=tmp_path)


def test_the_run_comes_again_from_its_archive_with_the_same_bits(call, mpirun, triad, archive, tmp_path):
    mpirun(1, triad, "run", "-q", archive / "run/case.resolved.toml", "--dir", tmp_path / "again", expect=0)
    text = call("diff", archive / "run", tmp_path / "again").stdout
    for kind in ("series", "spectra", "particles", "slices"):
        assert re.search(rf"{kind}: the same in \d+ files?", text), text
    assert re.search(r"means \(means.h5\): .*\n  \d+ datasets: the same$", text, re.M), text


def test_an_archive_has_the_same_bytes_each_time(call, runs, tmp_path):
    for name in ("a.tar.gz", "b.tar.gz"):
        os.makedirs(tmp_path / name[0])
        call("archive", runs("hd"), "-o", tmp_path / name[0] / "x.tar.gz", *AUTHOR, "--no-figures", SOURCE_DATE_EPOCH="1700000000")
    assert (tmp_path / "a/x.tar.gz").read_bytes() == (tmp_path / "b/x.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "a/x.tar.gz") as packed:
        assert {entry.name.split("/")[0] for entry in packed} == {"x"} and all(e.uid == 0 and e.mode == 0o644 for e in packed)


@pytest.mark.parametrize("solver", ["hd", "fct", "multiblock"])
def test_rounded_fields_are_within_the_error_that_is_stated(call, runs, tmp_path, solver):
    out = tmp_path / "made"
    call("archive", runs(solver), "-o", out, *AUTHOR, "--error", "1e-3", "--no-figures")
    original = sorted(p for p in (runs(solver) / "fields").iterdir() if re.search(r"-\d+\.(h5|vtkhdf)$", p.name))[-1]
    rows = re.findall(r"^\| (run/fields/\S+) \| (\S+) \| (\S+) \| (\S+) \|$", (out / "README.md").read_text(), re.M)
    assert rows and all(path == f"run/fields/{original.name}" for path, *_ in rows)
    with h5py.File(original) as a, h5py.File(out / "run/fields" / original.name) as b:
        for _path, name, largest, rms in rows:
            x, y = a[name][()].astype(float), b[name][()].astype(float)
            scale = np.sqrt(np.mean(x**2))
            assert np.isclose(abs(x - y).max() / scale, float(largest), rtol=0.01) and float(largest) <= 1e-3
            assert np.isclose(np.sqrt(np.mean((x - y)**2)) / scale, float(rms), rtol=0.01)
            assert b[name].attrs["packed_error_largest"] <= b[name].attrs["packed_error_allowed"] == 1e-3
        for name in ("VTKHDF/Points", "x", "y"):
            if name in a:
                assert a[name][()].tobytes() == b[name][()].tobytes()
    if solver == "fct":
        assert (out / "run/fields" / original.name).stat().st_size < original.stat().st_size


def test_a_packed_mesh_is_opened_by_vtk(call, runs, tmp_path):
    from unstructured import READ_HDF, read_by_vtk
    call("archive", runs("fct"), "-o", tmp_path / "made", *AUTHOR, "--no-figures")
    path = sorted((tmp_path / "made/run/fields").glob("*.vtkhdf"))[-1]
    found = read_by_vtk(READ_HDF, "vtkmodules", path, tmp_path / "out.npz")
    with h5py.File(path) as f:
        assert np.array_equal(found["p"], f["VTKHDF/CellData/p"][:])


# ---- that damage is found ----

def change(path, at=None):
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 1
    path.write_bytes(data)


DAMAGES = {
    "a bit": (lambda d: change(d / "run/series.csv"), "run/series.csv: changed"),
    "truncated": (lambda d: (d / "run/means.h5").write_bytes((d / "run/means.h5").read_bytes()[:-100]), "run/means.h5: changed"),
    "empty": (lambda d: (d / "LICENSE.txt").write_bytes(b""), "LICENSE.txt: changed"),
    "missing": (lambda d: (d / "CITATION.cff").unlink(), "CITATION.cff: missing"),
    "added": (lambda d: (d / "run/more.txt").write_text("x"), "run/more.txt: not in manifest-sha256.txt"),
    "renamed": (lambda d: (d / "README.md").rename(d / "READ.md"), "README.md: missing"),
    "metadata": (lambda d: change(d / "ro-crate-metadata.json"), "ro-crate-metadata.json: changed"),
    "manifest": (lambda d: change(d / "manifest-sha256.txt", 3), "error"),
    "a line of the manifest": (lambda d: (d / "manifest-sha256.txt").write_text("../x\n"), "line 1 is damaged"),
    "no manifest": (lambda d: (d / "manifest-sha256.txt").unlink(), "manifest-sha256.txt is missing"),
    "a link": (lambda d: (d / "run/link").symlink_to("/etc/passwd"), "not a regular file"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_to_a_folder_is_found(call, archive, tmp_path, what):
    shutil.copytree(archive, tmp_path / "copy")
    damage, words = DAMAGES[what]
    damage(tmp_path / "copy")
    done = call("archive", "--verify", tmp_path / "copy", expect=65)
    assert words in done.stdout + done.stderr


def test_a_file_that_is_undescribed_is_found_though_its_checksum_is_right(call, archive, tmp_path):
    shutil.copytree(archive, tmp_path / "copy")
    (tmp_path / "copy/run/more.txt").write_text("x")
    with (tmp_path / "copy/manifest-sha256.txt").open("a") as file:
        file.write(hashlib.sha256(b"x").hexdigest() + "  run/more.txt\n")
    assert "run/more.txt: not described in ro-crate-metadata.json" in call("archive", "--verify", tmp_path / "copy", expect=65).stdout


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "zip"])
def test_damage_to_a_file_is_found_wherever_it_is(call, runs, tmp_path, ending):
    out = tmp_path / f"made.{ending}"
    call("archive", runs("hd"), "-o", out, *AUTHOR, "--no-figures")
    call("archive", "--verify", out)
    whole = out.read_bytes()
    for size in (0, 1, 600, len(whole) // 3, len(whole) // 2):
        out.write_bytes(whole[:size])
        assert plot_here("archive", "--verify", out).returncode == 65, size
    call("archive", "--verify", out, expect=65)
    rng = np.random.default_rng(5)
    found = 0
    for at in rng.integers(0, len(whole), 12):
        data = bytearray(whole)
        data[at] ^= 0x55
        out.write_bytes(data)
        code = plot_here("archive", "--verify", out).returncode
        assert code in (0, 65), at
        found += code == 65
    assert found >= 9, found    # the rest is padding, and times of entries


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "x/../../out.txt", "other/file"])
def test_paths_that_leave_an_archive_are_refused(call, tmp_path, name):
    import io
    with tarfile.open(tmp_path / "bad.tar", "w") as packed:
        for path in ("x/manifest-sha256.txt", name):
            entry = tarfile.TarInfo(path)
            entry.size = 1
            packed.addfile(entry, io.BytesIO(b"x"))
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        for path in ("x/manifest-sha256.txt", name):
            packed.writestr(path, "x")
    for ending in ("tar", "zip"):
        done = plot_here("archive", "--verify", tmp_path / f"bad.{ending}")
        assert done.returncode == 65 and "not a path of an archive" in done.stderr


# ---- what is refused ----

@pytest.mark.parametrize("words, code, said", [
    ((), 64, "requires its authors"),
    (("--author", "Ada Lovelace; 0000-0002-1825-0098"), 64, "check digit"),
    (("--author", "Ada Lovelace; 123"), 64, "not an ORCID"),
    (("--author", " ; 0000-0002-1825-0097"), 64, "Family, Given"),
    ((*AUTHOR, "--license", "my own/../one"), 64, "SPDX"),
    ((*AUTHOR, "--error", "2"), 64, "at least 0 and below 1"),
    ((*AUTHOR, "--fields", "some"), 64, "last, all, none"),
    ((*AUTHOR, "--with", "everything"), 64, "slices, particles, checkpoint"),
    ((*AUTHOR, "--wiht", "slices"), 64, "--help"),
    ((*AUTHOR, "more"), 64, "one run directory"),
])
def test_what_cannot_be_is_refused_and_leaves_nothing(call, runs, tmp_path, words, code, said):
    assert said in call("archive", runs("hd"), "-o", tmp_path / "out", *words, expect=code).stderr
    assert list(tmp_path.iterdir()) == []


def test_runs_that_are_damaged_or_in_use_are_refused_and_leave_nothing(call, runs, tmp_path):
    def copy(name, damage):
        shutil.copytree(runs("hd"), tmp_path / name)
        damage(tmp_path / name)
        return tmp_path / name
    newest = sorted((runs("hd") / "fields").glob("fields-*.h5"))[-1].name
    cases = [
        (copy("locked", lambda d: (d / "run.lock").write_text("x")), 74, "run.lock"),
        (copy("no-series", lambda d: (d / "series.csv").unlink()), 65, "series.csv"),
        (copy("half", lambda d: (d / "fields" / newest).write_bytes((d / "fields" / newest).read_bytes()[:3000])), 65, newest),
        (copy("means", lambda d: (d / "means.h5").write_bytes(b"junk")), 65, "means.h5"),
        (tmp_path / "nowhere", 66, "no such file"),
    ]
    for path, code, said in cases:
        assert said in call("archive", path, "-o", tmp_path / "out", *AUTHOR, expect=code).stderr
    assert not (tmp_path / "out").exists() and not [p for p in tmp_path.iterdir() if ".part" in p.name]
    (tmp_path / "there").mkdir()
    assert "exists already" in call("archive", runs("hd"), "-o", tmp_path / "there", *AUTHOR, expect=64).stderr
    assert "within the run" in call("archive", runs("hd"), "-o", runs("hd") / "inside", *AUTHOR, expect=64).stderr


def test_authors_and_licence_may_be_keys_of_the_case(call, mpirun, triad, runs, tmp_path):
    case = tmp_path / "case.toml"
    case.write_text(every_solver.toml_of("hd").replace("[output]", '[output]\nauthors = ["Curie, Marie", "Noether, Emmy; 0000-0002-1694-233X"]\n'
                                                       'license = "CC0-1.0"'))
    mpirun(1, triad, "run", "-q", case, "--dir", tmp_path / "run", expect=0)
    call("archive", tmp_path / "run", "--no-figures", "--fields", "none")
    text = (tmp_path / "run-archive/README.md").read_text()
    assert "Marie Curie; Emmy Noether (https://orcid.org/0000-0002-1694-233X)" in text and "Creative Commons Zero" in text


def test_a_python_without_packages_is_told_with_69(call, runs, tmp_path):
    bare = tmp_path / "python3"
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    done = call("diff", runs("hd"), runs("hd"), PYTHON=str(bare))
    assert "series: the same" in done.stdout       # the next one is taken


# ---- how runs differ ----

def test_diff_names_keys_bits_and_numbers(call, mpirun, triad, runs, tmp_path):
    case = runs("hd").parent / "case.toml"
    mpirun(1, triad, "run", "-q", case, "--dir", tmp_path / "b", *sets(equations__viscosity=0.07), expect=0)
    done = call("diff", runs("hd"), tmp_path / "b", expect=1)
    assert "equations.viscosity: 0.05 | 0.07" in done.stdout
    found = json.loads(call("diff", runs("hd"), tmp_path / "b", "--json", expect=1).stdout)
    assert found["case"] == {"equations.viscosity": [0.05, 0.07]}
    with h5py.File(runs("hd") / "means.h5") as a, h5py.File(tmp_path / "b/means.h5") as b:
        one = found["numbers"]["dissipation"]
        assert one["a"] == a["dissipation"][0] and one["b_error"] == b["dissipation_error"][0]
        apart = abs(b["dissipation"][0] - a["dissipation"][0]) / np.hypot(a["dissipation_error"][0], b["dissipation_error"][0])
        assert np.isclose(one["standard_errors"], apart)
    bits = {row["kind"]: row for row in found["bits"]}
    files = [sorted((d / "fields").glob("fields-*.h5"))[-1] for d in (runs("hd"), tmp_path / "b")]
    with h5py.File(files[0]) as a, h5py.File(files[1]) as b:
        off = max(abs(a[n][:] - b[n][:]).max() / max(abs(a[n][:]).max(), abs(b[n][:]).max()) for n in ("u", "v", "w", "scalar1"))
    assert bits["fields"]["in_both"] == 3 and bits["fields"]["same_bits"] == 1 and np.isclose(bits["fields"]["largest_difference"], off)


def test_runs_of_one_case_on_other_ranks_differ_by_rounding_alone(call, mpirun, triad, runs, tmp_path):
    mpirun(2, triad, "run", "-q", runs("hd").parent / "case.toml", "--dir", tmp_path / "two", expect=0)
    found = json.loads(subprocess.run([triad, "diff", runs("hd"), tmp_path / "two", "--json"], capture_output=True, text=True).stdout)
    assert found["case"] == {} and found["program"]["ranks"] == [1, 2]
    assert all(row["largest_difference"] < 1e-9 for row in found["bits"] if row["kind"] in ("fields", "spectra"))


def test_one_bit_of_one_field_is_found(call, runs, tmp_path):
    shutil.copytree(runs("hd"), tmp_path / "b")
    path = sorted((tmp_path / "b/fields").glob("fields-*.h5"))[-1]
    assert "fields: the same in 3 files" in call("diff", runs("hd"), tmp_path / "b").stdout
    with h5py.File(path, "r+") as f:
        f["v"][3, 4, 5] = np.nextafter(f["v"][3, 4, 5], 1)
    text = call("diff", runs("hd"), tmp_path / "b", expect=1).stdout
    assert "fields: 2 of 3 files the same" in text and "most in v" in text


def test_a_file_that_only_one_run_has_is_named_and_counts(call, runs, archive, tmp_path):
    shutil.copytree(runs("hd"), tmp_path / "b")
    path = sorted((tmp_path / "b/spectra").glob("*.h5"))[1]
    path.unlink()
    assert f"only in a: {path.name}" in call("diff", runs("hd"), tmp_path / "b", expect=1).stdout
    shutil.rmtree(tmp_path / "b/slices")
    assert "slices: no file in both; only in a: slice1-" in call("diff", runs("hd"), tmp_path / "b", expect=1).stdout
    shutil.copytree(archive, tmp_path / "c")
    sorted((tmp_path / "c/run/fields").glob("*.h5"))[0].unlink()
    assert "only in a: fields-" in call("diff", runs("hd"), tmp_path / "c/run").stdout      # an archive leaves files out on purpose


def test_rows_are_compared_at_the_same_time_and_files_too(call, mpirun, triad, tmp_path):
    """Half the step, so twice as many rows: the difference is of rows that share a time, far below that between rows of one number."""
    (tmp_path / "case.toml").write_text(every_solver.toml_of("hd"))
    for name, dt in (("a", 0.05), ("b", 0.025)):
        mpirun(1, triad, "run", "-q", tmp_path / "case.toml", "--dir", tmp_path / name, *sets(time__dt=dt, output__series_interval=0, particles=[]), expect=0)
    found = {row["kind"]: row for row in json.loads(call("diff", tmp_path / "a", tmp_path / "b", "--json", expect=1).stdout)["bits"]}
    a, b = (np.genfromtxt([line for line in (tmp_path / d / "series.csv").read_text().splitlines() if line[0] != "#"], delimiter=",", names=True) for d in "ab")
    assert (len(a), len(b)) == (11, 21) and "11 of 11 and 21 rows have the same t" in found["series"]["words"]
    assert max(abs(a["energy"] - b["energy"][::2])) < 1e-4 * a["energy"][0] < abs(a["energy"] - b["energy"][:11]).max() / 10
    fields = found["fields"]
    assert not fields["only_a"] and not fields["only_b"] and fields["in_both"] == 3 and 0 < fields["largest_difference"] < 1e-3


def test_means_are_compared_in_their_errors_and_numbers_without_errors_are_listed(call, runs, tmp_path):
    shutil.copytree(runs("hd"), tmp_path / "b")
    with h5py.File(tmp_path / "b/means.h5", "r+") as f:
        name = next(n for n in f if f"{n}_error" in f and f[n].shape[0] > 3 and np.isfinite(f[f"{n}_error"][:]).all() and (f[f"{n}_error"][:] > 0).any())
        at = int(np.argmax(f[f"{name}_error"][:]))
        f[name][at] += 3 * f[f"{name}_error"][at] * 2 ** 0.5
        f["energy"][0] *= 1.001
        f["energy_error"][0] = np.nan
    done = call("diff", runs("hd"), tmp_path / "b", "--json", expect=1)
    (found,) = [row for row in json.loads(done.stdout)["means"] if row["name"] == name]
    assert found["differ"] == 1 and found["standard_errors"] == pytest.approx(3, rel=1e-6)
    text = call("diff", runs("hd"), tmp_path / "b", expect=1).stdout
    assert re.search(r"^  energy: .*error unknown; 0.001 of the larger", text, re.M), text


def test_an_archive_without_citation_says_so(call, runs, tmp_path):
    """With a program that cannot cite."""
    fake = tmp_path / "triad"
    fake.write_text("#!/bin/sh\necho 'triad: error: no such run' >&2\nexit 66\n")
    fake.chmod(0o755)
    done = subprocess.run([sys.executable, "-B", ROOT / "tools/triad_plot", "archive", runs("hd"), "-o", tmp_path / "made", *AUTHOR, "--no-figures", "--fields",
                           "none", "--triad", fake], capture_output=True, text=True)
    assert done.returncode == 0 and "warning: no citation.bib: triad cite failed: triad: error: no such run" in done.stderr
    readme = (tmp_path / "made/README.md").read_text()
    assert "citation.bib has the program" not in readme and "No citation.bib" in readme
    done = subprocess.run([sys.executable, "-B", ROOT / "tools/triad_plot", "archive", runs("hd"), "-o", tmp_path / "whole", *AUTHOR, "--no-figures", "--fields",
                           "none"], capture_output=True, text=True)                # no program named: that of the tree is found
    assert done.returncode == 0 and (tmp_path / "whole/citation.bib").exists() == os.access(ROOT / "bin/triad", os.X_OK)


@pytest.mark.parametrize("words, code, said", [((), 64, "two run directories"), (("one",), 64, "two run directories"),
                                               (("nowhere", "nowhere"), 66, "no such file"), (("--wrong", "a", "b"), 64, "--help")])
def test_diff_refuses_what_is_no_pair_of_runs(call, tmp_path, words, code, said):
    assert said in call("diff", *words, expect=code, cwd=tmp_path).stderr


def test_a_damaged_file_ends_diff_with_its_name(call, runs, tmp_path):
    shutil.copytree(runs("hd"), tmp_path / "b")
    path = sorted((tmp_path / "b/spectra").glob("*.h5"))[-1]
    path.write_bytes(path.read_bytes()[:500])
    assert path.name in call("diff", runs("hd"), tmp_path / "b", expect=65).stderr


# ---- the numbers of figures ----

def test_the_table_of_a_figure_has_the_numbers_of_the_series(runs, tmp_path):
    def plot(*words, expect=0):
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/triad_plot", *map(str, words)], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == expect, done.stderr
        return done
    plot("enstrophy", runs("hd"), "-o", "z.png", "--table", "z.csv")
    lines = (tmp_path / "z.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    with open(runs("hd") / "series.csv") as file:
        series = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [float(row["y"]) for row in rows] == [float(row["enstrophy"]) for row in series]
    assert [float(row["x"]) for row in rows] == [float(row["t"]) for row in series] and any("1/T" in line for line in lines[:3])
    plot("spectrum", runs("hd"), "-o", "s.png", "--table", "s.tex")
    text = (tmp_path / "s.tex").read_text()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") >= 1 and text.count(r" \\") == 4
    assert "must be .csv or .tex" in plot("enstrophy", runs("hd"), "-o", "z.png", "--table", "z.txt", expect=64).stderr
