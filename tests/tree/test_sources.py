"""Sources: lines fit a page, each file says first what it is for, and no number of a field's precision is in the signature of a
function that is compiled once."""

import filecmp
import os
import re
import subprocess

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick

SOURCES = sorted(p for top in ("src", "fft", "transpose", "solvers", "cuda", "tests") for kind in ("c", "h", "cu", "cpp") for p in (ROOT / top).rglob(f"*.{kind}"))
PRODUCT = [p for p in SOURCES if "tests" not in p.relative_to(ROOT).parts]
WIDTH = 120


def name_of(path):
    return str(path.relative_to(ROOT))


def test_no_line_is_wider_than_a_page():
    wide = [f"{name_of(p)}:{n}" for p in SOURCES for n, line in enumerate(p.read_text(errors="replace").splitlines(), 1) if len(line) > WIDTH]
    assert len(SOURCES) > 500 and not wide, wide


def opening(text):
    """The words of the comment that a file opens with."""
    comment = re.match(r"/\*(.*?)\*/|((?://[^\n]*\n)+)", text, re.S)
    return [word for word in re.findall(r"[\w'./-]+", comment.group(0)) if re.search(r"\w", word)] if comment else []


def test_every_source_opens_with_what_it_is_for():
    silent = [name_of(p) for p in PRODUCT if len(opening(p.read_text())) < 3]
    assert len(PRODUCT) > 500 and not silent, silent


def test_openings_are_recognised():
    assert opening("/* Waves on water. */\nint x;") == ["Waves", "on", "water."]
    assert opening("// Waves on\n// water\nint x;") and not opening("#include <math.h>\n/* Waves on water. */")


# ---- precision ----

PRECISION = re.compile(r"\btriad_(real|cplx)\b")


