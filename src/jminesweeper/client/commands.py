"""Commands of the line mode: one line, one packet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from readchar import key

from jminesweeper.client.controls import VERSION_2
from jminesweeper.client.errors import CommandError
from jminesweeper.client.request import GameRequest
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import (
    LONGEST_NAME,
    Act,
    Drop,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Packet,
    Save,
    Text,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, LookBackAt

_Words: TypeAlias = Sequence[str]

_LAST: Final = 254
_MOST_STEPS: Final = 0xFFFF


class _Form(NamedTuple):
    """How a command is written, what it does, and which packet does it."""

    arguments: str
    purpose: str
    packet: Callable[[_Words], Packet]


def _on_cell(button: Button, at_cursor: Command) -> Callable[[_Words], Packet]:
    def packet(words: _Words) -> Packet:
        return Act(*_cell(words), button) if words else at_cursor

    return packet


def _only(packet: Packet) -> Callable[[_Words], Packet]:
    def alone(words: _Words) -> Packet:
        _expect_nothing(words)
        return packet

    return alone


def _expect_nothing(words: _Words) -> None:
    if words:
        raise CommandError(f"This command takes no arguments: '{' '.join(words)}'.")


def _cell(words: _Words) -> tuple[int, int]:
    if len(words) != 2:
        raise CommandError("A cell is a column and a row, for instance 3 4.")
    column, row = (_number(word, 0, _LAST) for word in words)
    return column, row


def _go(words: _Words) -> Packet:
    return MoveTo(*_cell(words))


def _number(word: str, least: int, most: int) -> int:
    number = int(word) if re.fullmatch(r"[0-9]{1,5}", word) else -1
    if not least <= number <= most:
        raise CommandError(f"'{word}' is not a number from {least} to {most}.")
    return number


def _undo(words: _Words) -> Packet:
    return Undo(_number(words[0], 1, _MOST_STEPS) if words else 1)


def _new(words: _Words) -> Packet:
    if not words:
        return NewGame(GameKind.SAME_SETTINGS)
    game = _GAMES.get(" ".join(words))
    if game is None:
        raise CommandError(
            f"A new game is one of {', '.join(_GAMES)}; without a name, like the last one."
        )
    return game


def _named(kind: type[Save | Load | Drop | Text]) -> Callable[[_Words], Packet]:
    return lambda words: kind(_cut(" ".join(words)))


def _cut(text: str) -> str:
    """Cut a text to the bytes that a packet has room for."""
    return text.encode(errors="ignore")[:LONGEST_NAME].decode(errors="ignore")


def _delete(words: _Words) -> Packet:
    return Drop(_cut(" ".join(words))) if words else Command.ERASE


_GAMES: Final[Mapping[str, Packet]] = {
    **{
        name: game
        for name, preset in CLASSIC_BOARDS.items()
        if (game := GameRequest(preset=preset).new_game()) is not None
    },
    "daily": NewGame(GameKind.DAILY),
    "again": NewGame(GameKind.SAME_BOARD),
}
_CELL: Final = "[COLUMN ROW]"
FORMS: Final[Mapping[str, _Form]] = {
    "open": _Form(
        _CELL, "reveal a cell, or around a number", _on_cell(Button.REVEAL, Command.REVEAL)
    ),
    "flag": _Form(
        _CELL, "flag a cell, or remove the flag", _on_cell(Button.FLAG, Command.TOGGLE_BOMB_MARK)
    ),
    "chord": _Form(_CELL, "reveal around a number", _on_cell(Button.CHORD, Command.CHORD)),
    "go": _Form("COLUMN ROW", "move the cursor", _go),
    "undo": _Form("[STEPS]", "undo the last steps", _undo),
    "hint": _Form("", "show a safe cell", _only(Command.HINT)),
    "odds": _Form("", "show the chances of a mine, or hide them", _only(Command.ODDS)),
    "next": _Form("", "go to the next cell that a rule solves", _only(Command.SEEK)),
    "new": _Form(f"[{'|'.join(_GAMES)}]", "start another game", _new),
    "save": _Form("[NAME]", "save the game", _named(Save)),
    "load": _Form("[NAME]", "load a saved game", _named(Load)),
    "delete": _Form("[NAME]", "delete a saved game, or the one selected", _delete),
    "replay": _Form("", "replay the game that has ended", _only(LookBack(LookBackAt.REPLAY))),
    "analysis": _Form("", "show which reveals were guesses", _only(LookBack(LookBackAt.ANALYSIS))),
    "export": _Form("", "write the game into a file", _only(LookBack(LookBackAt.RECORDING))),
    "pause": _Form("", "stop the clock, or resume", _only(Command.PAUSE)),
    "menu": _Form("", "open or close the menu", _only(Command.MENU)),
    "choose": _Form("", "choose the line of a menu", _only(Command.REVEAL)),
    "up": _Form("", "move up", _only(Command.MOVE_UP)),
    "down": _Form("", "move down", _only(Command.MOVE_DOWN)),
    "left": _Form("", "move left", _only(Command.MOVE_LEFT)),
    "right": _Form("", "move right", _only(Command.MOVE_RIGHT)),
    "type": _Form("TEXT", "fill in the selected line", _named(Text)),
    "erase": _Form("", "remove the last character", _only(Command.ERASE)),
    "debug": _Form("", "turn debug mode on or off", _only(Command.TOGGLE_DEBUG_MODE)),
    "show": _Form("", "show the screen again", _only(Command.REFRESH)),
    "quit": _Form("", "leave; a known player's game waits", _only(Command.QUIT)),
}
_HELP: Final = "help"
_ASKS_FOR_HELP: Final = frozenset({_HELP, "?"})
_LETTERS: Final = "bgimnoprtuxy"
_NAMED: Final[Mapping[str, str]] = {
    "ctrl-s": key.CTRL_S,
    "del": key.DELETE,
    "esc": key.ESC,
    "return": key.CR,
    "space": key.SPACE,
    "tab": key.TAB,
}
KEYS: Final[Mapping[str, Packet]] = {
    **{letter: VERSION_2[letter] for letter in _LETTERS},
    **{name: VERSION_2[pressed] for name, pressed in _NAMED.items()},
}
"""The keys that messages name are commands: a server writes for people who press keys."""


def parse_command(line: str) -> Packet | None:
    """Return the packet for a line, or None for `help` and a blank line."""
    words = line.split()
    if not words:
        return None
    name = words[0].lower()
    if name in _ASKS_FOR_HELP:
        _expect_nothing(words[1:])
        return None
    if len(words) == 1 and name in KEYS:
        return KEYS[name]
    form = FORMS.get(name)
    if form is None:
        raise CommandError(f"Unknown command '{words[0]}'. Type help for a list.")
    return form.packet(words[1:])


def is_help(line: str) -> bool:
    """Whether the line asks for the list of commands."""
    return line.strip().lower() in _ASKS_FOR_HELP


def explain_commands() -> str:
    """Describe every command on a line of its own."""
    rows = [(f"{name} {form.arguments}".strip(), form.purpose) for name, form in FORMS.items()]
    rows.append((_HELP, "list the commands"))
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:{width}}  {purpose}" for written, purpose in rows]
    return "\n".join(
        [
            *lines,
            "Columns and rows count from 0, as the screen numbers them.",
            "A key that a message names is a command, too: p, tab, esc.",
        ]
    )
