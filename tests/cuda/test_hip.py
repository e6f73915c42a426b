"""The build for AMD GPUs (make HIP=1), where Debian's hipcc is installed: no such GPU is needed. Two files of kernels, sources in C that
use HIP, the shared memory of blocks, and kernels that hiprtc compiles when a run needs them. Every kernel: make check-hip."""

import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TRIAD_BUILD", ROOT / "build"))
HIPCC = shutil.which(os.environ.get("HIPCC", "hipcc"))
ARCHITECTURES = "gfx90a gfx1030"  # waves of 64 lanes and of 32

pytestmark = [pytest.mark.skipif(not HIPCC, reason="hipcc is not installed"), pytest.mark.program("unit/fft/lengths")]


def make(*arguments):
    build = (BUILD / "hip-check").resolve()
    command = ["make", "-s", "-C", ROOT, "HIP=1", "SANITIZE=", "GPU_SIZES=few", f"HIP_ARCH={ARCHITECTURES}", "OPT=-O0", f"BUILD={build}", "-j2"]
    made = subprocess.run([*command, *(a.replace("BUILD", str(build)) for a in arguments)], capture_output=True, text=True)
    assert made.returncode == 0, (made.stdout + made.stderr)[-3000:]
    assert "warning" not in made.stderr, made.stderr[-3000:]
    return made.stdout, build


def test_kernels_compile_for_waves_of_both_widths():
    objects = ["once/cuda/parallel/put.o", "double/cuda/staggered/cg.o"]
    _, build = make(*(f"BUILD/{o}" for o in objects))
    for each in objects:
        code = (build / each).read_bytes()
        assert all(f"amdgcn-amd-amdhsa--{arch}".encode() in code for arch in ARCHITECTURES.split()), each


def test_sources_in_c_compile_with_names_of_hip():
    make(*(f"BUILD/once/src/parallel/{name}.o" for name in ("gpu_program", "transports/ipc", "transports/transport", "hip/kernel_names")),
         "BUILD/double/fft/gpu/gpu_library.o", "BUILD/double/solvers/staggered/gpu/gpu_slabs.o")


@pytest.mark.parametrize("name, kernel", [("hd", "velocity"), ("mhd", "mhd")])
def test_rows_of_built_in_lengths_fit_into_64_kb(tmp_path, name, kernel):
    """Blocks as they are on NVIDIA GPUs have 108 KB at 256 points in double precision, and a run would end with 69."""
    source = tmp_path / "rows.cu"
    fits = f"template <int N> constexpr bool fits = fused_room<N, pass<{kernel}_numbers>>::shared <= 65536 && shared_most == 65536;\n"
    each = "#define FITS(n, e, a, b) static_assert(fits<n>, \"shared memory\");\nTRIAD_DEVICE_SIZES(FITS)\n"
    source.write_text(f'#include "cuda/spectral/points.cu"\n{fits}{each}')
    command = [HIPCC, "-x", "hip", "--offload-arch=gfx90a", "--cuda-host-only", "-fsyntax-only", "-std=c++17", f"-I{ROOT}/src/parallel/hip",
               f"-I{ROOT}/src", f"-I{ROOT}", "-include", "cuda_runtime.h", "-DTRIAD_CUDA", "-DTRIAD_HIP", f"-DTRIAD_SET={name}", "-w", source]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr[-3000:]


def test_a_program_is_for_one_maker():
    made = subprocess.run(["make", "-C", ROOT, "HIP=1", "CUDA=1", "print-gpu"], capture_output=True, text=True)
    assert made.returncode == 2 and "GPUs of one maker: CUDA=1 or HIP=1" in made.stderr


# ---- kernels compiled at run time ----

