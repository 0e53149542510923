"""Packets beyond the vectors: values that do not fit, names, and secrets."""

import pytest

from jminesweeper.protocol.packets import (
    LONGEST_NAME,
    FramedPacket,
    Hello,
    Load,
    NewGame,
    Pick,
    Save,
    Start,
    Undo,
    UnknownPacket,
    View,
)
from jminesweeper.protocol.vocabulary import EncodeError


def test_a_skipped_packet_keeps_its_size() -> None:
    assert UnknownPacket(200, 3).payload() == bytes(3)


@pytest.mark.parametrize(
    "packet",
    [
        Start(256, 10, 1),
        Start(20, -1, 1),
        Undo(65536),
        NewGame("x" * 256),
        NewGame(flags=256),
        Hello(features=256),
        Hello(key=b"short"),
        Save("x" * 256),
        Pick("", "x" * 256),
        View(cells=bytes(65_536)),
    ],
)
def test_a_value_that_does_not_fit_its_field_is_refused_when_encoding(
    packet: FramedPacket,
) -> None:
    with pytest.raises(EncodeError):
        packet.payload()


def test_a_printed_hello_does_not_show_the_key() -> None:
    secret = b"correct horse ba"
    assert "horse" not in repr(Hello(key=secret, name="Ada"))


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), "é" * 128, "\ud800"])
def test_a_name_that_the_wire_has_no_room_or_form_for_is_refused(name: str) -> None:
    with pytest.raises(EncodeError, match="the name in LOAD"):
        Load(name).payload()
