"""Bytes to packets."""

import pytest

from jminesweeper.protocol.packets import (
    MoveTo,
    Packet,
    ScreenContent,
    Start,
    UnknownPacket,
    View,
    encode,
)
from jminesweeper.protocol.reader import (
    DEFAULT_MAX_PAYLOAD,
    FORMATS,
    SINGLE_BYTE,
    PacketReader,
    PayloadFormat,
    StreamError,
)
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command, Direction, PacketType

FROM_SERVER = {
    PacketType.SCREEN_CONTENT,
    PacketType.VIEW,
    PacketType.RECORDING,
}


def from_client(max_payload: int | None = None) -> PacketReader:
    return PacketReader(Direction.FROM_CLIENT, max_payload)


def from_server(max_payload: int | None = None) -> PacketReader:
    return PacketReader(Direction.FROM_SERVER, max_payload)


def failure(reader: PacketReader, data: bytes) -> StreamError:
    with pytest.raises(StreamError) as raised:
        reader.feed(data)
    return raised.value


def header(packet_type: int, length: int) -> bytes:
    return bytes((packet_type,)) + length.to_bytes(4, "big")


@pytest.mark.requirement(
    "J:packet MOVE_LEFT",
    "J:packet MOVE_RIGHT",
    "J:packet MOVE_UP",
    "J:packet MOVE_DOWN",
    "J:packet REVEAL",
    "J:packet TOGGLE_BOMB_MARK",
    "J:packet QUIT",
    "J:packet TOGGLE_DEBUG_MODE",
)
@pytest.mark.parametrize("command", Command)
def test_a_command_is_read_back(command: Command) -> None:
    assert from_client().feed(encode(command)) == [command]


@pytest.mark.requirement("J:packet START")
def test_start_is_read_byte_by_byte() -> None:
    reader = from_client()
    answers = [reader.feed(bytes((byte,))) for byte in encode(Start(20, 10, 2))]
    assert answers == [[], [], [], [], [], [], [], [Start(20, 10, 2)]]


def test_packets_of_one_segment_are_read_in_order() -> None:
    packets: list[Packet] = [Start(9, 9, 1), Command.MOVE_RIGHT, MoveTo(3, 4), Command.QUIT]
    assert from_client().feed(b"".join(map(encode, packets))) == packets


def test_nothing_fed_is_nothing_read() -> None:
    assert from_client().feed(b"") == []


def test_start_with_values_out_of_range_is_left_to_the_game() -> None:
    assert from_client().feed(bytes.fromhex("07 00000003 00 00 09")) == [Start(0, 0, 9)]


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
def test_a_screen_is_read_from_pieces() -> None:
    reader = from_server()
    frame = encode(ScreenContent(b"? " * 100))
    assert reader.feed(frame[:3]) == reader.feed(frame[3:150]) == []
    assert reader.feed(frame[150:]) == [ScreenContent(b"? " * 100)]


def test_a_view_is_read_back() -> None:
    view = View(b'{"left":3}', b"\x10")
    assert from_server().feed(encode(view)) == [view]


def test_a_packet_of_a_later_version_is_skipped_and_counted() -> None:
    assert from_client().feed(header(200, 2) + b"xx\x01") == [
        UnknownPacket(200, 2),
        Command.MOVE_LEFT,
    ]


def test_a_packet_of_a_later_version_is_skipped_across_segments_before_it_counts() -> None:
    reader = from_client()
    fed = [header(30, 4) + b"\x01", b"\x01", b"", b"\x01", b"\x01\x02"]
    assert [reader.feed(data) for data in fed] == [
        [],
        [],
        [],
        [],
        [UnknownPacket(30, 4), Command.MOVE_RIGHT],
    ]


def test_an_empty_packet_of_a_later_version_counts_with_its_header() -> None:
    assert from_client().feed(header(255, 0)) == [UnknownPacket(255, 0)]


@pytest.mark.parametrize("packet_type", [PacketType.HELLO, PacketType.MOVE_TO, 200])
def test_a_client_skips_what_a_later_server_may_send(packet_type: int) -> None:
    assert from_server().feed(header(packet_type, 1) + b"x") == [UnknownPacket(packet_type, 1)]


