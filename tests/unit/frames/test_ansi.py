from jminesweeper.frames.ansi import move_right, move_to, select_style


def test_positions_count_from_zero_and_leave_ones_out() -> None:
    assert move_to(0, 0) == b"\x1b[H"
    assert move_to(4, 0) == b"\x1b[5H"
    assert move_to(0, 7) == b"\x1b[;8H"
    assert move_to(4, 7) == b"\x1b[5;8H"


def test_one_step_to_the_right_needs_no_number() -> None:
    assert move_right(1) == b"\x1b[C"
    assert move_right(12) == b"\x1b[12C"


def test_a_style_takes_the_place_of_the_one_before() -> None:
    assert select_style("1;31") == b"\x1b[;1;31m"
    assert select_style("") == b"\x1b[m"
