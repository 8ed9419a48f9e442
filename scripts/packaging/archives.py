"""Archives whose bytes depend on nothing but what is in them and the time that they are given."""

import gzip
import io
import os
import pathlib
import tarfile


def epoch():
    """The time of everything in a release: when its commit was made, as SOURCE_DATE_EPOCH says."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def member(name, mode, size=0, kind=tarfile.REGTYPE, owner=0):
    """An entry of an archive; names of users are left to the machine that unpacks it."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode, entry.size = kind, mode, size
    entry.mtime, entry.uid, entry.gid = epoch(), owner, owner
    return entry


def add_file(archive, name, data, mode=0o644, owner=0):
    archive.addfile(member(name, mode, len(data), owner=owner), io.BytesIO(data))


def add_folder(archive, name, mode=0o755, owner=0):
    archive.addfile(member(name, mode, kind=tarfile.DIRTYPE, owner=owner))


def add_tree(archive, folder, name):
    """Everything below a folder, sorted; what its owner may run, everybody may."""
    folder = pathlib.Path(folder)
    add_folder(archive, name)
    for path in sorted(folder.iterdir()):
        inside = f"{name}/{path.name}"
        if path.is_dir():
            add_tree(archive, path, inside)
        else:
            may_run = path.stat().st_mode & 0o100
            add_file(archive, inside, path.read_bytes(), 0o755 if may_run else 0o644)


def tar(write):
    """The bytes of the archive that `write` fills."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        write(archive)
    return out.getvalue()


def packed(data, level):
    """gzip without a name and a time."""
    return gzip.compress(data, compresslevel=level, mtime=0)
