"""Numbers and names as payloads hold them."""

from struct import Struct

import pytest

from jminesweeper.protocol import LONGEST_NAME, EncodeError, PacketType, ProtocolError
from jminesweeper.protocol.fields import decode_name, encode_name, pack_fields


def test_numbers_are_written_big_endian_side_by_side() -> None:
    assert pack_fields(Struct(">BH"), PacketType.POINTER, (1, 2)) == b"\x01\x00\x02"


@pytest.mark.parametrize("value", [-1, 256])
def test_a_number_out_of_its_field_names_the_packet(value: int) -> None:
    with pytest.raises(EncodeError, match="JUMP does not fit the wire"):
        pack_fields(Struct(">B"), PacketType.JUMP, (value,))


@pytest.mark.parametrize("name", ["", "slot", "Zoë", "x" * LONGEST_NAME])
def test_a_name_is_read_back_as_it_was_written(name: str) -> None:
    assert decode_name(encode_name(name, PacketType.SAVE), PacketType.SAVE) == name


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), "é" * 128, "\ud800"])
def test_a_name_that_the_wire_has_no_room_or_form_for_is_refused(name: str) -> None:
    with pytest.raises(EncodeError, match="the name in LOAD"):
        encode_name(name, PacketType.LOAD)


@pytest.mark.parametrize("payload", [b"", b"\x05slot", b"\x03slot"])
def test_a_name_of_another_length_than_it_says_is_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError, match="The name in SAVE is not as long as it says"):
        decode_name(payload, PacketType.SAVE)


def test_a_name_that_is_no_utf_8_is_refused() -> None:
    with pytest.raises(ProtocolError, match="The name in HELLO is not valid UTF-8"):
        decode_name(b"\x01\xff", PacketType.HELLO)
