from jminesweeper.client import escapes


def test_places_are_counted_from_zero_inside_and_from_one_outside() -> None:
    assert escapes.go_to(0, 0) == "\x1b[1;1H"
    assert escapes.go_to(23, 79) == "\x1b[24;80H"


def test_what_is_switched_on_can_be_switched_off() -> None:
    pairs = [
        (escapes.ALTERNATE_SCREEN, escapes.NORMAL_SCREEN),
        (escapes.BRACKETED_PASTE, escapes.PLAIN_PASTE),
        (escapes.FRAME_BEGIN, escapes.FRAME_END),
        (escapes.CURSOR_SHOWN, escapes.CURSOR_HIDDEN),
    ]
    assert all(on.replace("h", "l") == off for on, off in pairs)
    on, off = escapes.MOUSE_ON, escapes.MOUSE_OFF
    assert sorted(on.replace("h", "l").split("\x1b")) == sorted(off.split("\x1b"))
