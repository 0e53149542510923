"""A browser's answer for each path."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote
from zlib import MAX_WBITS, decompress

import pytest

from jminesweeper.core import view as faces
from jminesweeper.protocol.view import MEMBERS
from jminesweeper.protocol.vocabulary import (
    Button,
    Feature,
    LookBackAt,
    NewGameFlag,
    PacketType,
    PickWhat,
)
from jminesweeper.web import site
from jminesweeper.web.site import (
    Response,
    accepts_host,
    accepts_origin,
    own_path,
    refuse,
    respond,
    respond_without_page,
)

LARGEST_PAGE = 25_000
ASSETS = Path(site.__file__).parent / "assets"
PARTS = {"after", "map", "own", "replay", "sounds"}
LATER = {"later", "palettes"}
GZIP = {"accept-encoding": "gzip, deflate, br"}


def page() -> str:
    return respond("GET", "/", {}).body.decode()


def inside(element: str) -> str:
    """Return what the page has in its one element of that name."""
    (found,) = re.findall(rf"(?s)<{element}(?: type=\"module\")?>(.+?)</{element}>", page())
    return str(found)


def parts() -> list[str]:
    """List the paths of everything that the page names."""
    named = re.findall(r'(?:href|src)="([^":]+)"', page().replace(inside("script"), ""))
    return [f"/{name}" for name in [*named, *re.findall(r"'\./([^']+\.\w+)'", inside("script"))]]


def text_of(ending: str) -> str:
    texts = [respond("GET", path, {}).body.decode() for path in parts() if path.endswith(ending)]
    assert texts
    texts += {".js": [inside("script")], ".css": [inside("style")]}.get(ending, [])
    return "\n".join(texts)


def test_the_page_is_html_that_is_asked_for_each_time() -> None:
    response = respond("GET", "/", {})
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Length"] == str(len(response.body))


def test_every_part_of_the_page_is_there_and_kept_for_ever() -> None:
    assert {path.rpartition(".")[2] for path in parts()} >= {"css", "js", "png", "webmanifest"}
    for path in parts():
        response = respond("GET", path, {})
        assert response.status == 200
        assert response.headers["Cache-Control"] == "max-age=31536000, immutable"


def test_the_manifest_names_an_icon_that_is_there() -> None:
    icons = re.findall(r'"src": "([^"]+)"', text_of(".webmanifest"))
    assert {icon.rpartition(".")[2] for icon in icons} == {"svg", "png"}
    assert {respond("GET", f"/{icon}", {}).status for icon in icons} == {200}


def test_the_manifest_has_what_an_installed_page_needs() -> None:
    manifest = json.loads(text_of(".webmanifest"))
    assert manifest["id"]
    icons = {(icon["sizes"], icon.get("purpose", "any")): icon["src"] for icon in manifest["icons"]}
    for purpose in ("any", "maskable"):
        picture = respond("GET", f"/{icons['512x512', purpose]}", {}).body
        width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
        assert (width, height) == (512, 512)


def test_the_picture_for_links_is_there() -> None:
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page())
    response = respond("GET", f"/{picture}", {})
    assert response.headers["Content-Type"] == "image/png"
    assert response.body.startswith(b"\x89PNG")


def test_the_page_is_small_on_its_way_with_rooms_in_it() -> None:
    answer = respond("GET", "/", GZIP)
    assert "together" in inside("style")
    assert len(answer.head) + len("\r\n") + len(answer.body) <= LARGEST_PAGE


def test_a_browser_asks_for_nothing_else_before_the_first_board() -> None:
    linked = re.findall(r'<(?:link|script|img)\b[^>]*(?:href|src)="([^"]+)"', page())
    at_once = [name for name in linked if not re.search(r"icon\.png$|webmanifest$", name)]
    assert [name.partition(",")[0] for name in at_once] == ["data:image/svg+xml"]
    (icon,) = at_once
    svg = unquote(icon.partition(",")[2])
    assert svg == (ASSETS / "icon.svg").read_text()


def test_every_module_is_in_the_script_after_those_that_it_imports() -> None:
    texts = {path.stem: path.read_text() for path in ASSETS.glob("*.js")}
    modules = texts.keys() - PARTS - {"worker"}
    assert set(site.MODULES) == modules
    for name in modules:
        for imported in re.findall(r"from '\./(\w+)\.js'", texts[name]):
            assert site.MODULES.index(imported) < site.MODULES.index(name)
    assert not re.search(r"(?:^|[;}])(?:import[^(]|export)", inside("script"))


def test_every_style_is_in_the_page_or_comes_later() -> None:
    assert {path.stem for path in ASSETS.glob("*.css")} == LATER | {
        name.removesuffix(".css") for name in site.STYLES
    }


def test_a_part_that_is_loaded_later_is_found_by_its_hash_and_imports_nothing() -> None:
    names = re.findall(r"import\('\./(\w+\.(\w+)\.js)'\)", inside("script"))
    assert {name for _, name in names} == PARTS
    for path, _ in names:
        response = respond("GET", f"/{path}", {})
        assert response.status == 200
        assert not re.search(rb"^import\b", response.body, re.MULTILINE)


def test_a_worker_holds_all_that_the_page_may_load_and_is_another_with_each_of_them() -> None:
    (path,) = (path for path in parts() if path.endswith(".worker.js"))
    held = re.findall(r"'\./([^']*)'", respond("GET", path, {}).body.decode())
    assert "" in held
    assert {name.split(".", 1)[1] for name in held if name} == {
        *(f"{name}.js" for name in PARTS),
        *(f"{name}.css" for name in LATER),
    }
    assert {respond("GET", f"/{name}", {}).status for name in held} == {200}


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


@pytest.mark.parametrize("path", ["/", "/there-is-none"])
def test_head_is_get_without_a_body(path: str) -> None:
    """With one, a proxy would take it for the answer to the next request, whoever sends that."""
    response = respond("HEAD", path, {})
    assert response.headers == respond("GET", path, {}).headers
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
    assert policy["connect-src"] == "'self'"
    for what in ("script-src", "style-src"):
        assert re.fullmatch(r"'self'(?: 'sha256-[\w+/]{43}=')?", policy[what])
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_policy_permits_the_script_and_the_style_of_the_page_and_no_others() -> None:
    policy = respond("GET", "/", {}).headers["Content-Security-Policy"]
    for element in ("script", "style"):
        digest = b64encode(sha256(inside(element).encode()).digest()).decode()
        assert f"{element}-src 'self' 'sha256-{digest}'" in policy
    assert not re.search(r"\sstyle=|\son\w+=|javascript:", page().replace(inside("script"), ""))
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|</|<!--",
        text_of(".js"),
    )


def test_nothing_comes_from_another_host() -> None:
    namespace = "http://www.w3.org/2000/svg"
    for whole in (page(), text_of(".css"), text_of(".js"), text_of(".webmanifest")):
        text = whole.replace(namespace, "")
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


def constants(name: str) -> dict[str, int]:
    """Read a table of numbers from the module that knows the protocol."""
    (table,) = re.findall(rf"const {name} = {{([^}}]*)}}", (ASSETS / "wire.js").read_text())
    return {key: int(value) for key, value in re.findall(r"(\w+): (\d+)", table)}


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("TYPES", PacketType),
        ("BUTTONS", Button),
        ("FEATURES", Feature),
        ("FLAGS", NewGameFlag),
        ("LOOKS", LookBackAt),
        ("PICKS", PickWhat),
    ],
)
def test_the_numbers_that_the_page_sends_are_those_of_the_protocol(
    name: str, numbers: type[IntEnum]
) -> None:
    table = constants(name)
    assert table
    assert table == {key: numbers[key].value for key in table}


def test_the_faces_that_the_page_reads_are_those_of_the_protocol() -> None:
    assert constants("FACES") == {
        "QUESTION": faces.QUESTIONED,
        "COVERED": faces.COVERED,
        "FLAGGED": faces.FLAGGED,
        "MINED": faces.MINED,
        "FATAL": faces.EXPLODED,
    }


def test_the_page_sets_no_attribute_as_a_property() -> None:
    """Those of roles and names are younger than browsers that play here."""
    assert not re.search(r"\.(role|aria[A-Z]\w*)\b|\brole:(?! ?')|\baria[A-Z]\w*:", text_of(".js"))


PUBLIC = "https://example.org/mines/"


def test_pictures_for_links_are_named_by_the_public_address() -> None:
    text = respond("GET", "/", {}, PUBLIC).body.decode()
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', text)
    assert picture.startswith(PUBLIC)
    assert respond("GET", f"/{picture.removeprefix(PUBLIC)}", {}, PUBLIC).status == 200


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("/mines/", "/"),
        ("/mines", ""),
        ("/mines/play", "/play"),
        ("/minesweeper/x", "/minesweeper/x"),
        ("/", "/"),
        ("/play", "/play"),
    ],
)
def test_a_path_is_ours_with_or_without_that_of_the_public_address(asked: str, path: str) -> None:
    assert own_path(asked, PUBLIC) == path


def test_the_page_names_nothing_by_a_path_from_the_root() -> None:
    assert not re.search(r"""(?:href|src)="/|['"]/(?!/)[\w.]""", page() + text_of(".js"))


def test_a_page_at_the_public_address_may_open_a_web_socket() -> None:
    headers = {"host": "127.0.0.1:9999", "origin": "https://example.org"}
    assert accepts_origin(headers, PUBLIC)
    assert not accepts_origin(headers)
    assert not accepts_origin({**headers, "origin": "https://evil.example"}, PUBLIC)


def test_with_a_public_address_no_other_name_is_ours() -> None:
    """A name that somebody else has resolve to the server is of one origin with itself."""
    rebound = {"host": "evil.example:9999", "origin": "http://evil.example:9999"}
    assert not accepts_origin(rebound, PUBLIC)


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.5:9999",
        "127.0.0.1",
        "[fd00::5]:9999",
        "[2001:db8::5]",
        "localhost:9999",
        "raspberrypi:9999",
        "raspberrypi.local:9999",
        "Pi.Fritz.Box",
        "pi.home.arpa.",
        "",
    ],
)
def test_addresses_and_names_of_a_local_network_are_ours(host: str) -> None:
    assert accepts_host({"host": host})


@pytest.mark.parametrize(
    "host",
    ["evil.example:9999", "example.org", "evil.example.", "192.168.1.5.evil.example", "local.net"],
)
def test_names_that_anybody_can_have_are_ours_behind_a_public_address_alone(host: str) -> None:
    assert not accepts_host({"host": host})
    assert accepts_host({"host": host}, PUBLIC)


def test_the_page_reads_members_of_the_protocol_and_begins_as_it_says() -> None:
    scripts = {path.name: path.read_text() for path in ASSETS.glob("*.js")}
    read = {name for text in scripts.values() for name in re.findall(r"\bsaid\??\.(\w+)", text)}
    assert read - MEMBERS.keys() == set()
    (unsaid,) = re.findall(r"const UNSAID = {([^}]*)}", scripts["game.js"])
    begins = re.findall(r"(\w+): (''|null|false|\[\]|0)(?=,)", unsaid)
    assert [
        (name, json.dumps(MEMBERS[name].default).replace('"', "'")) for name, _ in begins
    ] == begins
    told = {name for name, _ in begins}
    assert [
        name for name in MEMBERS if MEMBERS[name].default is not None and name not in told
    ] == []
