"""The codec holds for any packets, any chopping, any garbage."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.protocol.packets import Packet, ScreenContent, encode, encode_screen
from jminesweeper.protocol.reader import DEFAULT_MAX_PAYLOAD, PacketReader, StreamError
from jminesweeper.protocol.vocabulary import Direction
from tests.fuzz.web import spoil
from tests.property.protocol_strategies import PACKETS, chopped, u8

directions = st.sampled_from(Direction)
TELLING = (b"\x00", b"\x07", b"\x09", b"\xff", b"\x00\x00\x00\x03", b"\xff\xff\xff\xff")


def read_all(reader: PacketReader, data: list[bytes]) -> tuple[list[Packet], str | None]:
    """Every packet in the pieces, and the reason if they end in an error."""
    packets: list[Packet] = []
    for piece in data:
        try:
            packets += reader.feed(piece)
        except StreamError as error:
            return [*packets, *error.packets], error.reason
    return packets, None


@given(st.data(), directions)
def test_every_packet_is_read_back_as_it_was_written(
    data: st.DataObject, direction: Direction
) -> None:
    packet = data.draw(PACKETS[direction])
    assert PacketReader(direction).feed(encode(packet)) == [packet]


@pytest.mark.requirement("J:Networking Protocol")
@given(st.data(), directions)
def test_any_chopping_of_any_packets_gives_the_same_packets(
    data: st.DataObject, direction: Direction
) -> None:
    packets = data.draw(st.lists(PACKETS[direction], max_size=8))
    stream = b"".join(map(encode, packets))
    reader = PacketReader(direction)
    assert read_all(reader, data.draw(chopped(stream))) == (packets, None)
    assert not reader._buffer


@given(st.data(), directions)
def test_single_bytes_give_the_same_packets(data: st.DataObject, direction: Direction) -> None:
    packets = data.draw(st.lists(PACKETS[direction], max_size=4))
    stream = b"".join(map(encode, packets))
    single_bytes = [stream[at : at + 1] for at in range(len(stream))]
    assert read_all(PacketReader(direction), single_bytes) == (packets, None)


@given(st.data(), directions, st.binary(max_size=400))
def test_garbage_is_packets_or_the_one_error_however_it_is_chopped(
    data: st.DataObject, direction: Direction, garbage: bytes
) -> None:
    whole = read_all(PacketReader(direction), [garbage])
    assert read_all(PacketReader(direction), data.draw(chopped(garbage))) == whole


@given(st.data(), directions, st.binary(max_size=40))
def test_garbage_after_packets_takes_none_of_them_away(
    data: st.DataObject, direction: Direction, garbage: bytes
) -> None:
    packets = data.draw(st.lists(PACKETS[direction], max_size=4))
    stream = b"".join(map(encode, packets)) + garbage
    read, _ = read_all(PacketReader(direction), data.draw(chopped(stream)))
    assert read[: len(packets)] == packets


@given(st.data(), directions, st.randoms(use_true_random=False))
def test_spoiled_packets_are_other_packets_or_the_one_error(
    data: st.DataObject, direction: Direction, random: Random
) -> None:
    """Bytes that are nearly right get past the first header, where random ones seldom do."""
    packets = data.draw(st.lists(PACKETS[direction], min_size=1, max_size=8))
    stream = spoil(b"".join(map(encode, packets)), random, TELLING)
    whole = read_all(PacketReader(direction), [stream])
    assert read_all(PacketReader(direction), data.draw(chopped(stream))) == whole
    rewritten = b"".join(map(encode, whole[0]))
    assert read_all(PacketReader(direction), [rewritten]) == (whole[0], None)


@given(directions, st.binary(min_size=1, max_size=400), st.lists(st.binary(), min_size=1))
def test_after_an_error_there_is_only_that_error(
    direction: Direction, garbage: bytes, later: list[bytes]
) -> None:
    reader = PacketReader(direction)
    _, reason = read_all(reader, [garbage, b"\x00"])
    for data in later if reason else []:
        assert read_all(reader, [data]) == ([], reason)
        assert not reader._buffer


@given(directions, st.binary(max_size=400), st.integers(0, 50))
def test_a_reader_never_keeps_more_than_a_header_and_its_cap(
    direction: Direction, garbage: bytes, cap: int
) -> None:
    reader = PacketReader(direction, max_payload=cap)
    for at in range(len(garbage)):
        if read_all(reader, [garbage[at : at + 1]])[1]:
            break
        assert len(reader._buffer or b"") < 5 + cap + 1


@given(directions, u8.filter(lambda number: number not in range(1, 11)), st.integers(1, 1 << 20))
def test_no_packet_is_longer_than_the_cap(
    direction: Direction, packet_type: int, excess: int
) -> None:
    length = DEFAULT_MAX_PAYLOAD[direction] + excess
    header = bytes((packet_type,)) + length.to_bytes(4, "big")
    packets, reason = read_all(PacketReader(direction), [header])
    assert packets == []
    assert reason is not None


@given(st.binary())
def test_a_screen_is_read_back_whole(text: bytes) -> None:
    reader = PacketReader(Direction.FROM_SERVER)
    assert reader.feed(encode_screen(text)) == [ScreenContent(text)]
