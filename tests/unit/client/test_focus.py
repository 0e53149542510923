"""Whether what is typed plays, walks through menus or fills in a field."""

import pytest
from readchar import key

from jminesweeper.client.bindings import VERSION_2
from jminesweeper.client.focus import Focus
from jminesweeper.client.keys import Input, Pasted
from jminesweeper.protocol import (
    Button,
    Command,
    GameKind,
    Load,
    NewGame,
    Packet,
    PatchFlag,
    Pointer,
    Save,
    Text,
)

BOARD = PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED
MENU = PatchFlag.CURSOR_SHOWN
FIELD = MENU | PatchFlag.TAKES_TEXT
TAB = NewGame(GameKind.SAME_SETTINGS)


def packet_of(given: Input) -> Packet | None:
    return VERSION_2.get(given) if isinstance(given, str) else None


def focused(flags: PatchFlag) -> Focus:
    focus = Focus()
    focus.note_screen(flags, is_settled=True)
    return focus


def type_at(focus: Focus, *given: Input) -> list[Packet]:
    return focus.read(given, packet_of)


def test_on_a_board_everything_goes_out_at_once() -> None:
    keys = ["d", "\r", " ", "q", "s", key.TAB, key.CTRL_S, "u", "\r"]
    assert type_at(focused(BOARD), *keys) == [VERSION_2[each] for each in keys if each != "q"]


@pytest.mark.parametrize("given", ["m", key.ESC, "?", key.CTRL_O])
def test_what_opens_a_menu_is_waited_for(given: str) -> None:
    focus = focused(BOARD)
    assert type_at(focus, given, "s", "\r") == [VERSION_2[given]]
    assert type_at(focus, "x") == []
    focus.note_screen(MENU, is_settled=False)
    assert type_at(focus) == []
    focus.note_screen(MENU, is_settled=True)
    assert type_at(focus) == [Command.MOVE_DOWN, Command.REVEAL]
    focus.note_screen(FIELD, is_settled=True)
    assert type_at(focus) == [Text("x")]


@pytest.mark.parametrize("given", ["\r", " ", key.TAB, "n"])
def test_in_a_menu_a_choice_is_waited_for_and_a_step_is_not(given: str) -> None:
    focus = focused(MENU)
    assert type_at(focus, "s", "s", given, "x") == [*[Command.MOVE_DOWN] * 2, VERSION_2[given]]


@pytest.mark.parametrize("flags", [BOARD, MENU | PatchFlag.CLOCK_RUNS])
def test_where_a_clock_runs_or_a_cell_is_marked_there_is_no_menu(flags: PatchFlag) -> None:
    assert type_at(focused(flags), "\r", "d") == [Command.REVEAL, Command.MOVE_RIGHT]


def test_in_a_field_letters_and_pasted_text_are_text() -> None:
    given: list[Input] = ["x", "M", " ", "7", "é", key.BACKSPACE, key.LEFT, Pasted("a b")]
    assert type_at(focused(FIELD), *given) == [
        *map(Text, "xM 7é"),
        Command.ERASE,
        Command.MOVE_LEFT,
        Text("a b"),
    ]


def test_elsewhere_pasted_text_is_nothing() -> None:
    assert type_at(focused(MENU), Pasted("x")) == []


@pytest.mark.parametrize(
    ("given", "packet"), [("\r", Command.REVEAL), (key.ESC, Command.MENU), (key.TAB, TAB)]
)
def test_what_closes_a_field_is_waited_for(given: str, packet: Packet) -> None:
    focus = focused(FIELD)
    assert type_at(focus, "a", given, "x") == [Text("a"), packet]
    focus.note_screen(BOARD, is_settled=True)
    assert type_at(focus) == [Command.QUIT]


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
    focus = focused(flags)
    focus.note_sent(packet)
    focus.note_sent(Command.MOVE_DOWN)
    assert (type_at(focus, "d") == []) == waits
