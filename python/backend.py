"""What pip calls to build the package (PEP 517): `make python`, whose wheel it takes. Settings of the build are those of make:
`MPICC=mpicc.mpich OPT=-O2 pip install ./python`."""
import glob
import os
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not os.path.exists(os.path.join(ROOT, "Makefile")):
        raise RuntimeError("the package is built within Triad's sources: pip install ./python from their top")
    cores = subprocess.run([os.path.join(ROOT, "tools", "cores")], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["make", "--no-print-directory", "-j", cores, "-C", ROOT, "python", f"PY={folder}/python"], check=True)
        (wheel,) = glob.glob(f"{folder}/python/*.whl")
        shutil.copy(wheel, wheel_directory)
    return os.path.basename(wheel)


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("make dist writes the archive of the sources, from which pip install ./python works")