def test_a_server_skips_a_view_that_a_client_sends() -> None:
    assert from_client().feed(header(PacketType.VIEW, 1) + b"x") == [
        UnknownPacket(PacketType.VIEW, 1)
    ]


@pytest.mark.requirement("J:Networking Protocol")
@pytest.mark.parametrize(
    ("reader", "data", "reason"),
    [
        (from_client(), b"\x00", "There is no packet of type 0."),
        (from_client(), b"\x09", "SCREEN_CONTENT is not a packet that a client sends."),
        (from_server(), b"\x00", "There is no packet of type 0."),
        (from_server(), b"\x01", "MOVE_LEFT is not a packet that a server sends."),
        (from_server(), b"\x07", "START is not a packet that a server sends."),
        (from_client(), header(7, 4), "START carries 3 bytes, not 4."),
        (from_client(), header(7, 0), "START carries 3 bytes, not 0."),
        (from_client(), header(7, 0xFFFFFFFF), "START carries 3 bytes, not 4294967295."),
        (from_client(), header(11, 3), "HELLO carries 4 to 275 bytes, not 3."),
        (from_client(), header(17, 1), "HINT carries 2 bytes, not 1."),
        (from_server(), header(30, 3), "VIEW carries at least 4 bytes, not 3."),
        (
            from_client(),
            header(99, 65537),
            "A packet of type 99 announces 65537 bytes; more than 65536 are not accepted.",
        ),
        (
            from_server(max_payload=10),
            header(9, 11),
            "A packet of type 9 announces 11 bytes; more than 10 are not accepted.",
        ),
    ],
)
def test_what_is_no_packet_is_refused_with_its_header_in_plain_words(
    reader: PacketReader, data: bytes, reason: str
) -> None:
    error = failure(reader, data)
    assert (error.reason, error.packets) == (reason, ())


@pytest.mark.parametrize("direction", Direction)
def test_a_payload_as_long_as_the_cap_is_accepted(direction: Direction) -> None:
    cap = DEFAULT_MAX_PAYLOAD[direction]
    reader = PacketReader(direction)
    assert reader.feed(header(99, cap) + bytes(cap)) == [UnknownPacket(99, cap)]


def test_what_came_before_the_bad_packet_is_not_lost() -> None:
    error = failure(from_client(), b"\x01\x05" + encode(Start(1, 1, 1)) + b"\x00\x02")
    assert error.packets == (Command.MOVE_LEFT, Command.REVEAL, Start(1, 1, 1))


def test_a_payload_that_cannot_be_taken_apart_is_refused_and_breaks_the_reader() -> None:
    reader = from_client()
    error = failure(reader, b"\x02" + header(PacketType.SAVE, 2) + b"\x01\xff" + b"\x02")
    assert error.packets == (Command.MOVE_RIGHT,)
    assert failure(reader, b"\x02").packets == ()


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x01\x02"])
def test_a_reader_that_raised_raises_for_ever(data: bytes) -> None:
    reader = from_client()
    first = failure(reader, b"\x01\x00")
    assert [failure(reader, data).reason for _ in range(2)] == [first.reason] * 2
    assert failure(reader, data).packets == ()


def test_nothing_is_kept_of_a_payload_that_is_skipped() -> None:
    reader = from_client()
    fed = [header(99, 3000), *[bytes(1000)] * 2]
    kept = [(reader.feed(data), len(reader._buffer)) for data in fed]
    assert kept == [([], 0)] * 3


def test_the_unfinished_packet_is_all_that_is_kept() -> None:
    reader = from_server()
    reader.feed(encode(ScreenContent(b"whole")) + header(9, 100) + b"begun")
    assert len(reader._buffer) == 10


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
        (PacketType.HELLO, 4, 275),
        (PacketType.MOVE_TO, 2, 2),
        (PacketType.NEW_GAME, 17, 17),
        (PacketType.UNDO, 2, 2),
        (PacketType.HINT, 2, 2),
        (PacketType.SAVE, 1, 256),
        (PacketType.LOAD, 1, 256),
        (PacketType.MENU, 1, 256),
        (PacketType.REFRESH, 0, 0),
        (PacketType.CODE, 1, 256),
        (PacketType.DROP, 1, 256),
        (PacketType.ACT, 4, 4),
        (PacketType.PICK, 4, 769),
        (PacketType.REPLAY, 2, 2),
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
