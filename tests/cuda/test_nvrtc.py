"""Kernels that a run has compiled when it wants them (fft/gpu/gpu_compiled.h): NVRTC takes their sources, which needs no GPU. What they
compute is for test_lines_gpu.c and make check-gpu."""

import ctypes
import glob
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.program("unit/fft/lengths", "test_formula_text", "test_text_code", "test_text_gpu")
BUILD = Path(os.environ.get("TRIAD_BUILD", ROOT / "build"))
FOUND = sorted(glob.glob("/usr/local/cuda*/lib64/libnvrtc.so") + glob.glob("/usr/lib/*/libnvrtc.so*"))
REGISTERS = 255


@pytest.fixture(scope="module")
def nvrtc():
    if not FOUND:
        pytest.skip("NVRTC is not there")
    return ctypes.CDLL(FOUND[0])


@pytest.fixture(scope="module")
def texts():
    """What the program has in it, by the names that sources say."""
    made = subprocess.run(["make", "-s", "-C", ROOT, "CUDA=1", f"BUILD={BUILD / 'cuda-check'}", "SANITIZE=", "print-texts"],
                          capture_output=True, text=True, check=True).stdout.splitlines()
    files, blank = (line.split(":")[1].split() for line in made[-2:])
    return {name.removeprefix("src/"): (ROOT / name).read_bytes() for name in files} | {name: b"" for name in blank}


def compiled(nvrtc, texts, source, kernels, with_image=False):
    """The words of the assembler for a source, which must compile and have those kernels; and the program."""
    program, size, name = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_char_p()
    many = ctypes.c_char_p * len(texts)
    options = [b"--gpu-architecture=sm_90", b"--std=c++17", b"--device-as-default-execution-space", b"--ptxas-options=-v"]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"source", len(texts), many(*texts.values()),
                                    many(*(text.encode() for text in texts))) == 0
    for kernel in kernels:
        assert nvrtc.nvrtcAddNameExpression(program, kernel.encode()) == 0
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()[-3000:]
    for kernel in kernels:
        assert nvrtc.nvrtcGetLoweredName(program, kernel.encode(), ctypes.byref(name)) == 0
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0 and size.value > 0
    image = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetCUBIN(program, image) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return (log.value.decode(), image.raw) if with_image else log.value.decode()


def code_bytes(image):
    """Of all kernels: the sections of an ELF file of 64 bits whose names begin with .text."""
    first, (size, number, names) = struct.unpack_from("<Q", image, 40)[0], struct.unpack_from("<3H", image, 58)
    sections = [struct.unpack_from("<IIQQQQ", image, first + i * size) for i in range(number)]
    return sum(s[5] for s in sections if image[sections[names][4] + s[0]:].startswith(b".text"))


def lengths(kind, n):
    """What the host says of n points."""
    said = subprocess.run([BUILD / "tests/unit/fft/lengths", kind, str(n)], capture_output=True, text=True, check=True).stdout
    return said[:said.index("#define TEST_LENGTHS")], int(re.search(rf"X\({n}, (\d)\)", said).group(1))


def begin(text, more=""):
    return more + text + '#include "fft/gpu/device_compiled.h"\n'


@pytest.mark.parametrize("more", ["", "#define TRIAD_SINGLE\n#define TRIAD_KEEP_ALL\n"])
@pytest.mark.parametrize("axis", "xyz")
def test_lines_compile(nvrtc, texts, axis, more):
    """With phase shifts where every mode is not kept."""
    text, _ = lengths("strided", 180)
    source = begin(text, more) + f'#include "cuda/fft/lines_{axis}.cu"\n'
    lanes, wide = "row_pairs_of" if axis == "x" else "lanes_of", "false" if more else "true"
    rest = {"x": ["", ""], "y": [f", true, {wide}", ", true"], "z": [f", {wide}"] * 2}[axis]
    many = [f"{way}<180, {lanes}<180>::value{words}>" for way, words in zip(("backward", "forward"), rest)]
    many += [f"forward_chains<180, chains_of<180, {wide}>::lanes, {each}, {wide}>" for each in ("true", "false") if axis == "y"]
    log = compiled(nvrtc, texts, source, many)
    assert all(int(used) < REGISTERS for used in re.findall(r"Used (\d+) registers", log)), log


@pytest.mark.parametrize("name, kernel", [("hd", "pass<velocity_numbers>"), ("hd", "wide<pass<velocity_numbers>>")])
def test_fused_passes_compile(nvrtc, texts, name, kernel):
    text, one_by_one = lengths("fused", 180)
    source = begin(text) + f'#define TRIAD_ONE_BY_ONE {one_by_one}\n#define TRIAD_SET {name}\n#include "cuda/spectral/points.cu"\n'
    compiled(nvrtc, texts, source, [f"fused_rows<180, {kernel}>"])


