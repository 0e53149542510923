"""The settings a player chooses in a menu, kept as soon as they are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from jminesweeper.core.grid import MAX_SIDE
from jminesweeper.screen.models import MenuItem, Typing
from jminesweeper.session import messages
from jminesweeper.session.menus import Menu, Pick, Row, TextField
from jminesweeper.session.names import NOBODY, player_name
from jminesweeper.session.player import Player
from jminesweeper.session.settings import Settings
from jminesweeper.session.talks import STAY, Flow

_LABELS: Final = (
    ("board", "Board"),
    ("columns", "Custom columns"),
    ("rows", "Custom rows"),
    ("mines", "Custom mines"),
    ("rules", "Rules"),
    ("first_click", "First click protected"),
    ("chording", "Chording"),
    ("auto_open", "Open around zeros"),
    ("no_guess", "No-guess boards"),
    ("question_marks", "Question marks"),
    ("pace", "Pace in the header"),
    ("palette", "Colours"),
    ("glyphs", "Characters"),
    ("cell_size", "Cell size"),
)
_NAME: Final = "Name"


def change_settings(player: Player) -> Flow:
    menu = Menu("Settings", partial(_rows, player), has_preview=True)
    while (yield menu) is not None:
        yield from _change_name(player)
        menu.refresh()
    return STAY


def _change_name(player: Player) -> Flow:
    """Ask for a name."""
    item = MenuItem(_NAME, player.lease.name, note=messages.WHERE_NAMES_ARE)
    pick: Pick | None = yield TextField("Your name", item)
    if pick is not None:
        name = player_name(pick.value)
        player.lease.put_name(name, player.now_ms)
        player.say(messages.named(name))
    return STAY


def turn_setting(player: Player, name: str, steps: int) -> None:
    """Change a setting."""
    choose_settings(player, player.settings.turned(name, steps))


def choose_settings(player: Player, settings: Settings) -> None:
    """Let the player change settings; store those of a known player."""
    if settings != player.settings:
        player.settings = settings
        player.dress()
        player.lease.put_settings(settings.to_texts(), player.now_ms)


def _type_setting(player: Player, name: str, digits: str) -> None:
    choose_settings(player, player.settings.typed(name, digits))


def _rows(player: Player) -> Sequence[Row]:
    own = MenuItem(_NAME, player.lease.name or NOBODY, is_enabled=player.lease.is_held)
    return [*(setting_row(player, name, label) for name, label in _LABELS), Row(own, _NAME)]


def setting_row(player: Player, name: str, label: str) -> Row:
    value, turn = player.settings.text(name), partial(turn_setting, player, name)
    note = _range_of(name, player.settings)
    if not note:
        return Row(MenuItem(label, value, is_adjustable=True), turn=turn)
    item = MenuItem(label, value, is_adjustable=True, typing=Typing.DIGITS, note=note)
    return Row(item, turn=turn, write=partial(_type_setting, player, name))


def _range_of(name: str, settings: Settings) -> str:
    """Say which numbers are allowed."""
    match name:
        case "columns" | "rows":
            return f"Type a number: 1 to {MAX_SIDE}."
        case "mines":
            size = settings.custom_size
            return f"Type a number: {size} has 1 to {size.most_mines}."
        case _:
            return ""