class Hiprtc:
    def __init__(self, folder):
        self.library = ctypes.CDLL("libamdhip64.so")
        if not hasattr(self.library, "hiprtcCreateProgram"):
            self.library = ctypes.CDLL("libhiprtc.so")  # ROCm 6 and newer
        names = folder / "names.so"
        subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "-D_GNU_SOURCE", f"-I{ROOT}/src", f"{ROOT}/src/parallel/hip/kernel_names.c", "-o", names],
                       check=True)
        self.names = ctypes.CDLL(names)
        self.names.triad_hip_source.restype = ctypes.c_char_p
        self.names.triad_hip_kernel_name.restype = ctypes.c_char_p
        self.names.triad_hip_kernel_name.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
        files, blank = (line.split(":")[1].split() for line in make("print-texts")[0].splitlines()[-2:])
        self.texts = {name.removeprefix("src/"): (ROOT / name).read_bytes() for name in files} | {name: b"\n" for name in blank}

    def compiled(self, source, kernels):
        """The code object, and the names in it of these kernels, as gpu_program.c finds them."""
        program, size, rtc = ctypes.c_void_p(), ctypes.c_size_t(), self.library
        asked = (ctypes.c_char_p * len(kernels))(*(k.encode() for k in kernels))
        source = self.names.triad_hip_source(source.encode(), asked, len(kernels))
        many = ctypes.c_char_p * len(self.texts)
        assert rtc.hiprtcCreateProgram(ctypes.byref(program), source, b"source", len(self.texts), many(*self.texts.values()),
                                       many(*(name.encode() for name in self.texts))) == 0
        options = [b"--gpu-architecture=gfx90a", b"-std=c++17", b"-O3", b"-D__CUDACC_RTC__"]
        status = rtc.hiprtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        rtc.hiprtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        rtc.hiprtcGetProgramLog(program, log)
        assert status == 0, log.value.decode()[-3000:]
        assert rtc.hiprtcGetCodeSize(program, ctypes.byref(size)) == 0
        code = ctypes.create_string_buffer(size.value)
        assert rtc.hiprtcGetCode(program, code) == 0
        rtc.hiprtcDestroyProgram(ctypes.byref(program))
        return code.raw, [self.names.triad_hip_kernel_name(code.raw, len(code.raw), i) for i in range(len(kernels))]


@pytest.fixture(scope="module")
def hiprtc(tmp_path_factory):
    return Hiprtc(tmp_path_factory.mktemp("hiprtc"))


def lengths(kind, n):
    """What the host says of n points."""
    said = subprocess.run([BUILD / "tests/unit/fft/lengths", kind, str(n)], capture_output=True, text=True, check=True).stdout
    return said[:said.index("#define TEST_LENGTHS")] + '#include "fft/gpu/device_compiled.h"\n', int(re.search(rf"X\({n}, (\d)\)", said).group(1))


def plain(names):
    return [subprocess.run(["c++filt", name.decode()], capture_output=True, text=True, check=True).stdout.strip() for name in names]


def test_lines_are_compiled_and_found_by_name(hiprtc):
    """Constants in a name are numbers in the code: hiprtc itself finds no such kernel."""
    text, _ = lengths("strided", 180)
    source = text + '#include "cuda/fft/lines_z.cu"\nenum { triad_lanes = lanes_of<180>::value };\n' \
        'extern "C" __constant__ int triad_launch[] = {triad_lanes, strided<180>::G, 180 * triad_lanes * (int)sizeof(dcplx), triad_lanes};\n'
    code, names = hiprtc.compiled(source, ["backward<180, triad_lanes, true>", "forward<180, triad_lanes, false>"])
    assert all(names), "both kernels are found"
    assert [name.split("(")[0] for name in plain(names)] == ["void backward<180, 8, true>", "void forward<180, 8, false>"]
    assert b"triad_launch\0" in code


def test_a_fused_pass_is_compiled(hiprtc):
    text, one_by_one = lengths("fused", 180)
    source = text + f'#define TRIAD_ONE_BY_ONE {one_by_one}\n#define TRIAD_SET hd\n#include "cuda/spectral/points.cu"\n'
    _, names = hiprtc.compiled(source, ["fused_rows<180, pass<velocity_numbers>>"])
    assert re.match(r"void fused_rows<180, pass<velocity_numbers> ?>\(", plain(names)[0])


def test_a_damaged_code_object_has_no_names(hiprtc):
    code, names = hiprtc.compiled("template <int A> static __global__ void k(float *x) { x[0] = A; }\n", ["k<3>"])
    assert names == [b"_ZL1kILi3EEvPf"]
    for cut in (0, 10, 63, 64, len(code) // 2, len(code) - 1):
        assert hiprtc.names.triad_hip_kernel_name(code[:cut], cut, 0) in (None, names[0]), cut
    assert hiprtc.names.triad_hip_kernel_name(code, len(code), 1) is None, "a second kernel that was not asked for"
