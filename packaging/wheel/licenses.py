"""The licences of the libraries that a wheel contains: licenses.py FOLDER LIBRARY.., and paths from standard input.

Copies Debian's copyright file of each library's package, and the GNU licences that these name, and writes an index. The
libraries of every Linux (glibc, libz and others that a manylinux wheel may expect) are not contained, and left out."""
import glob
import os
import re
import shutil
import subprocess
import sys

EXPECTED = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z|expat|mpi)\.so")
COMMON = "/usr/share/common-licenses"
HEAD = """# Licences of what this wheel contains

Triad is under the BSD-3-Clause licence (LICENSE). FFTW is under the GNU General Public License, version 2 or later, which
the BSD licence is compatible with; METIS under Apache 2.0, which version 3 of the GPL is compatible with. The library
libtriad.so is linked with both, so **this wheel as a whole is under the GPL, version 3 or later**. The sources of Triad
of this commit and of Debian's packages below, which are unchanged, are the corresponding sources; in libhdf5.a two names
were changed (packaging/wheel/streams.c). Triad's sources alone, and a program built from them with another FFTW, are BSD.

| library | Debian's package | version | licence |
| --- | --- | --- | --- |
"""


def package_of(path):
    for name in (path, os.path.realpath(path), re.sub(r"^/lib", "/usr/lib", path)):
        said = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if said.returncode == 0:
            return said.stdout.split(":")[0]
    sys.exit(f"licenses.py: no Debian package has {path}")


def main(folder, *paths):
    text, common = HEAD, set()
    for path in sorted({*paths, *sys.stdin.read().split()}, key=os.path.basename):
        if EXPECTED.match(os.path.basename(path)):
            continue
        package = package_of(path)
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout
        file = f"{package}.txt"
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", os.path.join(folder, file))
        with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as copyright:
            common |= set(re.findall(COMMON + r"/((?:L?GPL|Apache)-[0-9.]*[0-9])", copyright.read()))
        text += f"| {os.path.basename(path)} | {package} | {version} | [{file}]({file}) |\n"
    for name in sorted(common | {"GPL-2", "GPL-3"}):
        for path in glob.glob(f"{COMMON}/{name}"):
            shutil.copyfile(path, os.path.join(folder, name + ".txt"))
    with open(os.path.join(folder, "THIRD-PARTY.md"), "w", encoding="utf-8") as out:
        out.write(text)


main(*sys.argv[1:])
