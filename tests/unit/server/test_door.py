"""Callers, by their first bytes."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import Hello, Start, encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.door import INTRODUCTION, Caller, recognise


@pytest.mark.parametrize(
    "packet", [Start(20, 10, 1), Hello(), Command.QUIT, Command.TOGGLE_DEBUG_MODE]
)
def test_a_client_is_known_by_the_first_byte_of_its_first_packet(packet: Command) -> None:
    assert recognise(encode(packet)[:1]) is Caller.CLIENT


@pytest.mark.parametrize("typed", [b"h", b"\r\n", b"\tx", b" ", b"~", b"GOT ", b"PUTS"])
def test_typed_text_is_known_by_its_first_byte(typed: bytes) -> None:
    assert recognise(typed) is Caller.TEXT


@pytest.mark.parametrize("asked", [b"GET / HTTP/1.1\r\n", b"HEAD /", b"POST /x", b"OPTIONS *"])
def test_a_browser_is_known_by_what_it_asks(asked: bytes) -> None:
    assert recognise(asked) is Caller.BROWSER


@pytest.mark.parametrize("beginning", [b"G", b"GET", b"P", b"OPTIONS"])
def test_the_beginning_of_a_request_waits_for_more(beginning: bytes) -> None:
    assert recognise(beginning) is None


def test_a_tls_handshake_is_known_by_two_bytes() -> None:
    assert recognise(b"\x16") is None
    assert recognise(b"\x16\x03\x01") is Caller.TLS
    assert recognise(b"\x16\x00\x00") is Caller.CLIENT


@pytest.mark.parametrize("first", [0, 127, 128, 255])
def test_bytes_that_are_no_text_are_left_to_the_protocol(first: int) -> None:
    assert recognise(bytes((first,))) is Caller.CLIENT


def test_the_introduction_is_one_line_for_a_terminal() -> None:
    assert INTRODUCTION.endswith(b"\r\n")
    assert INTRODUCTION.count(b"\n") == 1
    assert INTRODUCTION.isascii()
