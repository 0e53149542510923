import pytest
from readchar import key

from jminesweeper.client.controls import VERSION_2, Controls, version_1
from jminesweeper.client.keys import ESC_WAIT_S
from jminesweeper.client.mouse import HOLD_S
from jminesweeper.client.typeahead import Keystroke
from jminesweeper.protocol.packets import (
    Jump,
    Load,
    NewGame,
    Packet,
    Pointer,
    Save,
    Start,
    Text,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, JumpTo, PacketType

START = Start(20, 10, 1)
VERSION_1 = version_1(START)


@pytest.mark.requirement(
    *(f"J:key {name}" for name in ("w", "a", "s", "d", "TAB", "SPACE", "RETURN", "X", "#"))
)
@pytest.mark.parametrize(
    ("keys", "packet"),
    [
        ("wW", Command.MOVE_UP),
        ("aA", Command.MOVE_LEFT),
        ("sS", Command.MOVE_DOWN),
        ("dD", Command.MOVE_RIGHT),
        ("\t", START),
        (" ", Command.TOGGLE_BOMB_MARK),
        ("\r\n", Command.REVEAL),
        ("xX", Command.QUIT),
        ("#", Command.TOGGLE_DEBUG_MODE),
    ],
)
def test_the_keys_of_document_j_do_what_it_says(keys: str, packet: Packet) -> None:
    assert [VERSION_1[each] for each in keys] == [packet] * len(keys)


@pytest.mark.parametrize("bindings", [VERSION_1, VERSION_2])
def test_arrows_and_hjkl_move(bindings: dict[str, Packet]) -> None:
    directions = [Command.MOVE_LEFT, Command.MOVE_DOWN, Command.MOVE_UP, Command.MOVE_RIGHT]
    assert [bindings[each] for each in "hjkl"] == directions
    assert [bindings[each] for each in (key.LEFT, key.DOWN, key.UP, key.RIGHT)] == directions


def test_version_1_sends_nothing_that_its_servers_might_not_know() -> None:
    types = {packet.packet_type for packet in VERSION_1.values()}
    assert all(number <= PacketType.TOGGLE_DEBUG_MODE for number in types)
    assert not {"H", "J", "K", "L", "u", key.ESC, key.HOME} & VERSION_1.keys()


def test_version_2_keeps_what_the_letters_of_version_1_mean() -> None:
    kept = {each: packet for each, packet in VERSION_1.items() if each != key.TAB}
    assert {each: VERSION_2[each] for each in kept} == kept


@pytest.mark.parametrize(
    ("keys", "packet"),
    [
        (["u", "U"], Undo(1)),
        (["n", "N", key.TAB], NewGame(GameKind.SAME_SETTINGS)),
        (["m", "M", key.ESC], Command.MENU),
        (["p", "P"], Command.PAUSE),
        (["?", key.F1], Command.HELP),
        ([key.CTRL_S], Save("")),
        ([key.CTRL_O], Load("")),
        ([key.BACKSPACE, key.CTRL_H, key.DELETE], Command.ERASE),
        (["f", "F"], Command.TOGGLE_BOMB_MARK),
        (["c", "C"], Command.CHORD),
        (["i", "I"], Command.HINT),
        ([key.HOME], Jump(JumpTo.ROW_START)),
        ([key.END], Jump(JumpTo.ROW_END)),
        ([key.PAGE_UP], Jump(JumpTo.PAGE_UP)),
        ([key.PAGE_DOWN], Jump(JumpTo.PAGE_DOWN)),
        (["H"], Jump(JumpTo.LEFT)),
        (["J"], Jump(JumpTo.DOWN)),
        (["K"], Jump(JumpTo.UP)),
        (["L"], Jump(JumpTo.RIGHT)),
        (["v", "V"], Jump(JumpTo.OVERVIEW)),
        (["e", "E"], Jump(JumpTo.FIGURES)),
    ],
)
def test_version_2_has_keys_for_what_it_adds(keys: list[str], packet: Packet) -> None:
    assert [VERSION_2[each] for each in keys] == [packet] * len(keys)


def test_digits_are_for_the_numbers_in_a_servers_menus() -> None:
    assert not {*"0123456789"} & VERSION_1.keys()
    assert [VERSION_2[digit] for digit in "07"] == [Text("0"), Text("7")]


def test_a_key_is_text_and_a_packet_in_each_version() -> None:
    assert Controls(START).decode(b"uwq\t", 0.0, has_mouse=False) == [
        Keystroke("u", None, Undo(1)),
        Keystroke("w", Command.MOVE_UP, Command.MOVE_UP),
        Keystroke("q"),
        Keystroke("", START, NewGame(GameKind.SAME_SETTINGS)),
    ]


def test_pasted_text_is_nothing_but_text() -> None:
    typed = Controls(START).decode(b"\x1b[200~two words\x1b[201~", 0.0, has_mouse=True)
    assert typed == [Keystroke("two words")]


def test_a_lone_escape_comes_out_when_its_time_is_over() -> None:
    controls = Controls(START)
    assert controls.decode(b"\x1b", 1.0, has_mouse=False) == []
    assert controls.deadline == 1.0 + ESC_WAIT_S
    assert controls.expire(1.0) == []
    assert controls.expire(1.0 + ESC_WAIT_S) == [Keystroke("", None, Command.MENU)]
    assert controls.deadline is None


def test_a_click_becomes_a_pointer_and_a_long_press_another() -> None:
    controls = Controls(START)
    typed = controls.decode(b"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<0;5;6M", 1.0, has_mouse=True)
    assert typed == [Keystroke(version_2=Pointer(2, 3, Button.REVEAL))]
    assert controls.deadline == 1.0 + HOLD_S
    assert controls.expire(1.0) == []
    assert controls.expire(1.0 + HOLD_S) == [Keystroke(version_2=Pointer(4, 5, Button.FLAG))]


def test_without_the_mouse_clicks_are_dropped() -> None:
    controls = Controls(START)
    assert controls.decode(b"\x1b[<0;3;4M\x1b[<0;3;4mw", 1.0, has_mouse=False) == [
        Keystroke("w", Command.MOVE_UP, Command.MOVE_UP)
    ]
    assert controls.deadline is None
