"""A failed check, as a person reads it."""

from __future__ import annotations

import pytest

from jminesweeper.check.server import Shot
from jminesweeper.check.suite import DeviationError, Transcript, expect
from jminesweeper.check.wire import Version2, describe_bytes
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    Hello,
    MoveTo,
    NewGame,
    Packet,
    Save,
    ScreenContent,
    Start,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Command, NewGameFlag


def test_a_transcript_counts_what_was_sent_several_times_in_a_row() -> None:
    transcript = Transcript()
    for line in ["START", "MOVE_LEFT", "MOVE_LEFT", "REVEAL"]:
        transcript.add(line)
    assert transcript.shortened() == ("START", "MOVE_LEFT (2 times)", "REVEAL")


def test_a_long_transcript_keeps_its_beginning_and_its_end() -> None:
    transcript = Transcript()
    for number in range(100):
        transcript.add(f"packet {number}")
    first, second, gap, *rest = transcript.shortened()
    assert (first, second, gap) == ("packet 0", "packet 1", "(89 more)")
    assert rest == [f"packet {number}" for number in range(91, 100)]


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        (Command.MOVE_LEFT, "MOVE_LEFT"),
        (Start(20, 10, 1), "START columns=20 rows=10 level=1"),
        (UnknownPacket(99, 3), "a packet of type 99 with 3 bytes"),
        (MoveTo(3, 4), "MOVE_TO column=3 row=4"),
        (Save("a\x1bb"), r"SAVE name='a\x1bb'"),
        (ScreenContent(b"\x1b[2J"), "SCREEN_CONTENT text=(4 bytes)"),
    ],
)
def test_a_packet_is_named_with_its_fields(packet: Packet, words: str) -> None:
    assert Version2.describe(packet) == words


def test_numbers_that_have_names_are_written_as_numbers() -> None:
    assert Version2.describe(NewGame(flags=NewGameFlag.IF_NONE)) == "NEW_GAME board='' flags=2"


def test_a_key_is_not_written_down() -> None:
    assert "key" not in Version2.describe(Hello(key=b"k" * 16))


def test_many_bytes_are_cut_short() -> None:
    assert describe_bytes(b"\x07\x00") == "the bytes 07 00"
    assert describe_bytes(bytes(30)).endswith("00 and 6 more")


def test_the_first_line_of_a_text_is_readable() -> None:
    assert describe_bytes(b"HTTP/1.1 400 Bad Request\r\nServer: x").endswith(
        "and 11 more ('HTTP/1.1 400 Bad Request')"
    )
    assert describe_bytes(b"abc") == "the bytes 61 62 63"
    assert describe_bytes(b"\xff\xff\xff\xff") == "the bytes ff ff ff ff"


def test_what_does_not_hold_is_a_deviation() -> None:
    expect(True, "this", "that")
    with pytest.raises(DeviationError, match="this; expected: that") as raised:
        expect(False, "this", "that")
    assert (raised.value.came, raised.value.expected) == ("this", "that")


def test_pictures_that_are_the_same_show_their_cursors_or_speak_of_colours() -> None:
    home, aside = Shot((), Cell(0, 0), "??"), Shot((), Cell(3, 0), "??")
    with pytest.raises(DeviationError) as raised:
        aside.expect_like(home, "another field", "the same field")
    assert raised.value.came == "another field:\n(the cursor between brackets)\n?? [ ]"
    assert raised.value.expected == "the same field:\n(the cursor between brackets)\n[?]?"
    with pytest.raises(DeviationError, match=r"^another field:\nin other colours:\n\?\?; expected"):
        Shot(((),), Cell(0, 0), "??").expect_like(home, "another field", "the same field")
