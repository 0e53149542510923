"""Bytes beyond the vectors: refusals in plain words, and what is kept."""

import pytest

from jminesweeper.protocol.packets import Hello, ScreenContent, UnknownPacket, encode
from jminesweeper.protocol.reader import (
    DEFAULT_MAX_PAYLOAD,
    FORMATS,
    SINGLE_BYTE,
    PacketReader,
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
        (from_server(), b"\x00", "There is no packet of type 0."),
        (from_server(), b"\x01", "MOVE_LEFT is not a packet that a server sends."),
        (from_server(), b"\x07", "START is not a packet that a server sends."),
        (from_server(), header(30, 3), "VIEW carries at least 4 bytes, not 3."),
        (
            from_server(max_payload=10),
            header(9, 11),
            "A packet of type 9 announces 11 bytes; more than 10 are not accepted.",
        ),
    ],
)
def test_what_no_server_sends_is_refused_with_its_header_in_plain_words(
    reader: PacketReader, data: bytes, reason: str
) -> None:
    error = failure(reader, data)
    assert (error.reason, error.packets) == (reason, ())


@pytest.mark.parametrize("direction", Direction)
def test_a_payload_as_long_as_the_cap_is_accepted(direction: Direction) -> None:
    cap = DEFAULT_MAX_PAYLOAD[direction]
    reader = PacketReader(direction)
    assert reader.feed(header(99, cap) + bytes(cap)) == [UnknownPacket(99, cap)]


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x01\x02"])
def test_a_reader_that_raised_raises_for_ever(data: bytes) -> None:
    reader = from_client()
    first = failure(reader, b"\x01\x00")
    assert [failure(reader, data).reason for _ in range(2)] == [first.reason] * 2
    assert failure(reader, data).packets == ()


def test_nothing_is_kept_of_a_payload_that_is_skipped() -> None:
    reader = from_client()
    fed = [header(99, 3000), *[bytes(1000)] * 2]
    kept = [(reader.feed(data), len(reader._buffer or b"")) for data in fed]
    assert kept == [([], 0)] * 3


def test_the_unfinished_packet_is_all_that_is_kept() -> None:
    reader = from_server()
    reader.feed(encode(ScreenContent(b"whole")) + header(9, 100) + b"begun")
    assert len(reader._buffer or b"") == 10


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


def test_not_even_an_empty_buffer_is_kept_between_two_packets() -> None:
    reader, packet = from_client(), encode(Hello(name="Ada"))
    assert (reader.feed(packet[:7]), reader._buffer) == ([], bytearray(packet[:7]))
    assert (reader.feed(packet[7:]), reader._buffer) == ([Hello(name="Ada")], None)
