"""What a browser gets for each path."""

from __future__ import annotations

import re
from zlib import MAX_WBITS, decompress

import pytest

from jminesweeper.protocol.vocabulary import Command, PacketType
from jminesweeper.web.site import Response, accepts_origin, refuse, respond, respond_without_page

LARGEST_PAGE = 25 * 1024
GZIP = {"accept-encoding": "gzip, deflate, br"}


def page() -> str:
    return respond("GET", "/", {}).body.decode()


def parts() -> list[str]:
    """List the paths that a browser loads with the page."""
    return [f"/{name}" for name in re.findall(r'(?:href|src)="([^":]+)"', page())]


def text_of(ending: str) -> str:
    (path,) = [path for path in parts() if path.endswith(ending)]
    return respond("GET", path, {}).body.decode()


def test_the_page_is_html_that_is_asked_for_each_time() -> None:
    response = respond("GET", "/", {})
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Length"] == str(len(response.body))


def test_every_part_of_the_page_is_there_and_kept_for_ever() -> None:
    assert {path.rpartition(".")[2] for path in parts()} >= {"css", "js", "svg", "webmanifest"}
    for path in parts():
        response = respond("GET", path, {})
        assert response.status == 200
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_the_manifest_names_an_icon_that_is_there() -> None:
    icons = re.findall(r'"src": "([^"]+)"', text_of(".webmanifest"))
    assert {icon.rpartition(".")[2] for icon in icons} == {"svg", "png"}
    assert {respond("GET", f"/{icon}", {}).status for icon in icons} == {200}


def test_the_picture_for_links_is_there() -> None:
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page())
    response = respond("GET", f"/{picture}", {})
    assert response.headers["Content-Type"] == "image/png"
    assert response.body.startswith(b"\x89PNG")


def test_the_whole_page_is_small_on_its_way() -> None:
    assert sum(len(respond("GET", path, GZIP).body) for path in ["/", *parts()]) <= LARGEST_PAGE


def test_a_browser_that_can_unpack_gets_less() -> None:
    response = respond("GET", "/", GZIP)
    assert response.headers["Content-Encoding"] == "gzip"
    assert decompress(response.body, wbits=MAX_WBITS | 16).decode() == page()
    assert len(response.body) < len(page()) // 2 + 200


def test_a_browser_that_does_not_want_packed_files_gets_none() -> None:
    assert "Content-Encoding" not in respond("GET", "/", {"accept-encoding": "gzip;q=0"}).headers


def test_what_a_browser_has_is_not_sent_again() -> None:
    tag = respond("GET", "/", {}).headers["ETag"]
    response = respond("GET", "/", {"if-none-match": f'"other", {tag}'})
    assert (response.status, response.body) == (304, b"")


def test_head_is_get_without_a_body() -> None:
    response = respond("HEAD", "/", {})
    assert response.headers == respond("GET", "/", {}).headers
    assert response.body == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_nothing_but_get_and_head_is_allowed(method: str) -> None:
    response = respond(method, "/", {})
    assert response.status == 405
    assert response.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/index.html", "/page.js", "/../site.py", "//", "/%2e%2e/", "/x"])
def test_nothing_else_is_there(path: str) -> None:
    assert respond("GET", path, {}).status == 404


@pytest.mark.parametrize(
    "response", [respond("GET", "/", {}), refuse(404), respond_without_page("GET")]
)
def test_every_answer_has_the_headers_that_protect_it(response: Response) -> None:
    headers = response.headers
    policy = dict(
        rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_page_has_no_code_or_style_in_it_that_the_policy_forbids() -> None:
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", page())
    script = text_of(".js")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(", script
    )


def test_nothing_comes_from_another_host() -> None:
    for text in (page(), text_of(".css"), text_of(".js"), text_of(".webmanifest")):
        assert not re.search(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", text)


@pytest.mark.parametrize(
    ("origin", "host", "is_ours"),
    [
        ("http://example.org:9999", "example.org:9999", True),
        ("https://example.org", "example.org", True),
        ("http://[::1]:9999", "[::1]:9999", True),
        ("http://evil.example", "example.org:9999", False),
        ("http://example.org", "example.org:9999", False),
        ("http://example.org:9999.evil.example", "example.org:9999", False),
        ("null", "example.org:9999", False),
        ("", "example.org:9999", False),
        (None, "example.org:9999", True),
    ],
)
def test_only_our_own_page_may_open_a_web_socket(
    origin: str | None, host: str, is_ours: bool
) -> None:
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    assert accepts_origin(headers) == is_ours


def test_a_page_that_is_not_installed_says_how_to_get_it() -> None:
    response = respond_without_page("GET")
    assert response.status == 503
    assert b"extra 'web'" in response.body
    assert respond_without_page("HEAD").body == b""


def test_the_head_is_lines_of_a_response() -> None:
    lines = refuse(404).head.decode().split("\r\n")
    assert lines[0] == "HTTP/1.1 404 Not Found"
    assert "Content-Length: 14" in lines


def test_the_script_sends_packets_that_there_are() -> None:
    script = text_of(".js")
    numbers = {int(one) for one in re.findall(r"(?:packet|texts)\((\d+)", script)}
    assert numbers
    assert numbers <= {kind.value for kind in PacketType}
    for name in ("HINT", "MENU", "CHORD", "PAUSE", "HELP", "ERASE"):
        assert str(Command[name].packet_type.value) in script
