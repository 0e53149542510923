"""VIEW: members that changed, and cells as a whole board or as runs."""

import pytest

from jminesweeper.protocol.packets import View, encode, encode_view
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import Direction, ProtocolError


def test_a_view_is_its_cells_behind_their_length_and_its_members() -> None:
    assert View(b'{"left":3}', b"\x10").payload() == b'\x00\x01\x10{"left":3}'


def test_what_is_encoded_at_once_is_what_the_packet_encodes() -> None:
    assert encode_view(b"\1\2", b"{}") == encode(View(b"{}", b"\1\2"))


def test_a_view_says_its_members() -> None:
    (view,) = PacketReader(Direction.FROM_SERVER).feed(encode_view(b"", b'{"cursor":[1,2]}'))
    assert isinstance(view, View)
    assert view.members() == {"cursor": [1, 2]}


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[]", b"1", b'"left"'])
def test_members_that_are_no_object_are_refused(text: bytes) -> None:
    with pytest.raises(ProtocolError, match="The members in VIEW are not"):
        View(text).members()


def test_members_may_have_any_length() -> None:
    members = b'{"a":"' + b"x" * 100_000 + b'"}'
    (view,) = PacketReader(Direction.FROM_SERVER).feed(encode_view(b"\x10", members))
    assert view == View(members, b"\x10")


def test_no_cells_change_nothing() -> None:
    faces = bytearray(b"\x10\x10\x10\x10\x10")
    paint_faces(faces, b"")
    assert faces == b"\x10\x10\x10\x10\x10"


def test_as_many_faces_as_cells_are_the_whole_board() -> None:
    faces = bytearray(4)
    paint_faces(faces, b"\0\1\2\3")
    assert faces == b"\0\1\2\3"


def test_runs_of_faces_change_the_cells_that_they_name() -> None:
    faces = bytearray(b"\x10" * 20)
    paint_faces(faces, b"\0\1\2\1\2\0\x13\1\x30")
    assert faces == b"\x10\1\2" + b"\x10" * 16 + b"\x30"


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
