"""Screens are compared with what a person has looked at and found good.

A file holds the characters, and below them a letter for the look of each: what the letters mean is
at its end.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_letters

import pytest

from tests.golden.scenes import CHOICES, SCENES
from tests.painted import PaintedTerminal

_FOLDER = Path(__file__).parent


def describe(terminal: PaintedTerminal) -> str:
    """Write down all that can be seen on a terminal."""
    looks = terminal.looks()
    rows = [[look.attributes for look in row] for row in looks]
    kinds = sorted({attributes for row in rows for attributes in row} - {""})
    letters = {"": ".", **dict(zip(kinds, ascii_letters, strict=False))}
    characters = ["".join(look.character for look in row).rstrip() for row in looks]
    styles = ["".join(letters[attributes] for attributes in row).rstrip(".") for row in rows]
    row, column = terminal.cursor
    shown = "shown" if terminal.is_cursor_shown else "hidden"
    return "\n".join(
        [
            *characters,
            f"--- cursor at row {row}, column {column}, {shown}",
            *styles,
            "--- looks",
            *(f"{letters[kind]} {kind}" for kind in kinds),
            "",
        ]
    )


@pytest.mark.requirement(
    *("C:Visual Feedback", "C:Mine Counter", "C:Timer Display", "C:Losing Condition"),
    *("C:Winning Condition", "J:screen content", "J:lost field", "J:reveal bomb"),
)
@pytest.mark.parametrize("name", SCENES)
def test_a_screen_looks_as_it_was_found_good(name: str, updates_golden: bool) -> None:
    path = _FOLDER / f"{name}.txt"
    seen = describe(SCENES[name]())
    if updates_golden:
        path.write_text(seen, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == seen


def test_a_waiting_room_with_two_columns_of_choices_cuts_none() -> None:
    text = describe(SCENES["waiting-host"]())
    assert [label for label in CHOICES if f"{label} " not in text] == []


def test_every_kept_screen_is_still_painted() -> None:
    assert {path.stem for path in _FOLDER.glob("*.txt")} == set(SCENES)
