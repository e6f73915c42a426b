"""JSON as src/base/json.c reads and writes it, against Python's: what is accepted, and every value."""

import json
import math
import os
import random
import shlex
import subprocess

import pytest

from conftest import BUILD, ROOT

DEEPEST = 64
HOSTILE = [
    "", " ", "{", "[", "]", "[1", "[1,", "[1,]", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{,}", "{1:2}", '{"a" 1}',
    '{"a":1 "b":2}', "[1 2]", "tru", "nul", "truex", "True", "NaN", "Infinity", "-Infinity", "[NaN]", "-", "+1", "01", "-01", "1.",
    ".5", "1e", "1e+", "0x10", "1_0", "--1", "1.5.2", '"', '"a', '"\\', '"\\"', '"\\x41"', '"\\u12"', '"\\u12G4"', '"\\U0041"',
    '"\n"', '"\t"', '"\x01"', "'a'", "/* no */ 1", "1 // no", "[1]]", "{} {}", "\ufeff1", '"a" "b"', "[" * DEEPEST, "[" * 100000,
    '{"a":' * 100000, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "[1}", '{"a":1]', "null\x00", "\x0b1", "\xa01"]
BAD_UTF8 = [b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\xe2\x82"', b'{"\x80": 1}', b"\xff"]
GOOD = [
    "1", "-0", "0.1", "1e5", "1E-5", "-12.5e+3", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "123456789012345678901234567890", "1e400", "5e-324", "2.2250738585072011e-308", "0." + "1" * 400, "0.30000000000000004",
    "true", "false", "null", "[]", "{}", " [ ] ", "\t{\r\n}\n", '""', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u0041\\u00e9\\u20AC"',
    '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00x"', '"\\ud83d\\ud83d\\ude00"', '"\\u0000"', '"\x7f\u0080\u2028é€😀"',
    '{"a": 1, "b": [true, {"c": null}]}', '{"a": 1, "a": 2}', '{"": ""}', "[[[[1]]],[2,[3]]]",
    "[" * DEEPEST + "]" * DEEPEST, json.dumps("x" * 5000 + "é" * 400), json.dumps({f"k{i}": i for i in range(300)})]


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """A function: what became of each text; None where it was refused."""
    program = tmp_path_factory.mktemp("json") / "copy"
    flags = ["-fsanitize=address,undefined"] if "sanitize" in str(BUILD) else []
    subprocess.run([*shlex.split(os.environ.get("MPICC", "mpicc")), "-std=c17", "-D_GNU_SOURCE", "-g", *flags, "-iquote", ROOT / "src",
                    ROOT / "tests/help/json_copy.c", BUILD / "libtriad.a", "-lm", "-o", program], check=True, timeout=60)

    def run(texts):
        stream = b"".join(b"%d\n%s" % (len(text), text) for text in texts)
        lines = subprocess.run([program], input=stream, capture_output=True, check=True, timeout=60).stdout.splitlines()
        assert len(lines) == len(texts)
        return [None if line == b"refused" else line.decode() for line in lines]
    return run


def refuse(word):
    raise ValueError(word)


def depth(value):
    """Of containers within each other."""
    if isinstance(value, (dict, list)):
        return 1 + max((depth(v) for v in (value.values() if isinstance(value, dict) else value)), default=0)
    return 0


def expected(data):
    """Python's value as this program writes it: infinite numbers are null, half a pair and NUL are U+FFFD. None: no JSON."""
    def plain(value):
        if isinstance(value, dict):
            return {plain(k): plain(v) for k, v in value.items()}
        if isinstance(value, list):
            return [plain(v) for v in value]
        if isinstance(value, str):
            return "".join("\ufffd" if 0xd800 <= ord(c) < 0xe000 or c == "\0" else c for c in value)
        if isinstance(value, float) and math.isinf(value):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and not -2**63 <= value < 2**63:
            return float(value)
        return value
    try:
        return [plain(json.loads(data.decode(), parse_constant=refuse))]
    except (ValueError, RecursionError):
        return None


def equal(a, b):
    """Where 1 is 1.0 and neither is true."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def same(copy, data):
    want = expected(data)
    if copy is None:
        return want is None or depth(want) > DEEPEST + 1
    return want is not None and equal(json.loads(copy), want[0])


@pytest.mark.quick
def test_values_are_those_of_python(copies):
    texts = [text.encode("utf-8", "surrogatepass") for text in GOOD]
    for text, copy in zip(texts, copies(texts)):
        assert copy is not None and same(copy, text), (text, copy)


@pytest.mark.quick
def test_hostile_text_is_refused(copies):
    texts = [text.encode() for text in HOSTILE] + BAD_UTF8
    for text, copy in zip(texts, copies(texts)):
        assert copy is None, (text[:80], copy)
        assert expected(text) is None or depth(expected(text)) > DEEPEST + 1, text[:80]


def test_every_truncation_is_refused(copies):
    whole = json.dumps({"a": [1.5, -2e-7, True, None, "x\u20ac\"\\"], "b": {"c": {}}}).encode()
    assert copies([whole[:n] for n in range(len(whole))]) == [None] * len(whole)


def test_mutated_text_is_judged_as_python_does(copies):
    seed = int(os.environ.get("TRIAD_TEST_SEED", "1"))
    print("seed", seed)
    r = random.Random(seed)
    texts = []
    for _ in range(20000):
        data = bytearray(r.choice([g for g in GOOD if len(g) < 200]).encode("utf-8", "surrogatepass"))
        for _ in range(r.randint(1, 3)):
            at = r.randrange(len(data) + 1)
            data[at:at + r.randint(0, 2)] = r.choice([b"", b'"', b"\\", b"[", b"]", b"{", b"}", b",", b":", b"1", b"e", b"-", b".", b"\\u", b"\xc3", b" "])
        texts.append(bytes(data))
    wrong = [(text, copy) for text, copy in zip(texts, copies(texts)) if not same(copy, text)]
    assert not wrong, wrong[:5]


def test_random_numbers_come_back_exactly(copies):
    r = random.Random(int(os.environ.get("TRIAD_TEST_SEED", "1")))
    values = [r.uniform(-1, 1) * 10.0 ** r.randint(-300, 300) for _ in range(5000)]
    copy, = copies([json.dumps(values).encode()])
    assert json.loads(copy) == values