def signatures(text):
    """The code outside of the bodies of functions: declarations, types and first lines of definitions."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', " ", text, flags=re.S)
    out, depth, at = [], 0, 0
    for brace in re.finditer(r"[{}]", text):
        if depth == 0:
            out.append(text[at:brace.start()])
            # a body follows the closing parenthesis of a function; what is in the braces of a type stays
            inside = text[:brace.start()].rstrip().endswith(")") or depth > 0
            if brace.group() == "{" and not inside:
                at = brace.end()
                continue
        if brace.group() == "{":
            depth += 1
        elif depth:
            depth -= 1
        at = brace.end()
    return " ".join(out) + text[at:]


def compiled(how):
    """Sources that make compiles once, or in both precisions."""
    made = subprocess.run(["make", "-s", "-C", ROOT, "CUDA=1", "print-sources"], capture_output=True, text=True, check=True, timeout=60).stdout
    sources = [ROOT / line.split()[1] for line in made.splitlines() if line.startswith(f"{how} ")]
    assert len(sources) > 200
    return sources


@pytest.fixture(scope="module")
def once():
    """Sources that are compiled once, for both precisions, and their own headers."""
    sources = compiled("once")
    return sources + [p.with_suffix(".h") for p in sources if p.with_suffix(".h").exists()]


def test_no_function_that_is_compiled_once_has_numbers_of_a_precision_in_its_signature(once):
    """In single precision its caller would hand it arrays of floats, and it would read doubles: nothing else reports that."""
    bad = sorted(name_of(p) for p in once if PRECISION.search(signatures(p.read_text())))
    assert not bad, f"{bad}: compile it twice (a folder fields/), or take doubles"


def test_signatures_are_seen():
    for good in ("int f(double x)\n{\n  triad_real y = 0;\n  if (x) { y = 1; }\n  return (int)y;\n}\n", "/* triad_real */ int f(void);\n",
                 "static const table t[] = {{1, 2}};\nint g(void) { return (int)sizeof(triad_cplx); }\n"):
        assert not PRECISION.search(signatures(good)), good
    for bad in ("int f(triad_real *x);\n", "int g(void) { return 0; }\nstatic void f(int n, const triad_cplx *z)\n{\n}\n",
                "typedef struct a {\n  triad_real x;\n} a;\n", "triad_real f(void)\n{\n  return 0;\n}\n"):
        assert PRECISION.search(signatures(bad)), bad


def test_a_number_of_a_field_does_not_compile_where_sources_are_compiled_once(tmp_path):
    source = tmp_path / "once.c"
    for text, status in (("int f(triad_real *x) { return x != 0; }", 0), ("int f(triad_real *x) { return *x > 0; }", 1), ("triad_cplx z;", 1)):
        source.write_text('#include "base/precision.h"\n' + text + "\n")
        done = subprocess.run(["cc", "-DTRIAD_ONCE", f"-I{ROOT}/src", "-fsyntax-only", source], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, (text, done.stderr)


MOST_EQUAL = 30


def test_few_objects_are_compiled_twice_to_the_same_bytes():
    """Each of them could be compiled once, in a room plain/, if it called no function of a precision."""
    build = ROOT / os.environ.get("TRIAD_BUILD", "build")
    objects = [p.relative_to(ROOT).with_suffix(".o") for p in compiled("both")]
    pairs = [(build / "double" / o, build / "raw" / o) for o in objects]
    pairs = [(a, b) for a, b in pairs if a.exists() and b.exists()]
    if len(pairs) < 100:
        pytest.skip(f"no objects in {build}")
    equal = [str(a.relative_to(build / "double")) for a, b in pairs if filecmp.cmp(a, b, shallow=False)]
    assert len(equal) <= MOST_EQUAL, f"{len(equal)}: {equal}"


# ---- where a function is ----

MOST_FILES = 5
MOST_ALONE = 150


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def functions_defined(text):
    """Names of functions that a file defines for others: at the beginning of a line, not static, with a body."""
    found = re.findall(r"^(?!static\b|typedef\b|return\b|#)(?:extern \"C\" )?[A-Za-z_][\w \*\n]*?\b(\w+)\((?:[^(){};]|\([^()]*\))*\)\s*\{", without_comments(text), re.M)
    return set(found) - {"if", "for", "while", "switch"}


def functions_declared(text):
    """Names of functions that a header declares, without those whose body is there too."""
    plain = re.sub(r"^\s*#(?:\\\n|[^\n])*", "", without_comments(text), flags=re.M)
    plain = plain.replace('extern "C" {', "")
    while re.search(r"\{[^{}]*\}", plain):
        plain = re.sub(r"\{[^{}]*\}", "@", plain)
    names = set()
    for statement in plain.split(";"):
        statement = statement.split("@")[-1].strip()
        match = re.match(r"(?!typedef\b|static\b)[A-Za-z_][\w\s\*]*?\b(\w+)\((?:[^()]|\([^()]*\))*\)(?:\s*__attribute__.*)?$", statement, re.S)
        if match:
            names.add(match.group(1))
    return names


def test_declarations_and_definitions_are_recognised():
    header = '#define F(x) (x)\ntypedef int (*call)(int);\nint one(int a, void (*f)(void));\nstatic inline int two(void) { return f(1); }\nvoid *three(void);\n'
    source = "static int hidden(void)\n{\n}\nint one(int a,\n        void (*f)(void))\n{\n  if (a) { f(); }\n  return 0;\n}\n"
    assert functions_declared(header) == {"one", "three"} and functions_defined(source) == {"one"}


def test_no_header_declares_functions_of_more_files_than_a_reader_can_look_through():
    places = {}
    for path in PRODUCT:
        if path.suffix != ".h":
            for name in functions_defined(path.read_text()):
                places.setdefault(name, set()).add(path)
    found = {path: set().union(*(places.get(name, set()) for name in functions_declared(path.read_text()))) for path in PRODUCT if path.suffix == ".h"}
    assert sum(len(files) > 0 for files in found.values()) > 300, "most headers declare functions that were found"
    wide = {name_of(path): sorted(name_of(file) for file in files) for path, files in found.items() if len(files) > MOST_FILES}
    assert not wide, wide


def test_most_sources_have_a_header_of_their_own():
    """What x.c defines is in x.h. The others fill a row of a table, or share a header with a few files of their folder."""
    alone = sorted(name_of(p) for p in PRODUCT if p.suffix == ".c" and not p.with_suffix(".h").exists())
    assert len(alone) <= MOST_ALONE, f"{len(alone)}: {alone}"
