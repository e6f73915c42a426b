"""Commands that look at files: no MPI, no daemon, readers that leave, full disks; what to cite."""

import contextlib
import json
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from commands import CASE, SMALL
from conftest import ROOT
from waiting import wait_for


# ---- what needs no MPI, and what one process needs of it ----

@pytest.fixture(scope="module")
def short_run(triad, launcher, tmp_path_factory):
    folder = tmp_path_factory.mktemp("short") / "run"
    assert launcher(1, triad, "run", CASE, "--dir", folder, *SMALL).code == 0
    return folder


@pytest.mark.parametrize("arguments", [["case", CASE], ["info", "RUN"], ["pack", "RUN"], ["stop", "RUN"], ["help"],
                                       ["info", CASE]], ids=lambda a: a[0])
def test_what_only_looks_at_files_starts_no_mpi(command, launcher, short_run, arguments):
    if not launcher.is_open_mpi:
        pytest.skip("needs Open MPI: its settings can make MPI_Init fail")
    no_mpi = {"OMPI_MCA_pml": "none-such"}
    assert command("run", CASE, "--dir", "refused", *SMALL, env=no_mpi).returncode != 0
    assert not (command.work / "refused").exists()
    result = command(*(short_run if a == "RUN" else a for a in arguments), env=no_mpi, expect=0)
    assert result.stderr == ""


def test_only_the_first_of_several_ranks_looks(mpirun, triad, short_run):
    out = mpirun(3, triad, "info", short_run / "series.csv", timeout=30, expect=0).stdout
    assert out.count("series.csv") == 1
    assert mpirun(2, triad, "info", "no-such-file", timeout=30, expect=66).stderr.count("no such file") == 1


def children_of(pid):
    found = []
    for p in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # other processes come and go
            found += [int(p.name)] * ((p / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(pid))
    return found


def test_one_process_starts_no_daemon(triad, launcher, tmp_path):
    """Without a launcher Open MPI would start one, orted, for a process that talks to nobody."""
    process = subprocess.Popen([triad, "run", CASE, "--dir", tmp_path / "run", "--set", "time.end=1000", "-q"],
                               env=launcher.environment(), cwd=tmp_path, start_new_session=True)
    try:
        wait_for((tmp_path / "run/series.csv").exists, "series", process)
        assert children_of(process.pid) == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("verb", ["info", "spectra", "case", "help"])
def test_a_reader_that_leaves_is_no_failure(triad, launcher, short_run, tmp_path, verb):
    """As head does; the pipe is closed before the first line."""
    what = {"info": [short_run, *[short_run / "series.csv"] * 40], "spectra": [short_run], "case": [CASE], "help": []}
    process = subprocess.Popen([triad, verb, *what[verb]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=launcher.environment(), cwd=tmp_path)
    process.stdout.close()
    complaint = process.stderr.read()
    assert complaint == "" and process.wait() in (0, -signal.SIGPIPE)  # what ends cat, too


def test_a_disk_that_is_full_is_a_failure(triad, launcher, short_run):
    with open("/dev/full", "w") as full:
        for arguments in (["info", short_run], ["case", CASE], ["spectra", short_run]):
            done = subprocess.run([triad, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=launcher.environment())
            assert done.returncode == 74 and "standard output" in done.stderr, arguments


# ---- what to cite ----

def cited(command, *arguments):
    """{name of an entry: {field: value}}; braces must match."""
    text = command("cite", *arguments, expect=0).stdout
    entries = {}
    for entry in re.findall(r"^@\w+\{.*?^\}$", text, re.M | re.S):
        assert entry.count("{") == entry.count("}")
        entries[re.match(r"@\w+\{(\w+),", entry)[1]] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))
    assert text.count("@") == len(entries)
    return entries


def test_cite_names_the_code_the_methods_and_the_libraries(command, short_run):
    entries = cited(command)
    assert entries["Triad"]["version"] == (ROOT / "VERSION").read_text().strip() and {"FFTW", "HDF5"} < set(entries)
    assert "Orszag1971" not in entries
    entries = cited(command, short_run)
    told = json.loads(re.search(r'"commit": ("[^"]*")', (short_run / "provenance.json").read_text())[1])
    assert entries["Triad"]["note"] == f"commit {told}" and {"Orszag1971", "Williamson1980"} < set(entries)
    assert all({"author", "title"} < set(entry) for entry in entries.values())


@pytest.mark.parametrize("case, setting, there, absent", [
    ("sod", "", "Borges2008", "JiangShu1996"), ("sod", 'weights = "teno"', "Fu2016", "Borges2008"),
    ("sod", 'compatibility = "weno5-js-component"', "JiangShu1996", "Borges2008"),
    ("sod", "positivity = true", "Hu2013", "Fu2016"), ("sod", 'flux = "central"', "Pirozzoli2010", "Roe1981"),
    ("gpe-waves", "", "Nore1997", "Borges2008"), ("lid-driven-cavity", "", "HarlowWelch1965", "Orszag1971"),
    ("sod-tets", "", "Zalesak1979", "BarthJespersen1989"), ("sod-tets", 'transport = "low"', "BorisBook1973", "Zalesak1979"),
    ("wedge-tets", "", "BarthJespersen1989", "Haider2009")])
def test_cite_follows_the_case(command, tmp_path, case, setting, there, absent):
    text = (ROOT / f"runs/{case}/case.toml").read_text()
    text = re.sub(r"^(weights|reconstruction|entropy_fix|riemann) = .*\n", "", text, flags=re.M)
    text = text.replace("[equations]\n", f"[equations]\n{setting}\n")
    (tmp_path / "case.toml").write_text(text)
    entries = cited(command, tmp_path / "case.toml")
    assert there in entries and absent not in entries


def test_a_damaged_provenance_is_no_harm_to_cite(command, short_run, tmp_path):
    shutil.copytree(short_run, tmp_path / "run")
    (tmp_path / "run/provenance.json").write_bytes(b'{"version": "1}, \\x00 "commit": "{\xff"')
    assert "Triad" in cited(command, tmp_path / "run")


@pytest.mark.parametrize("words", (["help", "help"], ["help", "--help"], ["--help"], ["help"]))
def test_help_explains_itself(triad, words):
    done = subprocess.run([triad, *words], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("Usage: triad COMMAND") and done.stderr == "", done


def test_keys_without_a_name_lists_the_tables(command):
    """Each table of the reference page, with the number of its keys; what it lists, --keys explains."""
    listed = re.findall(r"^(\S+) +(\d+) keys?$", command("case", "--keys", expect=0).stdout, re.M)
    reference = (ROOT / "docs" / "case.md").read_text()
    tables = re.findall(r"^## \[+([\w.]+)\]+", reference, re.M)
    assert sorted(name for name, _ in listed) == sorted(set(tables))
    for name, number in listed:
        keys = set(re.findall(rf"^{re.escape(name)}\.(\S+)$", command("case", "--keys", name, expect=0).stdout, re.M))
        assert len(keys) == int(number), name
    assert "requires a value" in command("case", "--keys=", expect=64).stderr
