"""The numbers of the wire."""

import pickle

import pytest

from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    FIRST_WITH_LENGTH,
    Command,
    PacketType,
    announced_version,
)

NUMBERS_OF_J = {
    "MOVE_LEFT": 1,
    "MOVE_RIGHT": 2,
    "MOVE_UP": 3,
    "MOVE_DOWN": 4,
    "REVEAL": 5,
    "TOGGLE_BOMB_MARK": 6,
    "START": 7,
    "QUIT": 8,
    "SCREEN_CONTENT": 9,
    "TOGGLE_DEBUG_MODE": 10,
}


@pytest.mark.requirement("J:Networking Protocol")
def test_version_1_has_the_numbers_and_names_of_the_table() -> None:
    version_1 = {kind.name: kind.value for kind in PacketType if kind < FIRST_WITH_LENGTH}
    assert version_1 == NUMBERS_OF_J


def test_version_2_continues_the_numbers() -> None:
    numbers = [kind.value for kind in PacketType]
    left_out = {12, 13, 22, 23, 24, 26, 28}
    assert numbers == [number for number in range(1, numbers[-1] + 1) if number not in left_out]


def test_a_command_is_named_and_numbered_like_its_packet() -> None:
    assert all(command.packet_type is PacketType[command.name] for command in Command)


def test_a_command_is_found_in_a_table_after_it_was_pickled() -> None:
    table = {command: command.name for command in Command}
    assert [table[pickle.loads(pickle.dumps(command))] for command in Command] == [*table.values()]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (ANNOUNCEMENT, 2),
        (ANNOUNCEMENT + b"\x1b[H? ?", 2),
        (b"\x1b]2;JMinesweeper/13\x07", 13),
        (b"", 1),
        (b"\x1b[H? ?", 1),
        (b"\x1b[H" + ANNOUNCEMENT, 1),
        (ANNOUNCEMENT[:-1], 1),
        (b"\x1b]2;JMinesweeper/0\x07", 1),
        (b"\x1b]2;JMinesweeper/999\x07", 1),
        (b"\x1b]2;vim\x07", 1),
    ],
)
def test_a_version_is_announced_by_the_first_bytes_of_the_screen_or_not_at_all(
    text: bytes, version: int
) -> None:
    assert announced_version(text) == version
