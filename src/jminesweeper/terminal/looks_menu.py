"""Looks as rows of a menu: they are chosen like the server's settings, and stay here."""

from __future__ import annotations

from typing import Any, Final

from jminesweeper.protocol.packets import Pick
from jminesweeper.terminal.looks import LOOKS, Looks
from jminesweeper.terminal.view import Row

_PREFIX: Final = "looks."
_LABELS: Final = {
    "palette": ("Colours", "The colours of cells, flags and numbers."),
    "ground": ("Cells", "Dark cells or light ones; choose what suits your terminal."),
    "cells": ("Cell size", "Columns and rows of a cell; auto: as many as fit."),
    "covers": ("Covered cells", "Coloured tiles, or signs in the terminal's own colours."),
    "characters": ("Characters", "ASCII helps where frames or flags look wrong."),
}


def look_rows(looks: Looks) -> list[Row]:
    """Return the rows, under a heading of their own."""
    rows = [Row("looks", kind="heading", label="This terminal")]
    for name, values in LOOKS.items():
        label, explanation = _LABELS[name]
        choices = tuple(value.value for value in values)
        now = getattr(looks, name).value
        rows.append(Row(_PREFIX + name, "choice", label, now, choices, help=explanation))
    return rows


def is_look(pick: Pick) -> bool:
    """Whether a choice is nobody else's business."""
    return pick.row.startswith(_PREFIX)


def with_look(looks: Looks, pick: Pick) -> Looks:
    """Return looks with one of them as it was chosen."""
    name = pick.row.removeprefix(_PREFIX)
    chosen: dict[str, Any] = {name: LOOKS[name](pick.value)}
    return looks._replace(**chosen)