@pytest.mark.parametrize("name, kernel", [("hd", "velocity"), ("mhd", "mhd")])
def test_code_of_long_rows_stays_in_a_multiprocessor(nvrtc, texts, name, kernel):
    """Rows of 2048 points in single precision, by threads of 16 elements: an instruction cache of an H100 holds 128 KB, and a pass whose
    code went beyond took 2 to 2.7 times as long."""
    source = begin("#define TRIAD_COMPILED_LENGTHS TRIAD_LENGTH(factored, 1024, 16, 16, 16, 1, 1, 4) TRIAD_LENGTH_LANES(fused_lanes_of, 1024, 1)\n",
                   "#define TRIAD_SINGLE\n")
    log, image = compiled(nvrtc, texts, source + f'#define TRIAD_ONE_BY_ONE 1\n#define TRIAD_SET {name}\n#include "cuda/spectral/points.cu"\n',
                          [f"fused_rows<2048, pass<{kernel}_numbers>>"], with_image=True)
    assert 20e3 < code_bytes(image) < 128 * 1024, code_bytes(image)
    assert " 0 bytes spill stores" in log, log


@pytest.mark.parametrize("more", ["", "#define TRIAD_SINGLE\n#define TRIAD_KEEP_ALL\n"])
def test_extremes_compile(nvrtc, texts, more):
    """With phase shifts where every mode is not kept."""
    wide = "false" if more else "true"
    text, one_by_one = lengths("fused", 180)
    compiled(nvrtc, texts, begin(text, more) + f'#define TRIAD_ONE_BY_ONE {one_by_one}\n#include "cuda/spectral/set_extremes.cu"\n', [f"extremes<180, {wide}>"])


def test_every_launch_for_a_length_asks_for_compiled_kernels_first():
    """with_size() knows built-in lengths alone: what calls it, or calls what does, has looked at shape->compiled."""
    for path in sorted((ROOT / "cuda").glob("*.cu")):
        for name, body in re.findall(r"^[^\n{;]*?(\w+)\([^;{}]*\)\n\{\n(.*?)^\}", path.read_text(), re.M | re.S):
            if "with_size(" not in body:
                continue
            callers = re.findall(rf"^\{{\n((?:(?!^\}}).)*\b{name}[<(].*?)^\}}", path.read_text(), re.M | re.S)
            asked = "compiled[" in body.split("with_size(")[0] or (
                callers and all("compiled[" in caller.split(name)[0] for caller in callers))
            assert asked, f"{path.name}: {name}() does not ask for kernels that were compiled"


def choice(head, names, call):
    cases = " ".join(f"case {i}: return {call.format(name)};" for i, name in enumerate(names))
    return f"{head}\n{{\n  switch (k) {{ {cases} default: return 0; }}\n}}\n"


def of_formulas(functions, names, parts):
    """What gpu_formula_source.c writes around formulas and their parts."""
    value = "template <class Places> static __device__ __forceinline__ double triad_formula_value(int k, const Places &p, int64_t x, int64_t row, double *v)"
    words = {"ROOM": 32, "RESULTS": len(names), "OF_X": len(parts), "OF_ROW": len(parts), "READS": "5u", "PUSHES": "3u"}
    return ('#include "case/formula/formula_points.h"\n' + functions + choice("TRIAD_POINT double triad_formula_of_x(int k, const double *v)", parts, "{}(v)") +
            choice("TRIAD_POINT double triad_formula_of_row(int k, const double *v)", parts, "{}(v)") +
            choice(value, names, "(v[16] = p.of_x[x], v[24] = p.of_row[row], {}(v))") +
            "".join(f"#define TRIAD_FORMULA_{word} {number}\n" for word, number in words.items()))


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """Each function and operation, as test_formula_text.c has them made: their source, and their names."""
    file = tmp_path_factory.mktemp("formulas") / "text.c"
    subprocess.run([BUILD / "tests/test_formula_text"], env=os.environ | {"TRIAD_FORMULA_TEXT": str(file)}, cwd=ROOT, capture_output=True,
                   check=True)
    text = file.read_text().split("double value(int")[0].removeprefix('#include "case/formula/formula_points.h"\n')
    names = re.findall(r"double (f\d+)\(const double \*v\)", text)
    assert len(names) > 60
    return text, names


