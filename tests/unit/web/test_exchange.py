"""Requests and answers on one connection."""

from __future__ import annotations

import pytest

from jminesweeper.web.site import Exchange

UPGRADE = (
    b"GET /play HTTP/1.1\r\nHost: here:9999\r\nOrigin: http://here:9999\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
)


def get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: here:9999\r\n{more}\r\n".encode()


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_one_request_after_the_other_is_answered_on_one_connection() -> None:
    exchange = Exchange()
    first = exchange.receive(get("/"))
    assert b"\r\n\r\n<!doctype html>" in first
    assert b"Connection: " not in first
    assert exchange.receive(get("/")) == first
    assert not exchange.is_over


def test_a_request_may_come_byte_by_byte() -> None:
    exchange = Exchange()
    answers = [exchange.receive(bytes((byte,))) for byte in get("/")]
    assert answers[:-1] == [b""] * (len(answers) - 1)
    assert status(answers[-1]) == 200


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (get("/", "Connection: close\r\n"), 200),
        (get("/") + get("/"), 200),
        (b"GET\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n12345", 413),
        (b"GET / HTTP/1.1\r\n" + b"x" * 9_000, 431),
        (get("/play"), 426),
        (UPGRADE.replace(b"GET", b"HEAD"), 405),
        (UPGRADE.replace(b"http://here", b"http://evil"), 403),
        (UPGRADE.replace(b"here", b"evil.example"), 421),
        (get("/").replace(b"here", b"evil.example"), 421),
    ],
)
def test_the_connection_ends_after_what_must_not_continue(request_: bytes, expected: int) -> None:
    exchange = Exchange()
    answer = exchange.receive(request_)
    assert status(answer) == expected
    assert b"Connection: close\r\n" in answer
    assert exchange.is_over
    assert not exchange.upgrade
    assert exchange.receive(get("/")) == b""


def test_head_of_the_socket_has_no_body() -> None:
    assert Exchange().receive(UPGRADE.replace(b"GET", b"HEAD")).endswith(b"\r\n\r\n")


def test_a_web_socket_takes_over_with_all_its_bytes() -> None:
    exchange = Exchange()
    assert exchange.receive(UPGRADE[:30]) == b""
    assert exchange.receive(UPGRADE[30:] + b"\x82\x80") == b""
    assert exchange.upgrade == UPGRADE + b"\x82\x80"
    assert not exchange.is_over


@pytest.mark.parametrize("request_", [get("/"), get("/x"), UPGRADE])
def test_without_web_sockets_every_address_says_so(request_: bytes) -> None:
    exchange = Exchange(has_page=False)
    answer = exchange.receive(request_)
    assert status(answer) == 503
    assert b"installed without the page" in answer
    assert exchange.is_over


def test_an_unknown_name_is_told_how_it_becomes_known() -> None:
    answer = Exchange().receive(get("/").replace(b"here", b"mines.example.org"))
    assert b"--public-url" in answer


def test_a_path_without_its_last_slash_leads_to_the_page() -> None:
    exchange = Exchange(public_url="https://example.org/mines/")
    answer = exchange.receive(get("/mines"))
    assert status(answer) == 308
    assert b"\r\nLocation: /mines/\r\n" in answer
