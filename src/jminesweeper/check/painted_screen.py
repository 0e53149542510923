"""A screen of characters that remembers how each one looks.

Which cell is selected and what a marked mine looks like may be a matter of colours alone, so looks
are compared, never understood: two attributes that are set in another order are the same look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from jminesweeper.client.character_screen import CharacterScreen

Look: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A character and its attributes."""

_EXTENDED: Final[Mapping[str, str]] = {"38": "ink", "48": "paper", "58": "line"}
_EXTENDED_LENGTH: Final = {"5": 2, "2": 4}
_RESETS: Final[Mapping[str, str]] = {
    "22": "weight",
    "23": "3",
    "24": "4",
    "25": "5",
    "27": "7",
    "28": "8",
    "29": "9",
    "39": "ink",
    "49": "paper",
    "59": "line",
}
_WEIGHTS: Final = frozenset({"1", "2"})


class PaintedScreen(CharacterScreen):
    """As much of a terminal as seeing a field needs: characters, colours and the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self._attributes: dict[str, str] = {}
        self._looks: dict[tuple[int, int], tuple[tuple[str, str], ...]] = {}

    def look(self, row: int, columns: Iterable[int]) -> tuple[Look, ...]:
        """Return everything that can be seen in some columns of a row."""
        return tuple(
            (self.rows[row][column], self._looks.get((row, column), ())) for column in columns
        )

    def _write(self, text: str) -> None:
        row, first = self.row, self.column
        super()._write(text)
        attributes = tuple(sorted(self._attributes.items()))
        self._looks.update(((row, column), attributes) for column in range(first, self.column))

    def _obey(self, final: str, parameters: str) -> None:
        if final == "m":
            self._attributes = _set_attributes(self._attributes, parameters.split(";"))
        else:
            super()._obey(final, parameters)


def _set_attributes(found: Mapping[str, str], codes: list[str]) -> dict[str, str]:
    attributes = dict(found)
    skip = 0
    for position, code in enumerate(codes):
        if skip:
            skip -= 1
        elif code in _EXTENDED:
            skip = _EXTENDED_LENGTH.get("".join(codes[position + 1 : position + 2]), 1)
            attributes[_EXTENDED[code]] = ";".join(codes[position : position + skip + 1])
        elif code.strip("0") == "":
            attributes.clear()
        elif code in _RESETS:
            attributes.pop(_RESETS[code], None)
        else:
            attributes[_kind(code)] = code
    return attributes


def _kind(code: str) -> str:
    """Name what a code changes: codes of one kind replace each other."""
    head = code.partition(":")[0]
    if head in _EXTENDED:
        return _EXTENDED[head]
    if head in _WEIGHTS:
        return "weight"
    colour = int(head) % 60 if head.isdecimal() else 0
    return {3: "ink", 4: "paper"}.get(colour // 10, head)
