"""VIEW: members that changed, and cells as a whole board or as runs."""

import pytest

from jminesweeper.protocol.packets import View, encode, encode_view
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import Direction, ProtocolError


def test_a_view_is_its_cells_behind_their_length_and_its_members() -> None:
    assert View(b'{"left":3}', b"\x10").payload() == b'\x00\x01\x10{"left":3}'
    assert encode_view(b"\1\2", b"{}") == encode(View(b"{}", b"\1\2"))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[]", b"1", b'"left"'])
def test_members_that_are_no_object_are_refused(text: bytes) -> None:
    with pytest.raises(ProtocolError, match="The members in VIEW are not"):
        View(text).members()


@pytest.mark.parametrize("length", [2, 100_000])
def test_a_view_says_its_members_however_long_they_are(length: int) -> None:
    encoded = encode_view(b"\x10", b'{"a":"' + b"x" * length + b'"}')
    (view,) = PacketReader(Direction.FROM_SERVER).feed(encoded)
    assert isinstance(view, View)
    assert (view.members(), view.cells) == ({"a": "x" * length}, b"\x10")


COVERED = b"\x10" * 20


@pytest.mark.parametrize(
    ("faces", "cells", "painted"),
    [
        (COVERED, b"", COVERED),
        # As many as cells are the whole board, others are runs at the cells that they name.
        (b"\x10" * 4, b"\0\1\2\3", b"\0\1\2\3"),
        (COVERED, b"\0\1\2\1\2\0\x13\1\x30", b"\x10\1\2" + b"\x10" * 16 + b"\x30"),
    ],
    ids=["nothing", "a board", "runs"],
)
def test_cells_are_nothing_a_whole_board_or_runs(
    faces: bytes, cells: bytes, painted: bytes
) -> None:
    board = bytearray(faces)
    paint_faces(board, cells)
    assert board == painted


@pytest.mark.parametrize(
    "cells",
    [
        b"\0",
        b"\0\0",
        b"\0\0\2\1",
        b"\0\x09\2\1\1",
        b"\xff\xff\1\1",
    ],
)
def test_runs_that_are_cut_off_or_leave_the_board_are_refused(cells: bytes) -> None:
    with pytest.raises(ProtocolError, match="A run of cells in VIEW is cut off"):
        paint_faces(bytearray(10), cells)
