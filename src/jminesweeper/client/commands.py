"""Commands of the line mode: a line does what a key does at the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.client import ClientError
from jminesweeper.client.request import DEFAULT_BOARD, GameRequest
from jminesweeper.core.errors import NotationError
from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import Variant, asked_board
from jminesweeper.protocol import packets
from jminesweeper.protocol.vocabulary import DAILY_BOARD, SAME_BOARD, Command, RoomFlag, RoomKind
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.narrator import describe_cell, describe_row, draw_board
from jminesweeper.terminal.view import PAUSED, GameView
from jminesweeper.terminal.words import PHRASES

_Words: TypeAlias = Sequence[str]
_OPEN: Final = "open"

_LAST: Final = 254
_MOST_STEPS: Final = 0xFFFF


_ReadOut: TypeAlias = Callable[[GameView, Cell], str]
"""Says something of a view and its cursor."""


class CommandError(ClientError):
    """The line is not a command."""


class Order(NamedTuple):
    """A line typed: a place for the cursor, keys to press, a packet to send, or a question."""

    cell: Cell | None = None
    strokes: Sequence[Keystroke] = ()
    packet: packets.Packet | None = None
    row: int | None = None
    """The row of a menu to choose, counted from 1."""
    other: int | None = None
    """The row of a menu whose other thing is to be done."""
    read_out: _ReadOut | None = None


class _Form(NamedTuple):
    """A command: its arguments, its purpose, and the order it stands for."""

    arguments: str
    purpose: str
    order: Callable[[_Words], Order]


def _on_cell(action: KeyAction) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        return Order(_cell(words) if words else None, [Keystroke(action=action)])

    return order


def _key(action: KeyAction) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        _expect_nothing(words)
        return Order(strokes=[Keystroke(action=action)])

    return order


def _expect_nothing(words: _Words) -> None:
    if words:
        raise CommandError(f"This command takes no arguments: '{' '.join(words)}'.")


def _cell(words: _Words) -> Cell:
    if len(words) != 2:
        raise CommandError("A cell is a column and a row, for instance 3 4.")
    column, row = (_number(word, 0, _LAST) for word in words)
    return Cell(column, row)


def _number(word: str, least: int, most: int) -> int:
    number = int(word) if re.fullmatch(r"[0-9]{1,5}", word) else -1
    if not least <= number <= most:
        raise CommandError(f"'{word}' is not a number from {least} to {most}.")
    return number


def _undo(words: _Words) -> Order:
    return Order(packet=packets.Undo(_number(words[0], 1, _MOST_STEPS) if words else 1))


def _new(words: _Words) -> Order:
    if not words:
        return Order(packet=packets.NewGame())
    text = " ".join(words)
    if words[0] not in {DAILY_BOARD, SAME_BOARD}:
        text = _read_board(text).text
    return Order(packet=packets.NewGame(_cut(text)))


def _read_board(text: str) -> Variant:
    try:
        return asked_board(text)
    except NotationError as error:
        reason = str(error)
        raise CommandError(f"{reason[:1].upper()}{reason[1:]}.") from error


def _show(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(packet=Command.REFRESH)


def _look(words: _Words) -> Order:
    asked = _cell(words) if words else None

    def read_out(view: GameView, cursor: Cell) -> str:
        cell = cursor if asked is None else asked
        if cell.column >= view.size.columns or cell.row >= view.size.rows:
            raise CommandError(f"There is no cell at {cell.column} {cell.row}.")
        return describe_cell(cell, view)

    return Order(read_out=_unless_paused(read_out))


def _row(words: _Words) -> Order:
    asked = _number(words[0], 0, _LAST) if words else None

    def read_out(view: GameView, cursor: Cell) -> str:
        row = cursor.row if asked is None else asked
        if row >= view.size.rows:
            raise CommandError(f"There is no row {row}.")
        return describe_row(row, view)

    return Order(read_out=_unless_paused(read_out))


def _board(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(read_out=_unless_paused(lambda view, _cursor: draw_board(view)))


def _unless_paused(read_out: _ReadOut) -> _ReadOut:
    def read(view: GameView, cursor: Cell) -> str:
        if view.state in {"", PAUSED}:
            raise CommandError("No board is shown now.")
        return read_out(view, cursor)

    return read


def _choose(words: _Words) -> Order:
    if words:
        return Order(row=_number(words[0], 1, _MOST_STEPS))
    return Order(strokes=[Keystroke(action=KeyAction.REVEAL)])


def _type(words: _Words) -> Order:
    """Fill in a row and be done with it."""
    text = Keystroke(_cut(" ".join(words)))
    return Order(strokes=[text, Keystroke(action=KeyAction.REVEAL)])


def _room(kind: RoomKind) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        flags = RoomFlag.OPEN if [*words[-1:]] == [_OPEN] else RoomFlag(0)
        board = _read_board(" ".join(words[: len(words) - bool(flags)]) or DEFAULT_BOARD)
        return Order(packet=GameRequest(preset=board).room(kind, flags))

    return order


def _ready(words: _Words) -> Order:
    if [*words] not in ([], ["no"]):
        raise CommandError("It is ready, or ready no.")
    return Order(packet=packets.Ready(int(not words)))


def _say(words: _Words) -> Order:
    phrase = _number(words[0] if words else "", 0, max(PHRASES))
    cell = _cell(words[1:]) if words[1:] else Cell(0, 0)
    return Order(packet=packets.Say(phrase, *cell))


def _leave(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(packet=Command.LEAVE)


def _give(words: _Words) -> Order:
    if [*words] != ["up"]:
        raise CommandError("Type give up to give up a race.")
    return Order(packet=Command.GIVE_UP)


def _named(packet: Callable[[str], packets.Packet]) -> Callable[[_Words], Order]:
    return lambda words: Order(packet=packet(_cut(" ".join(words))))


def _named_or(
    packet: Callable[[str], packets.Packet], action: KeyAction
) -> Callable[[_Words], Order]:
    return lambda words: _named(packet)(words) if words else _key(action)(words)


def _cut(text: str) -> str:
    """Cut a text to the bytes that a packet has room for."""
    return text.encode(errors="ignore")[: packets.LONGEST_NAME].decode(errors="ignore")


_CELL: Final = "[COLUMN ROW]"
_BOARD: Final = "[BOARD]"
FORMS: Final[Mapping[str, _Form]] = {
    "open": _Form(_CELL, "reveal a cell, or around a number", _on_cell(KeyAction.REVEAL)),
    "flag": _Form(_CELL, "flag a cell, or remove the flag", _on_cell(KeyAction.FLAG)),
    "follow": _Form(
        _CELL,
        "flag the cells around a number that must be mines",
        _on_cell(KeyAction.FLAG_AROUND),
    ),
    "chord": _Form(_CELL, "reveal around a number", _on_cell(KeyAction.CHORD)),
    "go": _Form("COLUMN ROW", "move the cursor", lambda words: Order(_cell(words))),
    "look": _Form(_CELL, "say what a cell shows, and what is around it", _look),
    "row": _Form("[ROW]", "say what the cells of a row show", _row),
    "board": _Form("", "write the whole board, a character for each cell", _board),
    "undo": _Form("[STEPS]", "undo the last steps", _undo),
    "redo": _Form("", "do again what was undone", _key(KeyAction.REDO)),
    "hint": _Form("", "show a safe cell", _key(KeyAction.HINT)),
    "odds": _Form("", "show the chances of a mine, or hide them", _key(KeyAction.ODDS)),
    "next": _Form("", "go to the next cell that a rule solves", _key(KeyAction.NEXT)),
    "new": _Form("[BOARD|daily|again]", "start another game, like the last or as named", _new),
    "code": _Form("CODE", "play the board of a seed code", _named(packets.Code)),
    "save": _Form("[NAME]", "save the game", _named(packets.Save)),
    "load": _Form(
        "[NAME]", "load a saved game, or list them", _named_or(packets.Load, KeyAction.LOAD)
    ),
    "delete": _Form(
        "[NAME]",
        "delete a saved game, or the one selected",
        _named_or(packets.Drop, KeyAction.ERASE),
    ),
    "replay": _Form("", "replay the game that has ended", _key(KeyAction.REPLAY)),
    "analysis": _Form("", "show which reveals were guesses", _key(KeyAction.ANALYSIS)),
    "export": _Form("", "write the game into a file", _key(KeyAction.EXPORT)),
    "pause": _Form("", "stop the clock, or resume", _key(KeyAction.PAUSE)),
    "people": _Form("", "see who is online, to play together", _key(KeyAction.PEOPLE)),
    "race": _Form(_BOARD, "open a room for a race", _room(RoomKind.RACE)),
    "coop": _Form(_BOARD, "open a room to share a board", _room(RoomKind.SHARED)),
    "join": _Form("CODE", "sit down in a room", _named(packets.Join)),
    "watch": _Form("CODE|NAME", "watch a game, a room or a player", _named(packets.Watch)),
    "ready": _Form("[no]", "be ready for the round, or not", _ready),
    "say": _Form("NUMBER [COLUMN ROW]", "say something in a room; 0 points at a cell", _say),
    "leave": _Form("", "leave the room, or stop watching", _leave),
    "give": _Form("up", "give up a race", _give),
    "menu": _Form("", "open the menu, or go back", _key(KeyAction.MENU)),
    "choose": _Form("[NUMBER]", "choose a row of a menu", _choose),
    "other": _Form(
        "NUMBER",
        "do the other thing that a row offers",
        lambda words: Order(other=_number(" ".join(words[:1]), 1, _MOST_STEPS)),
    ),
    "up": _Form("", "move up", _key(KeyAction.UP)),
    "down": _Form("", "move down", _key(KeyAction.DOWN)),
    "left": _Form("", "move left, or turn a value back", _key(KeyAction.LEFT)),
    "right": _Form("", "move right, or turn a value on", _key(KeyAction.RIGHT)),
    "type": _Form("TEXT", "fill in the selected row", _type),
    "debug": _Form("", "turn debug mode on or off", _key(KeyAction.DEBUG)),
    "show": _Form("", "say again how things are", _show),
    "quit": _Form("", "leave; a known player's game waits", _key(KeyAction.QUIT)),
}
_FOR_BOARD: Final = re.compile(
    r"\s*(open|flag|follow|chord|go|look|row|board|undo|redo|hint|odds|next|save|replay|analysis|export|pause|debug)\b",
    re.IGNORECASE,
)
_HELP: Final = "help"
_ASKS_FOR_HELP: Final = frozenset({_HELP, "?"})
_COMMANDS_OF: Final[Mapping[KeyAction, str]] = {
    **{action: action.value for action in KeyAction if action.value in FORMS},
    KeyAction.REVEAL: "open",
    KeyAction.AGAIN: "new again",
    KeyAction.ERASE: "delete",
    KeyAction.BACK: "menu",
}


class CommandNames(KeyMap):
    """Commands as names of keys, so that messages name them instead."""

    def label(self, action: KeyAction) -> str:
        """Return the command that does what a key does at the terminal."""
        return _COMMANDS_OF.get(action, "")


def parse_command(line: str) -> Order | None:
    """Return what a line asks for, or None for `help` and a blank line."""
    words = line.split()
    if not words:
        return None
    name = words[0].lower()
    if name in _ASKS_FOR_HELP:
        _expect_nothing(words[1:])
        return None
    form = FORMS.get(name)
    if form is None:
        raise CommandError(f"Unknown command '{words[0]}'. Type help for a list.")
    return form.order(words[1:])


def is_for_board(line: str) -> bool:
    """Return True if the line means nothing while a menu or a page covers the board."""
    return _FOR_BOARD.match(line) is not None


def is_help(line: str) -> bool:
    """Return True if the line asks for the list of commands."""
    return line.strip().lower() in _ASKS_FOR_HELP


def explain_commands() -> str:
    """Describe every command on a line of its own."""
    rows = [(f"{name} {form.arguments}".strip(), form.purpose) for name, form in FORMS.items()]
    rows.append((_HELP, "list the commands"))
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:{width}}  {purpose}" for written, purpose in rows]
    return "\n".join([*lines, "Columns and rows count from 0, from the top left."])
