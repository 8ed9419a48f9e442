"""Recipes."""

import os
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._columns import chunks
from cento._run import followed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cento._options import Following


class Recipe:
    """How texts become fingerprints: a name from `cento recipes`, or four stages.

    >>> import cento
    >>> recipe = cento.Recipe("words+fold | window:5 | fast:64+sorted | all")
    >>> fingerprint = recipe.fingerprint("The town rebuilt its canal in nine years.")
    >>> len(fingerprint)
    4
    >>> other = recipe.fingerprint("Everybody says that the town rebuilt its canal in nine years.")
    >>> fingerprint.score(other, "containment")
    1.0
    >>> cento.Recipe("nonsense")
    Traceback (most recent call last):
    cento.OptionError: recipe: ...
    """

    def __init__(
        self,
        recipe: str = "default",
        *,
        dictionary: "str | os.PathLike[str] | None" = None,
        key_file: "str | os.PathLike[str] | None" = None,
    ) -> None:
        self._recipe = _cento.Recipe(recipe, dictionary=dictionary, key_file=key_file)
        self._arguments = (recipe, dictionary, key_file)

    def fingerprint(self, text: str) -> _cento.Fingerprint:
        """The fingerprint of a text."""
        return self._recipe.fingerprint(text)

    def fingerprints(self, column: Any, **options: "Unpack[Following]") -> _cento.Column:
        """The fingerprints of a column of texts: a list of digests for each.

        The column is an Arrow array, a series of pandas or Polars, a column of a dataset or a list of
        strings; the result is an Arrow array. A missing text has a missing fingerprint.

        >>> import cento
        >>> digests = cento.Recipe().fingerprints(["one two three four five six", None])
        >>> digests
        <cento.Column of 2 × list<uint64>>
        >>> [one and len(one) for one in digests.to_pylist()]
        [2, None]
        """
        with followed(options) as given:
            del given["_remarks"]
            return self._recipe.fingerprints(chunks(column), **given)

    @property
    def is_keyed(self) -> bool:
        """Whether a secret key has a say in it."""
        return self._recipe.is_keyed

    def __str__(self) -> str:
        return str(self._recipe)

    def __repr__(self) -> str:
        return repr(self._recipe)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self._recipe == other._recipe

    def __hash__(self) -> int:
        return hash(self._recipe)

    def __reduce__(self) -> Any:
        return _recipe_again, self._arguments


def _recipe_again(recipe: str, dictionary: Any, key_file: Any) -> Recipe:
    """A recipe that was sent to another process."""
    return Recipe(recipe, dictionary=dictionary, key_file=key_file)
