"""`triad-plot` from a process that has numpy and matplotlib already, for pages that draw dozens of figures: a start of Python with them
takes longer than most figures. Each command is a fork of it, with its own folder, environment and output, so that none sees another.

test_tools.py and test_figures.py start tools/triad-plot itself."""

import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"

# What stands in for tools/triad-plot: its words, and where it reads and writes, go to the server; the exit code comes back.
CLIENT = """#!{python} -SE
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
about = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(about).to_bytes(4, "little")], [0, 1, 2])
server.sendall(about)
code = server.recv(1)
sys.exit(code[0] if code else "triad-plot has ended without an exit code")
"""


def answer(client):
    """In a process of its own: one command, and its exit code."""
    length, files, _, _ = socket.recv_fds(client, 4, 3)
    about = b""
    while len(about) < int.from_bytes(length, "little"):
        about += client.recv(1 << 20)
    words, folder, environment = json.loads(about)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for to, file in enumerate(files):
        os.dup2(file, to)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    from triad_plot.begin import main
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    sys.stdout.flush()
    sys.stderr.flush()
    client.sendall(bytes([code or 0]))


def serve(address):
    sys.path.insert(0, str(TOOLS))
    import h5py  # noqa: F401
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot  # noqa: F401
    from triad_plot import command  # noqa: F401
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    print("ready", flush=True)
    while True:
        client, _ = listener.accept()
        child = os.fork()
        if child == 0:
            try:
                answer(client)
            except BaseException:
                traceback.print_exc()  # and the client reads no code
            os._exit(0)
        client.close()


class Plotter:
    def __init__(self, folder, environment):
        self.address = str(folder / "plotter")
        self.process = subprocess.Popen([sys.executable, __file__, self.address], env=environment, stdout=subprocess.PIPE, text=True)
        self.ready = self.process.stdout.readline() == "ready\n"  # not where a module is missing: then the tool itself says so
        self.client = CLIENT.format(python=sys.executable, address=self.address)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    serve(sys.argv[1])
