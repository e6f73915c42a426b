"""What is generated from help texts and the schema: manual pages that mandoc accepts, completion that bash runs."""

import shutil
import subprocess

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick


def made(triad, *words):
    result = subprocess.run([triad, *words], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and not result.stderr, result
    return result.stdout


PAGES = {"triad.1": ("help", "--manual"), "triad-case.5": ("case", "--manual")}


@pytest.mark.parametrize("page", PAGES)
def test_manual_page_has_no_fault_that_mandoc_finds(triad, tmp_path, page):
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not there: apt install mandoc")
    path = tmp_path / page
    path.write_text(made(triad, *PAGES[page]))
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True, timeout=60)
    assert lint.returncode == 0 and not lint.stdout, lint.stdout


def test_manual_tells_every_command_and_every_key(triad):
    page = made(triad, "help", "--manual")
    commands = [line.split()[0] for line in made(triad, "--help").splitlines() if line.startswith("  ")]
    for command in set(commands) - {"help", "triad"}:
        assert f".SS triad {command}\n" in page, command
    keys = made(triad, "case", "--manual")
    for line in made(triad, "case", "--keys", "grid").splitlines():
        if line and not line.startswith(" "):
            assert f"\\fB\\&{line.split('.')[1]}\\fP\n" in keys, line


def complete(triad, folder, *words):
    """What bash offers for the last word, split at = as bash splits."""
    script = folder / "completion"
    script.write_text(made(triad, "help", "--completion"))
    quoted = " ".join(f"'{w}'" for w in words)
    ask = (f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _triad; "
           'printf "%s\\n" "${COMPREPLY[@]}"')
    result = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True, timeout=60, cwd=folder)
    assert result.returncode == 0 and not result.stderr, result
    return set(result.stdout.split())


def test_completion_knows_commands_options_keys_words_and_files(triad, tmp_path):
    (tmp_path / "my-case.toml").touch()
    (tmp_path / "other.txt").touch()
    assert complete(triad, tmp_path, "triad", "ru") == {"run"}
    assert complete(triad, tmp_path, "triad", "run", "--max") == {"--max-walltime"}
    assert {"grid.n=", "grid.length=", "grid.truncation="} <= complete(triad, tmp_path, "triad", "run", "--set", "grid.")
    assert complete(triad, tmp_path, "triad", "run", "--set", "grid.truncation", "=") == {"sphere", "box", "none"}
    assert complete(triad, tmp_path, "triad", "run", "--set", "grid.truncation", "=", "sp") == {"sphere"}
    assert complete(triad, tmp_path, "triad", "run", "--set", "output.report", "=") == {"true", "false"}
    assert complete(triad, tmp_path, "triad", "run", "") == {"my-case.toml"}


def test_completion_has_no_fault_that_shellcheck_finds(triad, tmp_path):
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not there: apt install shellcheck")
    script = tmp_path / "completion"
    script.write_text(made(triad, "help", "--completion"))
    found = subprocess.run(["shellcheck", "-s", "bash", script], capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stdout
