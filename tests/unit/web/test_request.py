"""The head of a request."""

import pytest

from jminesweeper.web.site import LONGEST_HEAD, HttpError, Request, read_request

PAGE = b"GET / HTTP/1.1\r\nHost: example.org:9999\r\nAccept-Encoding:  gzip, br \r\n\r\n"


def test_a_request_is_a_method_a_path_and_headers() -> None:
    headers = {"host": "example.org:9999", "accept-encoding": "gzip, br"}
    assert read_request(PAGE) == (Request("GET", "/", headers), len(PAGE))


def test_what_follows_a_request_is_left_alone() -> None:
    found = read_request(PAGE + b"GET /next")
    assert found is not None
    assert found[1] == len(PAGE)


@pytest.mark.parametrize("size", range(len(PAGE)))
def test_half_a_request_waits_for_more(size: int) -> None:
    assert read_request(PAGE[:size]) is None


def test_a_query_is_no_part_of_the_path() -> None:
    found = read_request(b"GET /a?b=c/../d HTTP/1.1\r\nHost: a\r\n\r\n")
    assert found is not None
    assert found[0].path == "/a"


@pytest.mark.parametrize(
    ("head", "is_last"),
    [
        (b"GET / HTTP/1.0\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", False),
    ],
)
def test_a_connection_is_kept_unless_the_browser_wants_no_more(head: bytes, is_last: bool) -> None:
    found = read_request(head)
    assert found is not None
    assert found[0].is_last == is_last


def test_a_header_that_comes_twice_has_both_values() -> None:
    found = read_request(b"GET / HTTP/1.0\r\nAccept: a\r\nACCEPT: b\r\n\r\n")
    assert found is not None
    assert found[0].headers == {"accept": "a, b"}


@pytest.mark.parametrize(
    "head",
    [
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"get / HTTP/1.1\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET http://example.org/ HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHo st: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    ],
)
def test_what_is_unclear_is_refused(head: bytes) -> None:
    with pytest.raises(HttpError) as refused:
        read_request(head)
    assert refused.value.status == 400


@pytest.mark.parametrize("header", [b"Content-Length: 1", b"Transfer-Encoding: chunked"])
def test_a_request_with_a_body_is_refused(header: bytes) -> None:
    with pytest.raises(HttpError) as refused:
        read_request(b"POST / HTTP/1.1\r\nHost: a\r\n" + header + b"\r\n\r\n")
    assert refused.value.status == 413


def test_no_more_is_waited_for_than_the_longest_head() -> None:
    head = b"GET / HTTP/1.1\r\nX: "
    assert read_request(head.ljust(LONGEST_HEAD - 1, b"x")) is None
    with pytest.raises(HttpError) as refused:
        read_request(head.ljust(LONGEST_HEAD, b"x"))
    assert refused.value.status == 431


@pytest.mark.parametrize(
    ("value", "wants"), [("websocket", True), ("WebSocket", True), ("h2c", False)]
)
def test_an_upgrade_may_ask_for_a_web_socket(value: str, wants: bool) -> None:
    assert Request("GET", "/play", {"upgrade": value}).wants_web_socket == wants
