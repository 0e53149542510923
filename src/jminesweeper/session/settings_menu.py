"""The settings a player chooses in a menu, kept as soon as they are chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core import MAX_SIDE
from jminesweeper.screen import MenuItem, Typing
from jminesweeper.session.effects import NO_EFFECTS, Effects, Jot
from jminesweeper.session.menus import Choice, Menu
from jminesweeper.session.seat import Seat
from jminesweeper.session.settings import Settings
from jminesweeper.store.ports import PutSettings

_SETTINGS: Final = (
    ("board", "Board"),
    ("columns", "Custom columns"),
    ("rows", "Custom rows"),
    ("mines", "Custom mines"),
    ("rules", "Rules"),
    ("first_click", "First click protected"),
    ("chording", "Chording"),
    ("auto_open", "Open around zeros"),
    ("no_guess", "Boards without guesses"),
    ("palette", "Colours"),
    ("glyphs", "Characters"),
    ("cell_width", "Columns of a cell"),
)


def open_settings(seat: Seat, now_ms: int) -> Effects:
    return seat.show(Menu("Settings", lambda: _choices(seat)), now_ms)


def turn(seat: Seat, name: str, steps: int) -> Effects:
    """Move a setting on."""
    return choose(seat, seat.settings.turned(name, steps))


def choose(seat: Seat, settings: Settings) -> Effects:
    """Choose settings, and have them kept for a known player."""
    if settings == seat.settings:
        return NO_EFFECTS
    seat.settings = settings
    seat.dress()
    player = seat.table.ledger.player
    return (Jot(PutSettings(player, settings.to_texts())),) if player else NO_EFFECTS


def _choices(seat: Seat) -> Sequence[Choice]:
    values, notes = seat.settings.to_texts(), _notes(seat.settings)

    def choice(name: str, label: str) -> Choice:
        item = MenuItem(label, values[name], is_adjustable=True)
        choice = Choice(
            item, lambda _now: turn(seat, name, 1), lambda steps: turn(seat, name, steps)
        )
        return number(name, choice) if name in notes else choice

    def number(name: str, choice: Choice) -> Choice:
        return replace(
            choice,
            item=replace(choice.item, typing=Typing.DIGITS, note=notes[name]),
            write=lambda digits: choose(seat, seat.settings.typed(name, digits)),
        )

    return [choice(name, label) for name, label in _SETTINGS]


def _notes(settings: Settings) -> Mapping[str, str]:
    """Say what the numbers of an own board may be."""
    size = settings.own_size
    return {
        "columns": f"Type a number: 1 to {MAX_SIDE}.",
        "rows": f"Type a number: 1 to {MAX_SIDE}.",
        "mines": f"Type a number: {size} has 1 to {size.most_mines}.",
    }
