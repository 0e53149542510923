"""Packets to bytes."""

import pytest

from jminesweeper.protocol.packets import (
    Hello,
    ScreenContent,
    Start,
    UnknownPacket,
    encode,
    encode_screen,
)
from jminesweeper.protocol.vocabulary import Command


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
@pytest.mark.parametrize(
    ("command", "number"),
    [
        (Command.MOVE_LEFT, 1),
        (Command.MOVE_RIGHT, 2),
        (Command.MOVE_UP, 3),
        (Command.MOVE_DOWN, 4),
        (Command.REVEAL, 5),
        (Command.TOGGLE_BOMB_MARK, 6),
        (Command.QUIT, 8),
        (Command.TOGGLE_DEBUG_MODE, 10),
    ],
)
def test_a_packet_without_payload_is_its_type_alone(command: Command, number: int) -> None:
    assert encode(command) == bytes((number,))


@pytest.mark.requirement("J:packet START")
def test_start_is_type_length_and_three_bytes() -> None:
    assert encode(Start(20, 10, 1)) == bytes.fromhex("07 00000003 14 0a 01")


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
def test_a_screen_is_type_length_and_text() -> None:
    assert encode(ScreenContent("é".encode())) == bytes.fromhex("09 00000002 c3a9")


@pytest.mark.parametrize(("command", "number"), [(Command.REFRESH, 21), (Command.PAUSE, 25)])
def test_an_empty_packet_of_version_2_still_has_a_length(command: Command, number: int) -> None:
    assert encode(command) == bytes((number, 0, 0, 0, 0))


def test_a_packet_of_version_2_is_type_length_and_fields() -> None:
    assert encode(Hello()) == bytes.fromhex("0b 00000004 02 00 00 00")


def test_a_packet_of_a_later_version_can_be_written_for_a_test() -> None:
    assert encode(UnknownPacket(99, 2)) == bytes.fromhex("63 00000002 0000")


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
@pytest.mark.parametrize("text", [b"", b"text", b"\xff" * 70_000])
def test_a_screen_becomes_one_packet(text: bytes) -> None:
    assert encode_screen(text) == encode(ScreenContent(text))
