"""The reports of the command line, and pictures."""

from typing import Any, Optional

__all__ = ["Picture", "Report"]


class Report(dict):
    """An answer: a dictionary with the keys of `--json` (docs/json.md) that reads like the command's text.

    >>> import agon
    >>> report = agon.count("nim:1+2")
    >>> report["positions"]
    7
    >>> str(report).splitlines()[0]
    'nim:1+2 from 1+2'
    """

    #: The text of the command line.
    text: str
    #: The certificate as bytes, if it was asked for and there is one.
    certificate: Optional[bytes]

    def __init__(self, data: "dict[str, Any]", text: str, certificate: Optional[bytes] = None) -> None:
        super().__init__(data)
        self.text = text
        self.certificate = certificate

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer, cycle) -> None:
        # Notebooks would print a dictionary as one.
        printer.text(self.text)

    def __reduce__(self):
        return (type(self), (dict(self), self.text, self.certificate))


class Picture(str):
    """An SVG picture: a text that draws itself in a notebook.

    >>> import agon
    >>> picture = agon.game("tic-tac-toe").start().svg()
    >>> picture.startswith("<svg"), repr(picture)[:16]
    (True, '<Picture: SVG of')
    """

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Picture: SVG of {len(self)} characters>"
