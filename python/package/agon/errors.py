"""Failures of the command line, as exceptions with data.

Each has a `code`, the exit code that `agon` would have, and `data`, a dictionary. Ctrl-C is a KeyboardInterrupt.

>>> import agon
>>> try:
...     agon.solve("tic-tac-toe", method="magic")
... except agon.errors.NotOffered as error:
...     print(error.code, error.data["offered"])
2 ['portfolio', 'lines', 'race', 'alphabeta', 'brute', 'strong']
"""

from typing import Any

__all__ = ["AgonError", "Damaged", "NotOffered", "RulesError", "Stopped", "UsageError"]


class AgonError(Exception):
    """The work could not be done."""

    #: The exit code of the command line for this failure.
    code: int
    #: What is known about the failure, by name.
    data: "dict[str, Any]"

    def __init__(self, message: str, code: int = 1, data: "dict[str, Any] | None" = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = dict(data or {})

    def __reduce__(self):
        return (type(self), (str(self), self.code, self.data))


class UsageError(AgonError, ValueError):
    """An argument is wrong; the message says what was given and what would do."""


class NotOffered(UsageError):
    """The game does not offer what was asked for. `data` has `what`, `game` and `offered`."""


class RulesError(AgonError, ValueError):
    """The rules of a game in Python contradict themselves, or return what cannot be used."""


class Stopped(AgonError):
    """A limit ended the work before it had its answer.

    `data["stopped"]` is `time`, `nodes` or `memory`; for a value, `lo` and `hi` are the proven bounds.
    """


class Damaged(AgonError, ValueError):
    """A file or a text does not hold what it should. `data` has `path` and `why`."""
