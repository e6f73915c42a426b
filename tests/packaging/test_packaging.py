"""Recipes for clusters: the version they name, the syntax of each as far as a tool for it is here, the archive of sources."""

import ast
import hashlib
import re
import shutil
import subprocess
import tarfile

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick

VERSION = (ROOT / "VERSION").read_text().strip()
PACKAGING = ROOT / "packaging"
SPACK = PACKAGING / "spack/spack_repo/triad"
EASYCONFIGS = sorted((PACKAGING / "easybuild").glob("Triad-*.eb"))
# libraries that a build may have or not, and the setting by which it has each
OPTIONAL = {"cgns": "CGNS_LIBS", "metis": "METIS_LIBS", "scotch": "SCOTCH_LIBS", "zfp": "ZFP_LIBS", "cuda": "CUDA_HOME"}


def read_easyconfig(text, name="recipe"):
    """An easyconfig is Python that only assigns; EasyBuild gives it some constants."""
    names = {"SYSTEM": {"name": "system", "version": "system"}}
    exec(compile(text, name, "exec"), {}, names)
    return {key: value for key, value in names.items() if key != "SYSTEM"}


def test_recipes_name_this_version():
    assert f'version("{VERSION}")' in (SPACK / "packages/triad/package.py").read_text()
    for easyconfig in EASYCONFIGS:
        assert easyconfig.name.startswith(f"Triad-{VERSION}-") and f"version = '{VERSION}'" in easyconfig.read_text()
    for module in ("triad", "triad.lua"):
        assert VERSION in (PACKAGING / "modulefiles" / module).read_text()
    assert f"version: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_one_command_gives_the_tree_another_version(tmp_path):
    for name in ("packaging", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs").mkdir()
    for name in ("VERSION", "CITATION.cff", "docs/install.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run([tmp_path / "tools/set-version", "7.8.9"], check=True, timeout=20)
    told = [p.read_text() for p in tmp_path.rglob("*") if p.is_file() and "tools" not in p.parts[len(tmp_path.parts):]]
    assert not [text for text in told if VERSION in text] and sum("7.8.9" in text for text in told) >= 8
    made = {p.name for p in (tmp_path / "packaging/easybuild").iterdir()}
    assert made == {path.name.replace(VERSION, "7.8.9") for path in EASYCONFIGS}
    assert subprocess.run([tmp_path / "tools/set-version", "7 8"], capture_output=True, timeout=20).returncode == 64


def test_spack_recipe_names_what_the_makefile_takes():
    text = (SPACK / "packages/triad/package.py").read_text()
    ast.parse(text)
    variables = set(re.findall(r"[\"']([A-Z_]+)=", text))
    assert variables > {"MPICC", "OPT", "PREFIX"}
    settings = (ROOT / "Makefile.inc").read_text() + (ROOT / "Makefile").read_text()
    for name in variables:
        assert re.search(rf"\b{name}\b", settings), f"{name} is no setting of the build"


def test_spack_repository_is_of_the_form_of_spack_1():
    """From 1.0 on a repository NAMESPACE is a folder spack_repo/NAMESPACE, tells its api, and classes of build systems come
    from the builtin repository (readthedocs: Package Repositories)."""
    told = dict(line.strip().split(": ") for line in (SPACK / "repo.yaml").read_text().splitlines()[1:])
    assert told == {"namespace": SPACK.name, "api": "v2.0"} and SPACK.parent.name == "spack_repo"
    tree = ast.parse((SPACK / "packages/triad/package.py").read_text())
    (recipe,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    brought = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) and
               node.module.startswith("spack_repo.builtin.build_systems.") for name in node.names}
    assert recipe.name == "Triad" and {base.id for base in recipe.bases} == brought


def test_commands_of_the_pages_name_files_that_there_are():
    """The version in the name of the easyconfig, and the folder of the Spack repository."""
    for page in ("docs/install.md", "packaging/README.md"):
        for path in re.findall(r"packaging/[\w./-]*\w", (ROOT / page).read_text()):
            assert (ROOT / path).exists(), f"{page}: {path}"


@pytest.mark.parametrize("library", OPTIONAL)
def test_recipes_know_each_library_that_a_build_may_have(library):
    spack = (SPACK / "packages/triad/package.py").read_text()
    assert OPTIONAL[library] in (ROOT / "Makefile.inc").read_text()
    assert f'when="+{library}"' in spack and (library == "cuda" or f'variant("{library}"' in spack)
    for easyconfig in EASYCONFIGS:
        if library != "cuda" or "CUDA" in easyconfig.name:
            assert OPTIONAL[library] in easyconfig.read_text(), easyconfig.name


def test_recipes_describe_every_family_of_solvers():
    words = {"spectral": "pseudospectral", "compressible": "compressible", "staggered": "staggered", "multiblock": "curvilinear blocks",
             "unstructured": "unstructured meshes"}
    families = set(re.findall(r"X\((\w+)\)", (ROOT / "solvers/list.h").read_text()))
    assert families == set(words)
    for recipe in (*EASYCONFIGS, SPACK / "packages/triad/package.py"):
        text = re.search('"""(.*?)"""', recipe.read_text(), re.S).group(1)
        for word in words.values():
            assert word in " ".join(text.split()), f"{recipe.name}: {word}"


@pytest.mark.parametrize("easyconfig", EASYCONFIGS, ids=lambda path: path.stem)
def test_easyconfig_is_of_the_form_that_easybuild_reads(easyconfig):
    names = read_easyconfig(easyconfig.read_text(), easyconfig.name)
    suffix = names.get("versionsuffix", "").replace("%(cudaver)s", dict(d[:2] for d in names["dependencies"]).get("CUDA", ""))
    assert f"-{names['toolchain']['name']}-{names['toolchain']['version']}{suffix}.eb" in easyconfig.name
    for name, version, *_ in names["dependencies"] + names["builddependencies"]:
        assert re.fullmatch(r"[\w.+-]+", name) and re.fullmatch(r"[\d.]+", version)
    assert re.fullmatch(r"https?://[\w./-]+", names["homepage"])
    # one for each archive; None until --inject-checksums has seen the archive
    assert len(names["checksums"]) == len(names["sources"])
    assert all(c is None or re.fullmatch("[0-9a-f]{64}", c) for c in names["checksums"])
    for path in names["sanity_check_paths"]["files"]:
        assert path.split("/")[-1] in (ROOT / "Makefile").read_text() + "triad.pc", path


def test_a_release_has_the_checksum_of_its_archive_in_the_recipe_beside_it(tmp_path):
    """The archive holds the recipe, and so cannot hold its own checksum: tools/release writes it into a copy."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of git")
    subprocess.run([ROOT / "tools/release", tmp_path], check=True, timeout=60, capture_output=True)
    archive, easyconfigs = tmp_path / f"triad-{VERSION}.tar.gz", list(tmp_path.glob("*.eb"))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert easyconfigs
    for easyconfig in easyconfigs:
        with tarfile.open(archive) as tar:
            packed = tar.extractfile(f"triad-{VERSION}/packaging/easybuild/{easyconfig.name}").read()
        written, inside = read_easyconfig(easyconfig.read_text()), read_easyconfig(packed)
        assert written.pop("checksums") == [digest] and inside.pop("checksums") == [None] and written == inside
    assert (tmp_path / "SHA256SUMS").read_text() == f"{digest}  {archive.name}\n"
    subprocess.run([ROOT / "tools/release", tmp_path], check=True, timeout=60, capture_output=True)
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == digest, "the same commit makes the same archive"


def test_citation_has_what_its_format_requires():
    """The four keys that the schema of CFF 1.2.0 requires; all of it where cffconvert is there to look."""
    path = ROOT / "CITATION.cff"
    keys = re.findall(r"^([a-z-]+):", path.read_text(), re.M)
    assert {"cff-version", "message", "title", "authors"} <= set(keys) and len(keys) == len(set(keys))
    if shutil.which("cffconvert"):
        subprocess.run(["cffconvert", "--validate", "-i", path], check=True, timeout=60, capture_output=True)


def test_lua_module_file_is_lua(tmp_path):
    lua = next((found for found in map(shutil.which, ("luac", "luac5.3", "luac5.4", "luac5.1")) if found), None)
    if not lua:
        pytest.skip("luac is not there: apt install lua5.3")
    subprocess.run([lua, "-p", PACKAGING / "modulefiles/triad.lua"], check=True, timeout=60)


def test_tcl_module_file_sets_the_paths(tmp_path):
    command = next((p for p in ("/usr/lib/x86_64-linux-gnu/modulecmd.tcl", "/usr/share/modules/libexec/modulecmd.tcl",
                                "/usr/lib/aarch64-linux-gnu/modulecmd.tcl") if shutil.which(p)), None)
    if not command:
        pytest.skip("environment modules are not there: apt install environment-modules")
    (tmp_path / "triad").mkdir()
    shutil.copy(PACKAGING / "modulefiles/triad", tmp_path / "triad" / VERSION)
    said = subprocess.run([command, "bash", "load", "triad"], capture_output=True, text=True, timeout=60,
                          env={"MODULEPATH": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    assert "/usr/local/bin" in said.stdout and "MANPATH" in said.stdout, said
    assert "/usr/local/share/triad" in re.search(r"PYTHONPATH=([^;]*)", said.stdout)[1], "import triad"


def test_both_module_files_set_the_same():
    tcl, lua = ((PACKAGING / "modulefiles" / name).read_text() for name in ("triad", "triad.lua"))
    of_tcl = set(re.findall(r"^(?:prepend-path|setenv) (\w+) \$prefix/?(\S*)", tcl, re.M))
    of_lua = {(name, rest or "") for name, rest in re.findall(r'^(?:prepend_path|setenv)\("(\w+)", (?:pathJoin\(prefix, "([^"]*)"\)|prefix)\)', lua, re.M)}
    assert of_tcl == of_lua and ("PYTHONPATH", "share/triad") in of_tcl


def test_images_are_one_recipe_in_two_languages():
    """What is installed, how it is built, and what is asked of it at the end."""
    recipes = [(PACKAGING / path).read_text() for path in ("apptainer/triad.def", "container/Containerfile")]
    for pattern in (r"debian:(\S+)", r"(openmpi-bin(?:[^&]|\n)*?)(?: &&|\n *rm )", r"make (.*?)(?: &&|\n)", r"(triad case --check \S+)",
                    r"(tools/deps)"):
        one, other = ([re.sub(r"[\s\\]+", " ", found).strip() for found in re.findall(pattern, text)] for text in recipes)
        assert one and one == other, pattern


@pytest.mark.parametrize("recipe", ["apptainer/triad.def", "container/Containerfile"])
def test_image_installs_packages_that_the_program_is_linked_with(triad, recipe):
    text = (PACKAGING / recipe).read_text()
    if not shutil.which("dpkg") or not shutil.which("ldd"):
        pytest.skip("no dpkg here")
    linked = subprocess.run(["ldd", triad], capture_output=True, text=True, check=True, timeout=60).stdout
    release = open("/etc/os-release").read()
    if 'VERSION_ID="12"' not in release or "debian" not in release:
        pytest.skip("the image is of Debian 12, this is not")
    for library in ("fftw3.so", "fftw3f.so", "hdf5", "hwloc", "xxhash", "png16"):
        path = next(line.split()[2] for line in linked.splitlines() if library in line)
        found = subprocess.run(["dpkg", "-S", "*" + path.rsplit("/", 1)[-1]], capture_output=True, text=True, timeout=60)
        packages = {line.split(":")[0] for line in found.stdout.splitlines()}
        assert packages & set(text.split()), f"{library}: one of {packages}"


def test_archive_of_sources_holds_what_git_holds(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    subprocess.run(["make", "-s", "dist", f"BUILD={tmp_path}"], cwd=ROOT, check=True, timeout=120, capture_output=True)
    with tarfile.open(tmp_path / f"triad-{VERSION}.tar.gz") as archive:
        names = {m.name.split("/", 1)[1] for m in archive.getmembers() if m.isfile()}
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    assert names >= {"Makefile", "README.md", "VERSION", "src/command/main.c", "LICENSE"} and names <= set(kept)
    with tarfile.open(tmp_path / f"triad-{VERSION}.tar.gz") as archive:
        archive.extractall(tmp_path)
    unpacked = tmp_path / f"triad-{VERSION}"
    head = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = subprocess.run([unpacked / "tools/commit"], capture_output=True, text=True, check=True, timeout=20).stdout
    assert told == head, "the archive knows its commit"
    config = subprocess.run(["make", "-s", "print-config"], cwd=unpacked, capture_output=True, text=True, check=True, timeout=60).stdout
    assert head.strip() in config
