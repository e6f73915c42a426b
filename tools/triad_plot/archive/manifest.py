"""manifest-sha256.txt: the checksum of every other file, as `sha256sum` writes and checks them; archives as folders and as files."""
import contextlib
import hashlib
import io
import json
import os
import posixpath
import stat
import tarfile
import urllib.parse
import zipfile

from triad_plot.problem import BAD, MISSING, Problem, of_reading

NAME, CRATE = "manifest-sha256.txt", "ro-crate-metadata.json"
BLOCK = 1 << 20
ENDINGS = (".tar", ".tar.gz", ".tgz", ".zip")
MOST_TEXT = 64 << 20   # bytes of the manifest and of the metadata
EPOCH = (1980, 1, 1, 0, 0, 0)


def is_file_name(path):
    return path.lower().endswith(ENDINGS)


def sum_of(stream):
    digest, size = hashlib.sha256(), 0
    while True:
        block = stream.read(BLOCK)
        if not block:
            return digest.hexdigest(), size
        digest.update(block)
        size += len(block)


def paths_in(folder):
    """Relative paths of all files, in order; a link or a special file is a Problem."""
    out = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = os.path.join(place, name)
            if not stat.S_ISREG(os.lstat(path).st_mode):
                raise Problem(f"{path}: not a regular file")
            out.append(os.path.relpath(path, folder).replace(os.sep, "/"))
        for name in folders:
            if os.path.islink(os.path.join(place, name)):
                raise Problem(f"{os.path.join(place, name)}: a link; an archive has files only")
    return sorted(out)


def write(folder):
    lines = []
    for path in paths_in(folder):
        if path != NAME:
            with open(os.path.join(folder, path), "rb") as file:
                lines.append(f"{sum_of(file)[0]}  {path}\n")
    with open(os.path.join(folder, NAME), "w", encoding="utf-8") as out:
        out.writelines(lines)


def parse(text):
    """{path: checksum}; a Problem for a line that is none."""
    out = {}
    for number, line in enumerate(text.splitlines(), 1):
        digest, _, path = line.partition("  ")
        if len(digest) != 64 or set(digest) - set("0123456789abcdef") or not is_safe(path) or path in out:
            raise Problem(f"{NAME}: line {number} is damaged")
        out[path] = digest
    return out


def is_safe(path):
    """A relative path that stays within the archive."""
    return bool(path) and not path.startswith("/") and "\\" not in path and ".." not in path.split("/") and posixpath.normpath(path) == path


# ---- archives as one file ----

def pack(folder, to, name):
    """The folder as a tar or zip file, of the kind that `name` ends in: the same bytes for the same files."""
    top, kind = name, name.lower()
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if kind.endswith(ending):
            top = top[:-len(ending)]
            break
    names = paths_in(folder)
    if kind.endswith(".zip"):
        with zipfile.ZipFile(to, "w", zipfile.ZIP_STORED, allowZip64=True) as out:
            for name in names:
                entry = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_STORED if name.endswith((".h5", ".vtkhdf", ".png")) else zipfile.ZIP_DEFLATED
                with open(os.path.join(folder, name), "rb") as file, out.open(entry, "w", force_zip64=True) as into:
                    while block := file.read(BLOCK):
                        into.write(block)
        return
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(open(to, "wb"))
        if not kind.endswith(".tar"):
            import gzip
            stream = stack.enter_context(gzip.GzipFile("", "wb", 6, stream, mtime=0))
        out = stack.enter_context(tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT))
        for name in names:
            path = os.path.join(folder, name)
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = os.path.getsize(path), 0o644, 315532800
            with open(path, "rb") as file:
                out.addfile(entry, file)


def _of_folder(path):
    for name in paths_in(path):
        with open(os.path.join(path, name), "rb") as file:
            yield name, file


def _inner(name, tops):
    """The path below the one folder of a packed archive."""
    top, slash, rest = name.partition("/")
    tops.add(top)
    if not slash or not is_safe(name) or len(tops) > 1:
        raise Problem(f"{name[:200]}: not a path of an archive: all files must be in one folder")
    return rest


