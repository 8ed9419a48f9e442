"""Registries."""

import json
import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._documents import sorted_out
from cento._run import followed

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from typing_extensions import Unpack

    from cento._options import ForgetOptions, RegisterOptions, RegistryOptions, VerifyOptions


class Registry:
    """A collection that stays and grows, and that documents are held against.

    `create=True` makes it if it is not there, with the options of `cento registry init`: recipe, dictionary,
    retain, unkeyed, keep_bits. What `register` and `forget` do is there when they return.

    >>> import cento, pathlib, tempfile
    >>> with cento.Registry(pathlib.Path(tempfile.mkdtemp()) / "registry", create=True) as registry:
    ...     registry.register({"anna": "The town rebuilt its canal in nine years."})["new"]
    ...     report = registry.verify({"ben": "It is known that the town rebuilt its canal in nine years."})
    ...     [pair["right"] for pair in report.pairs.to_pylist()]
    ...     registry.forget("anna")
    1
    ['registry:anna']
    1
    """

    def __init__(
        self,
        path: "str | os.PathLike[str]",
        *,
        create: bool = False,
        key_file: "str | os.PathLike[str] | None" = None,
        **options: "Unpack[RegistryOptions]",
    ) -> None:
        self.path = os.fspath(path)
        self._key_file = key_file
        self._is_open = True
        if create and not os.path.exists(self.path):
            with followed(options) as given:
                _cento.init(self.path, key_file=key_file, **given)
        elif options:
            raise TypeError(
                f"{', '.join(options)} can only be said when a registry is made; leave them out"
            )
        else:
            self.status()

    def register(self, documents: Any = (), **options: "Unpack[RegisterOptions]") -> dict[str, Any]:
        """Add documents: paths, texts by their names, or a table.

        Documents are known by their ids, so texts need names, unless `id_prefix` tells them from others.
        The options are those of `cento register`, and the result is what its `--json` prints.
        """
        text_key, id_key = options.get("text_key"), options.get("id_key")
        paths, texts = sorted_out(
            documents, text_key, id_key, need_names=not options.get("id_prefix")
        )
        with self._followed(options, reads_files=True) as given:
            done: dict[str, Any] = json.loads(_cento.register(self.path, paths, texts, **given))
            return done

    def verify(self, documents: Any, **options: "Unpack[VerifyOptions]") -> _cento.Report:
        """Find what documents share with registered ones. The options are those of `cento verify`."""
        paths, texts = sorted_out(documents, options.get("text_key"), options.get("id_key"))
        with self._followed(options, reads_files=True) as given:
            return _cento.verify(self.path, paths, texts, **given)

    def forget(self, *ids: str, **options: "Unpack[ForgetOptions]") -> int:
        """Remove documents: these ids, or a `set`, a `submitter`, or what is `expired`. How many it were."""
        for id_ in ids:
            if not isinstance(id_, str):
                raise TypeError(f"forget: {type(id_).__name__} is no id; give ids one by one, forget(*ids)")
        with self._followed(options) as given:
            return _cento.forget(self.path, list(ids), **given)

    def status(self) -> dict[str, Any]:
        """What is in it, as `cento registry status --json` prints it."""
        with self._followed({}) as given:
            done: dict[str, Any] = json.loads(_cento.status(self.path, **given))
            return done

    def close(self) -> None:
        """Nothing more is asked of it."""
        self._is_open = False

    def __enter__(self) -> "Registry":
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self.status()["documents"])

    def __repr__(self) -> str:
        return f"Registry({self.path!r})"

    def _followed(
        self, options: Mapping[str, object], *, reads_files: bool = False
    ) -> "AbstractContextManager[dict[str, Any]]":
        if not self._is_open:
            raise ValueError(f"the registry {self.path} is closed")
        return followed({"key_file": self._key_file, **options}, reads_files=reads_files)
