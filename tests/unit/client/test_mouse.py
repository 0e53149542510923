import pytest

from jminesweeper.client.keys import HOLD_S, Gestures, MouseReport
from jminesweeper.terminal.keys import Click, Press

LEFT, MIDDLE, RIGHT, CTRL, SHIFT, MOTION = 0, 1, 2, 16, 4, 32


def press(code: int, column: int = 10, row: int = 5) -> MouseReport:
    return MouseReport(code=code, column=column, row=row, pressed=True)


def release(code: int, column: int = 10, row: int = 5) -> MouseReport:
    return MouseReport(code=code, column=column, row=row, pressed=False)


@pytest.mark.requirement("C:Mobile Support")
def test_a_short_press_of_the_left_button_reveals() -> None:
    gestures = Gestures()
    assert gestures.report(press(LEFT), 1.0) is None
    assert gestures.deadline == 1.0 + HOLD_S
    assert gestures.report(release(LEFT), 1.1) == Click(5, 10, Press.OPEN)
    assert gestures.deadline is None


@pytest.mark.requirement("C:Mobile Support")
def test_a_long_press_flags_and_its_release_does_nothing_more() -> None:
    gestures = Gestures()
    gestures.report(press(LEFT), 1.0)
    assert gestures.expire() == Click(5, 10, Press.FLAG)
    assert gestures.deadline is None
    assert gestures.report(release(LEFT), 2.0) is None


@pytest.mark.parametrize(
    ("code", "button"),
    [
        (RIGHT, Press.FLAG),
        (LEFT | CTRL, Press.FLAG),
        (RIGHT | SHIFT, Press.FLAG),
        (MIDDLE, Press.CHORD),
        (64, Press.WHEEL_UP),
        (65, Press.WHEEL_DOWN),
    ],
)
def test_other_buttons_act_when_pressed(code: int, button: Press) -> None:
    gestures = Gestures()
    assert gestures.report(press(code), 1.0) == Click(5, 10, button)
    assert gestures.report(release(code), 1.1) is None


def test_a_press_that_shakes_is_still_one() -> None:
    gestures = Gestures()
    gestures.report(press(LEFT), 1.0)
    assert gestures.report(press(LEFT | MOTION, 11, 5), 1.1) is None
    assert gestures.report(release(LEFT, 11, 5), 1.2) == Click(5, 10, Press.OPEN)


def test_a_drag_does_nothing() -> None:
    gestures = Gestures()
    gestures.report(press(LEFT), 1.0)
    assert gestures.report(press(LEFT | MOTION, 20, 5), 1.1) is None
    assert gestures.deadline is None
    assert gestures.report(release(LEFT, 20, 5), 1.2) is None
    assert gestures.expire() is None


def test_another_buttons_release_does_not_end_a_press() -> None:
    gestures = Gestures()
    gestures.report(press(LEFT), 1.0)
    assert gestures.report(release(RIGHT), 1.1) is None
    assert gestures.report(release(LEFT), 1.2) == Click(5, 10, Press.OPEN)


def test_motion_and_buttons_of_no_meaning_do_nothing() -> None:
    gestures = Gestures()
    assert gestures.report(press(3 | MOTION), 1.0) is None
    assert gestures.report(press(128), 1.0) is None
