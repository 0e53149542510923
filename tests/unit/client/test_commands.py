from __future__ import annotations

import pytest

from jminesweeper.client.plain import (
    FORMS,
    CommandError,
    CommandNames,
    Order,
    explain_commands,
    is_help,
    parse_command,
)
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    LONGEST_NAME,
    Code,
    Drop,
    Load,
    NewGame,
    OpenRoom,
    Packet,
    Save,
    Undo,
)
from jminesweeper.protocol.vocabulary import Command, RoomKind
from jminesweeper.terminal.keys import KeyAction, Keystroke
from jminesweeper.terminal.view import Words
from jminesweeper.terminal.words import text_of


@pytest.mark.parametrize(
    ("line", "cell", "action"),
    [
        ("open 3 4", (3, 4), KeyAction.REVEAL),
        ("OPEN 0 254", (0, 254), KeyAction.REVEAL),
        ("open", None, KeyAction.REVEAL),
        ("flag 0 0", (0, 0), KeyAction.FLAG),
        ("chord 2 1", (2, 1), KeyAction.CHORD),
        ("hint", None, KeyAction.HINT),
        ("load", None, KeyAction.LOAD),
        ("delete", None, KeyAction.ERASE),
        ("pause", None, KeyAction.PAUSE),
        ("menu", None, KeyAction.MENU),
        ("choose", None, KeyAction.REVEAL),
        ("up", None, KeyAction.UP),
        ("quit", None, KeyAction.QUIT),
    ],
)
def test_a_line_does_what_a_key_does_at_a_cell(
    line: str, cell: tuple[int, int] | None, action: KeyAction
) -> None:
    place = None if cell is None else Cell(*cell)
    assert parse_command(line) == Order(place, [Keystroke(action=action)])


@pytest.mark.parametrize(
    ("line", "packet"),
    [
        ("undo", Undo(1)),
        ("undo 12", Undo(12)),
        ("new", NewGame()),
        ("new expert", NewGame("expert classic")),
        ("new 30x20/130 kata", NewGame("custom 30x20/130 kata")),
        ("new daily", NewGame("daily")),
        ("new daily expert", NewGame("daily expert")),
        ("race", OpenRoom(RoomKind.RACE, board="intermediate classic no-guess")),
        ("coop 9x9/12", OpenRoom(RoomKind.SHARED, board="custom 9x9/12 classic")),
        ("new again", NewGame("again")),
        ("code abc", Code("abc")),
        ("save", Save("")),
        ("save my best game", Save("my best game")),
        ("load x", Load("x")),
        ("delete my best game", Drop("my best game")),
        ("show", Command.REFRESH),
    ],
)
def test_a_line_may_say_more_than_a_key(line: str, packet: Packet) -> None:
    assert parse_command(line) == Order(packet=packet)


def test_other_lines_move_choose_and_fill_in() -> None:
    assert parse_command("go 2 1") == Order(Cell(2, 1))
    assert parse_command("choose 3") == Order(row=3)
    done = Keystroke(action=KeyAction.REVEAL)
    assert parse_command("type my best game") == Order(strokes=[Keystroke("my best game"), done])
    assert parse_command("help") is parse_command("") is parse_command("  ") is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dig 3 4", "Unknown command 'dig'"),
        ("open 3", "column and a row"),
        ("open -1 4", "0 to 254"),
        ("open 3 255", "0 to 254"),
        ("open a b", "'a' is not a number"),
        ("open 3 4 5", "column and a row"),
        ("go", "column and a row"),
        ("undo -1", "not a number"),
        ("undo 70000", "not a number"),
        ("choose 0", "not a number"),
        ("new hard", "Hard needs a size, like hard 20x10"),
        ("race chess", "Not a board: 'chess'"),
        ("hint please", "takes no arguments"),
        ("help me", "takes no arguments"),
        ("show me", "takes no arguments"),
    ],
)
def test_a_line_that_is_no_command_is_explained(line: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        parse_command(line)


@pytest.mark.parametrize("letter", ["x", "é", "😀"])
def test_a_name_always_fits_its_packet(letter: str) -> None:
    order = parse_command("save " + letter * 500)
    assert order is not None
    assert isinstance(order.packet, Save)
    assert LONGEST_NAME - 4 < len(order.packet.name.encode()) <= LONGEST_NAME


def test_help_lists_every_command() -> None:
    assert is_help(" Help ")
    assert is_help(" ? ")
    assert not is_help("open 3 4")
    lines = explain_commands().splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [*FORMS, "help"]


def test_messages_name_commands_in_place_of_keys() -> None:
    names = CommandNames()
    assert text_of(Words("won", "You won!"), names) == "You won! Press new to play again."
    assert all(parse_command(name) for action in KeyAction if (name := names.label(action)))
