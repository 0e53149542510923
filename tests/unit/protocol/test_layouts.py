"""Which packets may come from where."""

import pytest

from jminesweeper.protocol import FIRST_WITH_LENGTH, Direction, PacketType
from jminesweeper.protocol.layouts import FORMATS, SINGLE_BYTE, PayloadFormat

FROM_SERVER = {PacketType.SCREEN_CONTENT, PacketType.SCREEN_PATCH}


def test_every_packet_type_belongs_to_exactly_one_direction() -> None:
    known = {direction: {*SINGLE_BYTE[direction], *FORMATS[direction]} for direction in Direction}
    assert known[Direction.FROM_SERVER] == FROM_SERVER
    assert known[Direction.FROM_CLIENT] == set(PacketType) - FROM_SERVER


@pytest.mark.requirement("J:Networking Protocol")
def test_only_packets_of_version_1_without_payload_are_a_single_byte() -> None:
    numbers = set(SINGLE_BYTE[Direction.FROM_CLIENT])
    assert numbers == set(range(1, FIRST_WITH_LENGTH)) - {
        PacketType.START,
        PacketType.SCREEN_CONTENT,
    }


@pytest.mark.parametrize(
    ("kind", "shortest", "longest"),
    [
        (PacketType.START, 3, 3),
        (PacketType.HELLO, 11, 282),
        (PacketType.RESIZE, 4, 4),
        (PacketType.MOVE_TO, 2, 2),
        (PacketType.NEW_GAME, 17, 17),
        (PacketType.UNDO, 2, 2),
        (PacketType.HINT, 0, 0),
        (PacketType.SAVE, 1, 256),
        (PacketType.LOAD, 1, 256),
        (PacketType.TEXT, 1, 256),
        (PacketType.ERASE, 0, 0),
        (PacketType.DROP, 1, 256),
        (PacketType.POINTER, 5, 5),
        (PacketType.JUMP, 1, 1),
        (PacketType.ACT, 3, 3),
        (PacketType.HELP, 0, 0),
    ],
)
def test_a_payload_has_the_documented_length(kind: PacketType, shortest: int, longest: int) -> None:
    expected = FORMATS[Direction.FROM_CLIENT][kind]
    assert (expected.shortest, expected.longest) == (shortest, longest)


@pytest.mark.parametrize(
    ("shortest", "longest", "description"),
    [(3, 3, "3"), (1, 256, "1 to 256"), (3, None, "at least 3")],
)
def test_a_length_is_described_in_plain_words(
    shortest: int, longest: int | None, description: str
) -> None:
    assert PayloadFormat(shortest, longest, lambda _: NotImplemented).describe_length() == (
        description
    )
