"""Archives of pages."""

import json
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._run import followed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from typing_extensions import Unpack

    from cento._options import ArchiveAddOptions, ArchiveOptions


class Archive:
    """Versions of pages: what changed much is stored whole, what changed little as a patch.

    `create=True` makes it if it is not there, with the options of `cento archive init`: recipe, level,
    patch_share. A page is named by a `str`, its versions are files.

    >>> import cento, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> monday, tuesday = folder / "monday.html", folder / "tuesday.html"
    >>> _ = monday.write_text("<html><body><p>The town rebuilt its canal.</p></body></html>")
    >>> _ = tuesday.write_text("<html><body><p>The town rebuilt its  canal.</p></body></html>")
    >>> with cento.Archive(folder / "archive", create=True) as archive:
    ...     done = archive.add("http://example.org/", monday, tuesday)
    ...     [version["kind"] for version in done["added"]]
    ...     archive.get("http://example.org/@1") == monday.read_bytes()
    ['significant', 'text']
    True
    """

    def __init__(
        self,
        path: "str | os.PathLike[str]",
        *,
        create: bool = False,
        **options: "Unpack[ArchiveOptions]",
    ) -> None:
        self.path = os.fspath(path)
        self._is_open = True
        if create and not os.path.exists(self.path):
            with followed(options) as given:
                _cento.archive_init(self.path, **given)
        elif options:
            raise TypeError(
                f"{', '.join(options)} can only be said when an archive is made; leave them out"
            )
        else:
            self.stats()

    def add(
        self,
        name: "str | os.PathLike[str]",
        *files: "os.PathLike[str]",
        **options: "Unpack[ArchiveAddOptions]",
    ) -> dict[str, Any]:
        """Add versions of a page, the oldest first; or, without a name, all pages of web archives (WARC)."""
        named, paths = (name, files) if isinstance(name, str) else (None, (name, *files))
        given_paths = []
        for path in paths:
            if isinstance(path, str):
                raise TypeError(f"a file is a path; give pathlib.Path({path[:40]!r})")
            given_paths.append(os.fspath(path))
        if not given_paths:
            raise TypeError("add: name a file with a version of the page, as a pathlib.Path")
        with self._followed(options, reads_files=True) as given:
            done: dict[str, Any] = json.loads(
                _cento.archive_add(self.path, named, given_paths, **given)
            )
            return done

    def log(self, name: "str | None" = None, *, sha1: bool = False) -> list[dict[str, Any]]:
        """The versions of a page; without a name, all pages."""
        with self._followed({}) as given:
            listed: list[dict[str, Any]] = json.loads(
                _cento.archive_log(self.path, name, sha1, **given)
            )
            return listed

    def get(self, version: str, *, transferred: bool = False) -> bytes:
        """A version as it was, byte for byte: `NAME@VERSION`, or the last one of a page."""
        with self._followed({}) as given:
            return _cento.archive_get(self.path, version, transferred, **given)

    def diff(self, left: str, right: "str | int") -> dict[str, Any]:
        """Which words two versions do not share, and which have moved."""
        with self._followed({}, reads_files=True) as given:
            changes: dict[str, Any] = json.loads(
                _cento.archive_diff(self.path, left, str(right), **given)
            )
            return changes

    def forget(self, *names: str) -> dict[str, Any]:
        """Remove pages, or versions as `NAME@VERSION`, for good."""
        if not names:
            raise TypeError("forget: name pages, or versions as NAME@VERSION")
        with self._followed({}) as given:
            done: dict[str, Any] = json.loads(_cento.archive_forget(self.path, list(names), **given))
            return done

    def stats(self) -> dict[str, Any]:
        """What is in it, and what it takes."""
        with self._followed({}) as given:
            done: dict[str, Any] = json.loads(_cento.archive_stats(self.path, **given))
            return done

    def check(self) -> dict[str, Any]:
        """Check every version; `faults` says what is wrong."""
        with self._followed({}) as given:
            done: dict[str, Any] = json.loads(_cento.archive_check(self.path, **given))
            return done

    def close(self) -> None:
        """Nothing more is asked of it."""
        self._is_open = False

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Archive({self.path!r})"

    def _followed(
        self, options: "Mapping[str, object]", *, reads_files: bool = False
    ) -> "AbstractContextManager[dict[str, Any]]":
        if not self._is_open:
            raise ValueError(f"the archive {self.path} is closed")
        return followed(options, reads_files=reads_files)
