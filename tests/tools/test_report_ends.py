"""`triad report` is killed: the Python that it has started ends with it."""
import os
import signal
import subprocess

import pytest

from waiting import wait_for


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_python_of_a_report_ends_with_triad(triad, tmp_path, number):
    """$PYTHON is one whose reader never comes to an end."""
    python = tmp_path / "python"
    mark = tmp_path / "pid"
    python.write_text(f"""#!/bin/sh
exec python3 -c '
import os, runpy, sys, time
code = sys.argv[sys.argv.index("-B") + 1] if "-B" in sys.argv else sys.argv[1]
space = runpy.run_path(code + "/__main__.py", run_name="entry")
space["end_with_parent"]()
open("{mark}", "w").write(str(os.getpid()))
time.sleep(600)' "$@"
""")
    python.chmod(0o755)
    process = subprocess.Popen([triad, "report", tmp_path], env=os.environ | {"PYTHON": str(python)}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None)  # a shell may ignore it
    try:
        wait_for(lambda: mark.exists() and mark.read_text(), "the reader")
        child = int(mark.read_text())
        process.send_signal(number)
        process.wait(20)

        def is_gone():
            try:
                return open(f"/proc/{child}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[0] == "Z"
            except OSError:
                return True
        wait_for(is_gone, "the end of the reader")
    finally:
        process.kill()
