"""A WebSocket's bytes: short messages that arrive whole have a way of their own."""

from __future__ import annotations

import pytest

from jminesweeper.server.web_socket import LARGEST_MESSAGE, WebSocketStream
from tests.fuzz.web import HANDSHAKE
from tests.integration.web_peer import BINARY, CLOSE, CONTINUED, PING, TEXT, frame

PROTOCOL_ERROR = 1002


def open_stream() -> WebSocketStream:
    stream = WebSocketStream()
    stream.receive(HANDSHAKE)
    assert stream.outgoing.startswith(b"HTTP/1.1 101 ")
    return stream


def hear(stream: WebSocketStream, data: bytes) -> bytes:
    """Receive bytes as a connection does."""
    return stream.read_message(data) or stream.receive(data)


@pytest.mark.parametrize("size", [1, 3, 4, 5, 125])
def test_a_short_message_is_read_whole(size: int) -> None:
    data = bytes(range(size))
    assert open_stream().read_message(frame(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        frame(b""),
        frame(bytes(126)),
        frame(b"move", TEXT),
        frame(b"move", PING),
        frame(b"move", CLOSE),
        frame(b"move", CONTINUED),
        frame(b"move", first=0),
        frame(b"move", first=0xC0),
        frame(b"move", mask=b""),
        frame(b"move")[:-1],
        frame(b"move") + frame(b"move"),
        b"",
        b"\x82",
    ],
)
def test_everything_else_is_left_to_the_library(data: bytes) -> None:
    assert open_stream().read_message(data) == b""


def test_no_message_is_read_before_the_handshake() -> None:
    assert WebSocketStream().read_message(frame(b"move")) == b""


def test_the_rest_of_a_message_may_look_like_a_whole_one() -> None:
    stream, inner = open_stream(), frame(b"within")
    whole = frame(inner, mask=bytes(4))
    assert whole.endswith(inner)
    assert hear(stream, whole[: -len(inner)]) == b""
    assert hear(stream, inner) == inner
    assert stream.read_message(frame(b"after")) == b"after"


def test_a_whole_message_within_one_of_several_frames_breaks_the_rules() -> None:
    stream = open_stream()
    assert hear(stream, frame(b"first", first=0)) == b"first"
    assert hear(stream, frame(b"second")) == b""
    assert int.from_bytes(stream.outgoing[2:4]) == PROTOCOL_ERROR
    assert stream.is_over


def test_messages_are_read_whole_again_after_one_of_several_frames() -> None:
    stream = open_stream()
    hear(stream, frame(b"first", first=0))
    hear(stream, frame(b"ping", PING))
    assert stream.read_message(frame(b"no")) == b""
    assert hear(stream, frame(b"last", CONTINUED)) == b"last"
    assert stream.read_message(frame(b"move")) == b"move"


@pytest.mark.parametrize("size", [126, 1000, LARGEST_MESSAGE - 1, LARGEST_MESSAGE])
def test_messages_are_read_whole_again_after_a_long_one(size: int) -> None:
    stream, mask = open_stream(), bytes(4)
    length = b"\xfe" + size.to_bytes(2) if size < 1 << 16 else b"\xff" + size.to_bytes(8)
    assert hear(stream, b"\x82" + length + mask + bytes(size)) == bytes(size)
    assert stream.read_message(frame(b"move")) == b"move"


def test_a_length_in_more_bytes_than_it_needs_is_understood() -> None:
    stream = open_stream()
    assert hear(stream, b"\x82\xfe\x00\x04" + bytes(4) + b"move") == b"move"
    assert hear(stream, frame(b"next")) == b"next"


def test_nothing_is_read_or_packed_after_a_close() -> None:
    stream = open_stream()
    stream.close()
    assert stream.read_message(frame(b"move")) == b""
    assert stream.pack(b"reply") == b""


@pytest.mark.parametrize("size", [0, 1, 125])
def test_a_short_reply_is_a_head_of_two_bytes_and_the_reply(size: int) -> None:
    assert open_stream().pack(bytes(size)) == bytes((0x80 | BINARY, size)) + bytes(size)


def test_a_longer_reply_has_its_length_in_more_bytes() -> None:
    assert open_stream().pack(bytes(126)) == b"\x82\x7e\x00\x7e" + bytes(126)
    assert open_stream().pack(bytes(1 << 16)) == b"\x82\x7f" + (1 << 16).to_bytes(8) + bytes(
        1 << 16
    )
