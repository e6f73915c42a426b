"""What `make install` puts where, and that a program of someone else's builds against it."""

import os
import shlex
import subprocess
import sys

import pytest

from conftest import BUILD, ROOT

PREFIX = "/opt/triad here"  # with a space, to see that paths are quoted
VERSION = (ROOT / "VERSION").read_text().strip()


def make(*arguments):
    env = dict(os.environ)
    # variables that `make check` was given go on to this make, its job server does not
    given = env.pop("MAKEFLAGS", "").partition(" -- ")[2]
    env.pop("MFLAGS", None)
    if given:
        env["MAKEFLAGS"] = " -- " + given
    done = subprocess.run(["make", "--no-print-directory", *arguments], cwd=ROOT, env=env, capture_output=True,
                          text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def installed(triad, tmp_path):
    destination = tmp_path / "staging area"
    make("install", f"DESTDIR={destination}", f"PREFIX={PREFIX}")
    yield destination, destination / PREFIX.lstrip("/")
    make("uninstall", f"DESTDIR={destination}", f"PREFIX={PREFIX}")
    left = [p for p in destination.rglob("*") if not p.is_dir()]
    assert left == []


def test_program_library_and_cases_are_installed(installed):
    _, top = installed
    assert os.access(top / "bin/triad", os.X_OK)
    assert (top / "lib/libtriad.a").is_file()
    if "sanitize" not in str(BUILD):
        assert (top / "lib/libtriad.so").resolve().name == f"libtriad.so.{VERSION}"
    if (ROOT / "fft/public/triad.h").exists():
        assert (top / "include/triad.h").read_bytes() == (ROOT / "fft/public/triad.h").read_bytes()
    cases = {p.relative_to(ROOT / "runs") for p in (ROOT / "runs").glob("*/case.toml")}
    assert cases
    for case in cases:
        assert (top / "share/triad/runs" / case).read_bytes() == (ROOT / "runs" / case).read_bytes()


def test_figures_and_reports_work_where_they_are_installed(installed, tmp_path):
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    _, top = installed
    (tmp_path / "run").mkdir()
    (tmp_path / "run/series.csv").write_text("step,t,dt,energy\n0,0,0,1\n1,1,1,0.5\n")
    (tmp_path / "linked").symlink_to(top / "bin/triad-plot")
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    for command in ([tmp_path / "linked", "energy", tmp_path / "run"], [top / "bin/triad", "report", tmp_path / "run"]):
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "run/figures/energy.svg").is_file() and (tmp_path / "run/report.html").is_file()


def test_the_python_package_works_where_it_is_installed(installed, tmp_path):
    _, top = installed
    if "sanitize" in str(BUILD):
        pytest.skip("a sanitized tree has no shared library")
    env = dict(os.environ, PYTHONPATH=str(top / "share/triad"), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, "-c", "import triad; print(triad.__version__); triad.open"], env=env, cwd=tmp_path,
                          capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == VERSION, done.stderr
    assert (top / "include/triad_drive.h").is_file()


def test_pkg_config_leads_to_the_library(installed, tmp_path):
    destination, top = installed
    text = (top / "lib/pkgconfig/triad.pc").read_text()
    assert str(destination) not in text and "@" not in text
    env = dict(os.environ, PKG_CONFIG_PATH=str(top / "lib/pkgconfig"))

    def ask(*what):
        return subprocess.run([os.environ.get("PKG_CONFIG", "pkg-config"), f"--define-variable=prefix={top}", *what,
                               "triad"], env=env, capture_output=True, text=True, check=True).stdout.strip()

    assert ask("--modversion") == VERSION
    if not (top / "include/triad.h").exists() or "sanitize" in str(BUILD):
        return
    source = tmp_path / "user.c"
    source.write_text("#include <triad.h>\nint main(void) { return 0; }\n")
    cc = shlex.split(os.environ.get("MPICC", "mpicc"))
    flags = [*shlex.split(ask("--cflags")), "-Wall", "-Wextra", "-Werror"]
    # the archive as a whole needs every library that any of its objects does
    words = shlex.split(ask("--libs", "--static"))
    at = words.index("-ltriad")
    whole = [*words[:at], "-Wl,--whole-archive", "-l:libtriad.a", "-Wl,--no-whole-archive", *words[at + 1:]]
    for link in (shlex.split(ask("--libs")), whole):
        built = subprocess.run([*cc, *flags, "-o", tmp_path / "user", source, *link], capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        env["LD_LIBRARY_PATH"] = str(top / "lib")
        assert subprocess.run([tmp_path / "user"], env=env).returncode == 0


def test_version_is_the_same_wherever_it_is_written():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{'Unreleased' if VERSION.endswith('-dev') else VERSION}]" in (ROOT / "CHANGELOG.md").read_text()
    assert make("print-config").splitlines()[0].split() == ["version", VERSION]
