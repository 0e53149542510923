import itertools

import pytest

from jminesweeper.screen.faces import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.screen.looks import Depth, dress, look_of, paint_cells

PLAYED = [COVERED, COVERED | FLAGGED, COVERED | MINED, COVERED | FLAGGED | MINED]
ENDED = [MINED, MINED | FLAGGED, MINED | EXPLODED, FLAGGED | 3]


@pytest.mark.requirement("J:character B", "J:character ?", "J:character .", "J:character digit")
def test_cells_are_written_with_the_characters_of_the_protocol() -> None:
    assert [look_of(face).first for face in range(9)] == list(".12345678")
    assert look_of(COVERED).first == "?"
    assert look_of(MINED).first == "B"


@pytest.mark.requirement("J:lost field")
@pytest.mark.parametrize("faces", [PLAYED, ENDED], ids=["played", "ended"])
def test_flags_and_bombs_are_told_apart_in_two_columns_and_in_one(faces: list[int]) -> None:
    looks = [look_of(face) for face in [*faces, *range(9)]]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


def test_a_wrong_flag_leaves_the_number_to_be_read() -> None:
    assert look_of(FLAGGED | 3)[1:3] == ("3", "F")


def test_no_two_digits_look_the_same_where_there_are_colours() -> None:
    for depth in (Depth.INDEXED, Depth.SIXTEEN):
        assert len({dress(depth, wide=True).styles[clue] for clue in range(1, 9)}) == 8


def test_a_row_changes_style_only_where_its_cells_do() -> None:
    assert paint_cells(bytes((1, 1, 1)), Depth.SIXTEEN, True) == b"\x1b[;94m1 1 1 \x1b[m"
    assert paint_cells(bytes((0, 1)), Depth.SIXTEEN, False) == b".\x1b[;94m1\x1b[m"
    assert paint_cells(b"", Depth.SIXTEEN, False) == b""


def test_less_colour_never_takes_more_bytes() -> None:
    faces = bytes((0, 1, 2, 3, COVERED, COVERED | FLAGGED, MINED, FLAGGED | 1, 8))
    lengths = [len(paint_cells(faces, depth, True)) for depth in Depth]
    assert all(more >= less for more, less in itertools.pairwise(lengths))
    assert paint_cells(faces, Depth.NONE, True).isascii()
    assert b"\x1b" not in paint_cells(faces, Depth.NONE, True)