def _of_zip(path):
    tops = set()
    with zipfile.ZipFile(path) as packed:
        for entry in packed.infolist():
            if not entry.is_dir():
                with packed.open(entry) as file:
                    yield _inner(entry.filename, tops), file


def _of_tar(path):
    tops = set()
    with tarfile.open(path, "r:*") as packed:
        for entry in packed:
            if entry.isdir():
                continue
            if not entry.isfile():
                raise Problem(f"{entry.name[:200]}: a link or a special file; an archive has files only")
            yield _inner(entry.name, tops), packed.extractfile(entry)


def read(path, take):
    """take(name, stream) of every file of an archive; a Problem where it cannot be read to its end."""
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file or folder", MISSING)
    try:
        if os.path.isdir(path):
            files = _of_folder(path)
        else:
            files = _of_zip(path) if zipfile.is_zipfile(path) else _of_tar(path)
        for name, stream in files:
            take(name, stream)
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, RuntimeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno and not isinstance(error, tarfile.TarError):
            raise of_reading(path, error) from None
        raise Problem(f"{path}: damaged: {' '.join(str(error).split())[:200] or type(error).__name__}") from None
    except Exception as error:  # zlib.error, lzma.LZMAError, struct.error, ..
        if isinstance(error, Problem):
            raise
        raise Problem(f"{path}: damaged: {' '.join(str(error).split())[:200]}") from None


def verify(path):
    """All that is wrong with an archive, a line each; how many files and bytes are right."""
    found, kept = {}, {}

    def take(name, stream):
        if name in (NAME, CRATE):
            data = stream.read(MOST_TEXT + 1)
            if len(data) > MOST_TEXT:
                raise Problem(f"{path}: {name} is too long")
            kept[name] = data
            stream = io.BytesIO(data)
        if name in found:
            raise Problem(f"{path}: {name} is in it twice")
        found[name] = sum_of(stream)
    read(path, take)
    if NAME not in kept:
        raise Problem(f"{path}: not an archive of Triad, or damaged: {NAME} is missing")
    wanted = parse(kept[NAME].decode("utf-8", "replace"))
    wrong = [f"{name}: missing" for name in wanted if name not in found]
    wrong += [f"{name}: not in {NAME}" for name in sorted(found) if name not in wanted and name != NAME]
    wrong += [f"{name}: changed: its checksum is not that of {NAME}" for name in wanted if name in found and found[name][0] != wanted[name]]
    if CRATE in wanted and CRATE in kept and found[CRATE][0] == wanted[CRATE]:
        wrong += described(kept[CRATE], {name: found[name] for name in wanted if name in found})
    elif CRATE not in wanted:
        wrong.append(f"{CRATE}: missing")
    return wrong, len(found), sum(size for _digest, size in found.values())


def described(text, found):
    """What the metadata say of files that is not so."""
    try:
        graph = {item["@id"]: item for item in json.loads(text)["@graph"]}
        parts = {urllib.parse.unquote(part["@id"]) for part in graph["./"]["hasPart"]}
    except (ValueError, KeyError, TypeError, AttributeError):
        return [f"{CRATE}: not the metadata of an archive"]
    files = {name for name in found if name != CRATE}
    out = [f"{name}: not described in {CRATE}" for name in sorted(files - parts)]
    return out + [f"{name}: described in {CRATE}, but missing" for name in sorted(parts - files - {NAME}) if not name.endswith("/")]


def say(path):
    """The exit code of --verify."""
    wrong, count, size = verify(path)
    for line in wrong:
        print("".join(c if c.isprintable() else "\ufffd" for c in line))
    if wrong:
        raise Problem(f"{path}: {len(wrong)} error{'s' * (len(wrong) > 1)}: the archive is damaged or was changed", BAD)
    print(f"{path}: {count} files, {size} bytes: all are as {NAME} says")
    return 0
