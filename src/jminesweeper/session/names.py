"""Names that players give: to themselves, and to what they save."""

from __future__ import annotations

from typing import Final

LONGEST_NAME: Final = 64


def typeable(text: str) -> str:
    """Keep of a piece of text what can be shown in one line."""
    return "".join(letter for letter in text if letter.isprintable())


def printable(name: str) -> str:
    """Keep of a whole name what can be shown, as far as names are kept."""
    return typeable(name).strip()[:LONGEST_NAME]
