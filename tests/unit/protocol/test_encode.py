"""Packets to bytes."""

import pytest

from jminesweeper.protocol.encode import encode, encode_patch, encode_screen
from jminesweeper.protocol.packets import Hello, ScreenContent, ScreenPatch, Start, UnknownPacket
from jminesweeper.protocol.vocabulary import Command, PatchFlag


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


@pytest.mark.parametrize(
    ("command", "number"), [(Command.HINT, 17), (Command.REFRESH, 21), (Command.HELP, 26)]
)
def test_an_empty_packet_of_version_2_still_has_a_length(command: Command, number: int) -> None:
    assert encode(command) == bytes((number, 0, 0, 0, 0))


def test_a_packet_of_version_2_is_type_length_and_fields() -> None:
    assert encode(Hello(80, 24)) == bytes.fromhex("0b 0000000b 02 0050 0018 00 00 00 00 00 00")


def test_a_packet_of_a_later_version_can_be_written_for_a_test() -> None:
    assert encode(UnknownPacket(99, 2)) == bytes.fromhex("63 00000002 0000")


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
@pytest.mark.parametrize("pieces", [(), (b"",), (b"head", b"", b"tail"), (b"\xff" * 70_000,)])
def test_pieces_of_a_screen_become_one_packet(pieces: tuple[bytes, ...]) -> None:
    assert encode_screen(*pieces) == encode(ScreenContent(b"".join(pieces)))


def test_a_patch_is_type_length_flags_cursor_and_text() -> None:
    flags = PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED
    assert encode_patch(flags, 3, 7, b"1234") == encode(ScreenPatch(flags, 3, 7, b"1234"))


def test_a_cursor_beyond_the_last_position_of_a_patch_is_told_as_being_on_it() -> None:
    assert encode_patch(0, 300, 1000) == encode(ScreenPatch(0, 255, 255))


def test_a_cursor_move_costs_eight_bytes() -> None:
    assert len(encode_patch(PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED, 3, 7)) == 8
