"""Commands of the line mode to packets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.client.errors import CommandError
from jminesweeper.client.wishes import Preset, Wishes
from jminesweeper.protocol import (
    LONGEST_NAME,
    Command,
    Drop,
    GameKind,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Save,
    Text,
    Undo,
)

Packets: TypeAlias = tuple[Packet, ...]

_LAST: Final = 254
_MOST_STEPS: Final = 0xFFFF


class _Form(NamedTuple):
    """How a command is written, what it does, and which packets do it."""

    arguments: str
    purpose: str
    packets: Callable[[Sequence[str]], Packets]


def _at_cell(command: Command) -> Callable[[Sequence[str]], Packets]:
    def packets(words: Sequence[str]) -> Packets:
        return (_move_to(words), command) if words else (command,)

    return packets


def _just(*packets: Packet) -> Callable[[Sequence[str]], Packets]:
    def answer(words: Sequence[str]) -> Packets:
        if words:
            raise CommandError(f"Nothing can follow here: '{' '.join(words)}'.")
        return packets

    return answer


def _move_to(words: Sequence[str]) -> MoveTo:
    if len(words) != 2:
        raise CommandError("A cell is a column and a row, for instance 3 4.")
    column, row = (_number(word, 0, _LAST) for word in words)
    return MoveTo(column, row)


def _number(word: str, least: int, most: int) -> int:
    number = int(word) if re.fullmatch(r"[0-9]{1,5}", word) else -1
    if not least <= number <= most:
        raise CommandError(f"'{word}' is not a number from {least} to {most}.")
    return number


def _undo(words: Sequence[str]) -> Packets:
    return (Undo(_number(words[0], 1, _MOST_STEPS) if words else 1),)


def _new(words: Sequence[str]) -> Packets:
    if not words:
        return (NewGame(GameKind.SAME_SETTINGS),)
    game = _GAMES.get(" ".join(words))
    if game is None:
        raise CommandError(f"A new game is one of {', '.join(_GAMES)}, or like the last one.")
    return (game,)


def _named(kind: type[Save | Load | Drop | Text]) -> Callable[[Sequence[str]], Packets]:
    return lambda words: (kind(_sendable(" ".join(words))),)


def _sendable(text: str) -> str:
    """Keep of a text what a packet has room for."""
    return text.encode(errors="ignore")[:LONGEST_NAME].decode(errors="ignore")


def _delete(words: Sequence[str]) -> Packets:
    return _named(Drop)(words) if words else (Command.ERASE,)


_GAMES: Final[Mapping[str, Packet]] = {
    **{
        preset.value: game
        for preset in Preset
        if (game := Wishes(preset=preset).new_game()) is not None
    },
    "daily": NewGame(GameKind.DAILY),
    "again": NewGame(GameKind.SAME_BOARD),
}
_CELL: Final = "[COLUMN ROW]"
FORMS: Final[Mapping[str, _Form]] = {
    "open": _Form(_CELL, "reveal a cell, or around a number", _at_cell(Command.REVEAL)),
    "flag": _Form(_CELL, "flag a cell, or take it back", _at_cell(Command.TOGGLE_BOMB_MARK)),
    "chord": _Form(_CELL, "reveal around a number", _at_cell(Command.CHORD)),
    "go": _Form("COLUMN ROW", "move the cursor", lambda words: (_move_to(words),)),
    "undo": _Form("[STEPS]", "take back", _undo),
    "hint": _Form("", "ask for a safe cell", _just(Command.HINT)),
    "new": _Form(f"[{'|'.join(_GAMES)}]", "start another game", _new),
    "save": _Form("[NAME]", "save the game", _named(Save)),
    "load": _Form("[NAME]", "load a saved game", _named(Load)),
    "delete": _Form("[NAME]", "delete a saved game, or the one selected", _delete),
    "pause": _Form("", "stop the clock, or go on", _just(Command.PAUSE)),
    "menu": _Form("", "open or close the menu", _just(Command.MENU)),
    "choose": _Form("", "choose the line of a menu", _just(Command.REVEAL)),
    "up": _Form("", "move up", _just(Command.MOVE_UP)),
    "down": _Form("", "move down", _just(Command.MOVE_DOWN)),
    "left": _Form("", "move left", _just(Command.MOVE_LEFT)),
    "right": _Form("", "move right", _just(Command.MOVE_RIGHT)),
    "type": _Form("TEXT", "fill in what the selected line wants to know", _named(Text)),
    "erase": _Form("", "take back the last character of it", _just(Command.ERASE)),
    "debug": _Form("", "debug mode on or off", _just(Command.TOGGLE_DEBUG_MODE)),
    "show": _Form("", "show the screen again", _just(Command.REFRESH)),
    "quit": _Form("", "leave; a known player's game waits", _just(Command.QUIT)),
    "help": _Form("", "explain the commands", _just()),
}


def parse_command(line: str) -> Packets:
    """Packets for a line; none for `help` and for a line that is blank. CommandError if unknown."""
    words = line.split()
    if not words:
        return ()
    form = FORMS.get(words[0].lower())
    if form is None:
        raise CommandError(f"There is no command '{words[0]}': help lists those there are.")
    return form.packets(words[1:])


def is_question(line: str) -> bool:
    """Say whether the line asks for the list of commands."""
    return line.strip().lower() == "help"


def explain_commands() -> str:
    """List every command in a line of its own."""
    rows = [(f"{name} {form.arguments}".strip(), form.purpose) for name, form in FORMS.items()]
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:{width}}  {purpose}" for written, purpose in rows]
    return "\n".join([*lines, "Columns and rows are counted from 0, as the screen numbers them."])
