"""tools/deps and tools/demo as a newcomer meets them. Stand-ins answer for the package manager: nothing is installed here."""

import os
import shlex
import shutil
import subprocess

import pytest

from conftest import ROOT, end_session

# a machine on which `installed` lists the packages that dpkg knows, and apt-get adds to it, or fails as FAIL says
STAND_INS = {
    "dpkg-query": 'for last; do :; done\n'  # of one package its status, of many a word for each that is there
                  'case "$*" in *Package*) while read -r p; do printf "%s:installed " "$p"; done <"$DESK/installed" ;;\n'
                  '*) grep -qx "$last" "$DESK/installed" && echo "install ok installed" ;; esac',
    "apt-get": 'echo "$*" >>"$DESK/asked"\n[ -z "$FAIL" ] || { echo "$FAIL"; exit 100; }\n'
               'case " $* " in *" install "*) for p; do case $p in -* | install) ;; *) echo "$p" >>"$DESK/installed" ;; esac; done ;; esac',
    "apt-cache": "exit 0",
    "id": 'echo "$NUMBER"',
    "sudo": "exit 1",
    "sleep": "exit 0",
    "make": "exit 1",  # `make probe` finds nothing
}


@pytest.fixture
def deps(tmp_path):
    shims = tmp_path / "shims"
    shims.mkdir()
    for name, text in STAND_INS.items():
        (shims / name).write_text(f"#!/bin/sh\n{text}\n")
        (shims / name).chmod(0o755)
    tools = tmp_path / "tools"
    tools.mkdir()
    shutil.copy(ROOT / "tools/deps", tools)
    (tools / "python").write_text("#!/bin/sh\nexit 69\n")  # finds no module that was installed in another way
    (tools / "python").chmod(0o755)
    (tmp_path / "installed").touch()
    (tmp_path / "asked").touch()

    def call(*words, number=0, fail="", installed=()):
        (tmp_path / "installed").write_text("".join(f"{p}\n" for p in installed))
        env = {**os.environ, "DESK": str(tmp_path), "NUMBER": str(number), "FAIL": fail,
               "PATH": f"{shims}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
        done = subprocess.run([tools / "deps", *words], env=env, capture_output=True, text=True, timeout=60)
        return done, (tmp_path / "asked").read_text()

    return call


@pytest.fixture
def packages():
    listed = subprocess.run([ROOT / "tools/deps", "--list"], capture_output=True, text=True, timeout=20, check=True).stdout.split()
    assert len(listed) > 12
    return listed


def test_deps_says_nothing_where_all_is_there(deps, packages):
    done, asked = deps(installed=packages)
    assert (done.returncode, done.stdout, done.stderr, asked) == (0, "", "", "")


def test_deps_brings_no_more_than_was_asked_for():
    """To build and run takes neither Python nor what tests need: matplotlib alone is half of all packages."""
    def listed(*words):
        return set(subprocess.run([ROOT / "tools/deps", "--list", *words], capture_output=True, text=True, timeout=20, check=True).stdout.split())

    build, figures, check, tests = (listed(*words) for words in ([], ["--figures"], ["--check"], ["--tests"]))
    assert not [name for name in build if "python" in name or "cmocka" in name]
    assert build < figures < check < tests
    assert figures - build == {"python3", "python3-numpy", "python3-h5py", "python3-matplotlib", "libmicrohttpd-dev"}
    assert listed("--mpich") ^ build == {"libopenmpi-dev", "openmpi-bin", "libmpich-dev", "mpich"}


def test_deps_installs_what_is_missing_and_nothing_else(deps, packages):
    done, asked = deps(installed=packages[2:])
    assert done.returncode == 0, done.stderr
    installs = [line.split() for line in asked.splitlines() if " install " in line]
    assert len(installs) == 1 and "-y" in installs[0]
    assert [word for word in installs[0] if word in packages] == packages[:2]


def test_deps_without_root_prints_the_line_to_type(deps, packages):
    done, asked = deps(number=1000, installed=packages[1:])
    assert done.returncode == 69 and asked == ""
    assert f"apt-get install -y --no-install-recommends {packages[0]}" in done.stdout


@pytest.mark.parametrize("said, told", [("Err: Could not resolve 'somewhere'", "DNS"),
                                        ("E: Unable to locate package libfftw3-dev", "universe"),
                                        ("E: Could not get lock /var/lib/dpkg/lock", "another package manager"),
                                        ("E: You don't have enough free space", "disk is full")])
def test_deps_tells_why_it_failed(deps, packages, said, told):
    done, _ = deps(fail=said, installed=packages[1:])
    assert done.returncode == 69 and told in done.stderr and packages[0] in done.stderr


@pytest.mark.parametrize("there", [[], ["python3-vtk9"]], ids=["no-vtk", "another-vtk"])
def test_deps_for_tests_never_pushes_another_vtk_out(deps, packages, there):
    done, asked = deps("--tests", installed=[*packages, *there])
    assert done.returncode == 0, done.stderr
    assert "python3-xarray" in asked and ("python3-paraview" in asked) == (not there)


@pytest.mark.limit(300)
def test_demo_ends_with_a_picture_of_the_run(tmp_path, triad, launcher):
    """The whole of tools/demo, on a small grid and for a short time."""
    if triad != ROOT / "bin/triad":
        pytest.skip("another build than the one that tools/demo makes")
    mpirun, *options = shlex.split(launcher.mpirun)
    shim = tmp_path / "mpirun"
    shim.write_text(f'#!/bin/sh\ncase $1 in --version) exec {shutil.which(mpirun)} --version ;; esac\n'
                    f'exec {shutil.which(mpirun)} {shlex.join(options)} "$@" --set grid.n=[16,16,16] --set time.end=0.5\n')
    shim.chmod(0o755)
    env = {k: v for k, v in launcher.environment(1).items() if not k.startswith("MAKE")}
    process = subprocess.Popen([ROOT / "tools/demo", "here"], cwd=tmp_path, env={**env, "MPIRUN": str(shim)},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    try:
        said = process.communicate(timeout=250)[0]
    finally:
        end_session(process)
    assert process.returncode == 0, said
    assert "Peak dissipation" in said and "series.csv" in said
    assert (tmp_path / "here/series.csv").is_file() and (tmp_path / "here/spectra").is_dir()
