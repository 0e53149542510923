"""Names that players give: to themselves, and to what they save."""

from __future__ import annotations

from typing import Final
from unicodedata import category, normalize

LONGEST_NAME: Final = 64


def typeable(text: str) -> str:
    """Keep of a piece of text what can be shown in one line.

    Marks that no letter takes in are left out, as screens leave them out: names that differ in
    nothing else would look the same there, or like none at all.
    """
    letters = normalize("NFC", text)
    return "".join(one for one in letters if one.isprintable() and category(one)[0] != "M")


def printable(name: str) -> str:
    """Keep of a whole name what can be shown, as far as names are kept."""
    return typeable(name).strip()[:LONGEST_NAME]
