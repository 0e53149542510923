from readchar import key

from jminesweeper.client.bindings import VERSION_2, version_1
from jminesweeper.client.controls import Controls, earliest
from jminesweeper.client.keys import ESC_WAIT_S, Pasted
from jminesweeper.client.mouse import HOLD_S
from jminesweeper.protocol import Button, Command, PatchFlag, Pointer, Start, Text

VERSION_1 = version_1(Start(20, 10, 1))


def test_the_earliest_deadline_is_the_first_that_is_set() -> None:
    assert earliest(None, 3.0, 2.0) == 2.0
    assert earliest(None, None) is None


def test_keys_become_packets_in_the_order_typed() -> None:
    controls = Controls()
    inputs = controls.decode(b"wd\x1b[A q\r", 0.0)
    assert controls.translate(inputs, VERSION_1, 0.0) == [
        Command.MOVE_UP,
        Command.MOVE_RIGHT,
        Command.MOVE_UP,
        Command.TOGGLE_BOMB_MARK,
        Command.REVEAL,
    ]


def test_a_lone_escape_comes_out_when_its_time_is_over() -> None:
    controls = Controls()
    assert controls.decode(b"\x1b", 1.0) == []
    assert controls.deadline == 1.0 + ESC_WAIT_S
    assert controls.expire_keys(1.0) == []
    assert controls.expire_keys(1.0 + ESC_WAIT_S) == [key.ESC]
    assert controls.deadline is None


def test_a_click_becomes_a_pointer_and_a_long_press_another() -> None:
    controls = Controls()
    inputs = controls.decode(b"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<0;5;6M", 1.0)
    assert controls.translate(inputs, VERSION_2, 1.0) == [Pointer(2, 3, Button.REVEAL)]
    assert controls.deadline == 1.0 + HOLD_S
    assert controls.expire_presses(1.0) == []
    assert controls.expire_presses(1.0 + HOLD_S) == [Pointer(4, 5, Button.FLAG)]


def test_what_is_typed_after_a_choice_waits_for_the_screen_that_says_what_it_is() -> None:
    controls = Controls()
    assert controls.translate(["m", "\r"], VERSION_2, 0.0) == [Command.MENU]
    controls.note_screen(PatchFlag.CURSOR_SHOWN, is_settled=True)
    assert controls.translate(["x"], VERSION_2, 0.0) == [Command.REVEAL]
    controls.note_screen(PatchFlag.TAKES_TEXT, is_settled=True)
    assert controls.translate([], VERSION_2, 0.0) == [Text("x")]


def test_a_press_held_in_a_menu_is_waited_for() -> None:
    controls = Controls()
    controls.note_screen(PatchFlag.CURSOR_SHOWN, is_settled=True)
    controls.translate(controls.decode(b"\x1b[<0;5;6M", 1.0), VERSION_2, 1.0)
    assert controls.expire_presses(1.0 + HOLD_S) == [Pointer(4, 5, Button.FLAG)]
    assert controls.translate(["w"], VERSION_2, 2.0) == []


def test_what_was_typed_at_a_screen_that_is_gone_is_forgotten() -> None:
    controls = Controls()
    controls.translate(["m", "\r"], VERSION_2, 0.0)
    controls.forget()
    assert controls.translate(["w"], VERSION_2, 0.0) == [Command.MOVE_UP]


def test_pasted_text_is_nothing_to_a_board() -> None:
    assert Controls().translate([Pasted("x")], VERSION_2, 0.0) == []
