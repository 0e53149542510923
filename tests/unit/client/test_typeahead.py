"""Whether what is typed plays, walks through menus or fills in a field."""

import pytest
from readchar import key

from jminesweeper.client.controls import VERSION_2
from jminesweeper.client.typeahead import Keystroke, TypeAhead
from jminesweeper.protocol.packets import Load, NewGame, Packet, Pointer, Save, Text
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, PatchFlag

BOARD = PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED
MENU = PatchFlag.CURSOR_SHOWN
FIELD = MENU | PatchFlag.TAKES_TEXT
TAB = NewGame(GameKind.SAME_SETTINGS)


def press(name: str) -> Keystroke:
    return Keystroke(name if name.isprintable() else "", None, VERSION_2.get(name))


def ahead(flags: PatchFlag) -> TypeAhead:
    typed = TypeAhead()
    typed.note_screen(flags, is_settled=True)
    return typed


def type_at(typed: TypeAhead, *keys: str | Keystroke) -> list[Packet]:
    typed.hold(press(each) if isinstance(each, str) else each for each in keys)
    return typed.release(2)


def test_on_a_board_everything_goes_out_at_once() -> None:
    keys = ["d", "\r", " ", "q", "s", key.TAB, key.CTRL_S, "u", "\r"]
    assert type_at(ahead(BOARD), *keys) == [VERSION_2[each] for each in keys if each != "q"]


@pytest.mark.parametrize("given", ["m", key.ESC, "?", key.CTRL_O])
def test_what_opens_a_menu_is_waited_for(given: str) -> None:
    typed = ahead(BOARD)
    assert type_at(typed, given, "s", "\r") == [VERSION_2[given]]
    assert type_at(typed, "x") == []
    typed.note_screen(MENU, is_settled=False)
    assert type_at(typed) == []
    typed.note_screen(MENU, is_settled=True)
    assert type_at(typed) == [Command.MOVE_DOWN, Command.REVEAL]
    typed.note_screen(FIELD, is_settled=True)
    assert type_at(typed) == [Text("x")]


@pytest.mark.parametrize("given", ["\r", " ", key.TAB, "n"])
def test_in_a_menu_a_choice_is_waited_for_and_a_step_is_not(given: str) -> None:
    typed = ahead(MENU)
    assert type_at(typed, "s", "s", given, "x") == [*[Command.MOVE_DOWN] * 2, VERSION_2[given]]


@pytest.mark.parametrize("flags", [BOARD, MENU | PatchFlag.CLOCK_RUNS])
def test_where_a_clock_runs_or_a_cell_is_marked_there_is_no_menu(flags: PatchFlag) -> None:
    assert type_at(ahead(flags), "\r", "d") == [Command.REVEAL, Command.MOVE_RIGHT]


def test_in_a_field_letters_and_pasted_text_are_text() -> None:
    given: list[str | Keystroke] = [
        "x",
        "M",
        " ",
        "7",
        "é",
        key.BACKSPACE,
        key.LEFT,
        Keystroke("a b"),
    ]
    assert type_at(ahead(FIELD), *given) == [
        *map(Text, "xM 7é"),
        Command.ERASE,
        Command.MOVE_LEFT,
        Text("a b"),
    ]


def test_elsewhere_pasted_text_is_nothing() -> None:
    assert type_at(ahead(MENU), Keystroke("x")) == []


@pytest.mark.parametrize(
    ("given", "packet"), [("\r", Command.REVEAL), (key.ESC, Command.MENU), (key.TAB, TAB)]
)
def test_what_closes_a_field_is_waited_for(given: str, packet: Packet) -> None:
    typed = ahead(FIELD)
    assert type_at(typed, "a", given, "x") == [Text("a"), packet]
    typed.note_screen(BOARD, is_settled=True)
    assert type_at(typed) == [Command.QUIT]


@pytest.mark.parametrize(
    ("flags", "packet", "waits"),
    [
        (MENU, Pointer(1, 2, Button.REVEAL), True),
        (BOARD, Pointer(1, 2, Button.FLAG), False),
        (BOARD, Load(""), True),
        (BOARD, Load("one"), False),
        (BOARD, Save(""), False),
    ],
)
def test_a_press_that_was_held_is_waited_for_like_a_key(
    flags: PatchFlag, packet: Packet, *, waits: bool
) -> None:
    typed = ahead(flags)
    pressed = Keystroke(version_2=packet)
    assert type_at(typed, pressed, "s", "d")[1:] == (
        [] if waits else [Command.MOVE_DOWN, Command.MOVE_RIGHT]
    )


def test_in_version_1_everything_goes_out_at_once() -> None:
    typed = TypeAhead()
    keys = [Keystroke("a", version_1=Command.REVEAL), Keystroke("b"), Keystroke("x", Command.QUIT)]
    typed.hold(keys)
    assert typed.release(1) == [Command.REVEAL, Command.QUIT]