@pytest.mark.parametrize("more", ["", "#define TRIAD_SINGLE\n"])
def test_forces_by_formula_compile(nvrtc, texts, functions, more):
    source = begin("", more) + of_formulas(*functions, functions[1][:2]) + """
extern "C" __constant__ int triad_launch[] = {256, 1, 0, 256};
#include "solvers/spectral/force/formula_kernel.h"
"""
    compiled(nvrtc, texts, source, ["triad_formula_values", "triad_formula_tables"])


@pytest.mark.parametrize("more, name, kernel", [("", "hd", "pass<velocity_numbers>"), ("#define TRIAD_SINGLE\n", "mhd", "in_pieces<pass<mhd_numbers>>")])
def test_forces_within_a_fused_pass_compile(nvrtc, texts, functions, more, name, kernel):
    """Of two results, which sum up to |f|^2."""
    text, one_by_one = lengths("fused", 180)
    body, names = functions
    source = (begin(text, more) + f'#define TRIAD_ONE_BY_ONE {one_by_one}\n#define TRIAD_SET {name}\n#include "cuda/spectral/points.cu"\n' +
              of_formulas(body, names[:2], names[2:3]) + '#include "solvers/spectral/force/formula_pass.h"\n')
    compiled(nvrtc, texts, source, [f"fused_rows<180, beside<{kernel}>>"])


@pytest.fixture(scope="module")
def equations(tmp_path_factory):
    """Equations as text, as test_text_code.c and test_text_gpu.c have them written in C, by their names."""
    folder = tmp_path_factory.mktemp("equations")
    for program in ("test_text_code", "test_text_gpu"):
        subprocess.run([BUILD / "tests" / program], env=os.environ | {"TRIAD_TEXT_CODE": str(folder)}, cwd=ROOT, capture_output=True, check=True)
    return {path.stem: path.read_text() for path in folder.glob("*.c")}


# The first six of test_text_gpu.c are its cases; a speed that is a number, of 0.5*t*dx(a), is in text-0.
@pytest.mark.parametrize("more", ["", "#define TRIAD_SINGLE\n"], ids=["double", "single"])
@pytest.mark.parametrize("name, tables", [("text-0", 1), ("text-1", 0), ("text-2", 1)] + [(f"gpu-{i}", i % 2) for i in range(6)])
def test_equations_as_text_compile(nvrtc, texts, equations, more, name, tables):
    """As gpu_text.c puts them together, but all kernels in one program."""
    source = (more + f'#define TRIAD_TEXT_CODE {tables}\n#include "fft/gpu/device_compiled.h"\n' + equations[name] +
              'extern "C" __constant__ int triad_launch[] = {256, 1, 0, 256};\n#include "solvers/spectral/text/text_kernel.h"\n')
    compiled(nvrtc, texts, source, ["text_source", "text_update", "text_fill", "text_points", "sum_kernel<text_sums_term>", "gather_kernel<text_densities_term>", "gather_kernel<text_transfers_term>", "fold_kernel"])


@pytest.mark.parametrize("more", ["", "#define TRIAD_SINGLE\n"])
def test_fused_passes_of_equations_as_text_compile(nvrtc, texts, equations, more):
    """Of six inputs, three of which are in shared memory."""
    text, one_by_one = lengths("fused", 180)
    source = (begin(text, more) + f'#define TRIAD_ONE_BY_ONE {one_by_one}\n#define TRIAD_SET_FOLLOWS\n#include "cuda/spectral/points.cu"\n' +
              equations["text-2"] + "TRIAD_GPU_PASS(text, triad_text_law, IN = TRIAD_TEXT_IN, RESULTS = TRIAD_TEXT_OUT, SHARED = 3)\n")
    log = compiled(nvrtc, texts, source, ["fused_rows<180, pass<text_numbers>>"])
    assert int(re.search(r"(\d+) bytes spill stores", log).group(1)) < 64, log


def test_what_generated_programs_include_is_in_the_program(texts):
    """Include lines inside strings of the sources: no compiler of the host sees them. A file moved away would end runs on a GPU alone."""
    wanted = {}
    for folder in ("src", "fft", "transpose", "solvers"):
        for source in (ROOT / folder).rglob("*.c"):
            for name in re.findall(r'#include \\"([^"\\]+)\\"', source.read_text()):
                if "%" not in name: # of several kernels by name: those that compile are tested above
                    wanted.setdefault(name, source.relative_to(ROOT))
    assert len(wanted) >= 5, wanted
    assert not {name: source for name, source in wanted.items() if name not in texts}
