"""The GPU part where there is no GPU: it compiles, links, and says clearly that none is there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import outputs

ROOT = Path(__file__).resolve().parents[2]
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def has_gpu():
    return any(Path("/dev").glob("nvidia[0-9]*"))


def share_objects(build):
    """Objects of the build that is tested, for a build with the GPU part: of sources that do not ask for it, in no file that they
    include. Half a minute of two cores is not spent again."""
    tested = ROOT / os.environ.get("TRIAD_BUILD", "build")
    asking = subprocess.run(["git", "grep", "-lE", r"TRIAD_(CUDA|NCCL|HIP)\b|cuda\.h", "--", "*.c", "*.h"], cwd=ROOT, capture_output=True,
                            text=True).stdout.split()
    if "sanitize" in str(tested) or not asking:
        return 0
    count = 0
    for rules in (r for kind in ("once", "double", "raw") for r in (tested / kind).rglob("*.d")):
        text, made = rules.read_text(), rules.with_suffix(".o")
        needs = text.partition(":")[2].replace("\\\n", " ").split()
        source, there = needs[0] if needs else "", build / made.relative_to(tested)
        if source.startswith("tests/") or not source.endswith(".c") or not (ROOT / source).exists() or not made.exists():
            continue
        if set(needs) & set(asking) or (there.exists() and there.stat().st_mtime > made.stat().st_mtime):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        there.with_suffix(".d").write_text(re.sub(r"^\S+(?=: )", str(there), text))
        shutil.copyfile(made, there)
        count += 1
    return count


@pytest.mark.limit(1500)
@pytest.mark.skipif(not Path(NVCC).exists(), reason="nvcc is not there")
def test_cuda_side_compiles_and_exits_69_without_a_gpu(rundir):
    build = Path(os.environ.get("TRIAD_BUILD", ROOT / "build")) / "cuda-check"
    # objects stay from one call to the next; a few sizes are enough to see that every kernel compiles. Sources in C are compiled
    # with optimisation, and their warnings looked at, by the build that is tested; kernels for the host too (test_*_gpu.c). nvcc
    # needs a quarter of the time for kernels that nobody runs if it optimises little; -O0 would take it four times as long.
    known = subprocess.run([NVCC, "--help"], capture_output=True, text=True).stdout
    fast = " --Ofast-compile=max" if "--Ofast-compile" in known else ""
    make = ["make", "-C", str(ROOT), "CUDA=1", "SANITIZE=", "GPU_SIZES=few", "OPT=-O0 -march=native", f"NVCC={NVCC}",
            f"GPU_ARCH=-arch=sm_90{fast}", "NVCC_COMPRESS=", f"BUILD={build.resolve()}", f"BIN={build.resolve()}/bin", "-j2"]
    # files that are older than the objects which the flags made, in this build; then objects of the other
    stamps = [f"{build.resolve()}/{name}" for name in ("flags", "cgns", "zfp", "graphs", "formats", "microhttpd")]
    subprocess.run([*make, *stamps], capture_output=True, check=True)
    share_objects(build.resolve())
    make = subprocess.run([*make, f"{build.resolve()}/bin/triad"], capture_output=True, text=True)
    assert make.returncode == 0, (make.stdout + make.stderr)[-3000:]
    assert "warning" not in make.stderr, make.stderr[-3000:]
    if has_gpu():
        pytest.skip("there is a GPU here: make check-gpu tests it")
    case = ["run", str(ROOT / "runs/bench-hd/case.toml"), "--dir", str(rundir)]
    for device in ("gpu", "offload"):
        small = outputs.sets(grid__n=[32, 32, 32], time__max_steps=1, parallel__device=device)
        run = subprocess.run([build / "bin/triad", *case, *small], capture_output=True, text=True)
        assert run.returncode == 69, run.stdout + run.stderr
        assert f'"{device}": no GPU is available' in run.stderr
        assert not (Path(rundir) / "checkpoints").exists()


def test_check_of_the_gpu_is_skipped_without_one(triad):
    if has_gpu():
        pytest.skip("there is a GPU here: make check-gpu tests it")
    for script in ("check", "bench"):
        run = subprocess.run([sys.executable, ROOT / "tests/gpu" / script, triad], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
        assert run.stdout.splitlines()[-1].startswith("SKIP"), run.stdout
