"""Servers that are gone, wrong or hostile: one clear sentence, the terminal whole, no traceback."""

import re
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import FALL_SILENT, HEAR, RESET, scripted
from tests.integration.terminal import PtyProcess, at_play, on_pty
from tests.ports import free_port

PROMPT_END = b"\x1b[?1049l\x1b[0m"
TWO_LINES = "one\r\ntwo"
NOT_SPOKEN = "does not speak JMinesweeper's protocol"


def assert_ends_with_a_sentence(client: PtyProcess, words: str, exit_code: int = 1) -> None:
    assert client.finish() == exit_code
    said = client.output.rpartition(PROMPT_END)[2].decode().strip()
    assert "Traceback" not in said
    *screen, sentence = said.splitlines()
    assert re.search(words, sentence), said
    assert screen in ([], ["one", "two"])
    assert "\x1b" not in said
    assert client.attributes() == client.found
    assert client.output.count(b"\x1b[?1049h") == client.output.count(b"\x1b[?1049l")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([HEAR, TWO_LINES], r"^The server \S+ closed the connection\.$"),
        (
            [HEAR, TWO_LINES, "The server is shutting down."],
            r"closed the connection\. The server is shutting down\.$",
        ),
        ([HEAR, TWO_LINES, RESET], r"is gone: Connection reset"),
        ([b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", HEAR], NOT_SPOKEN),
        ([b"SSH-2.0-OpenSSH_9.2\r\n", HEAR], NOT_SPOKEN),
        ([HEAR, b"\x09\xff\xff\xff\xff" + bytes(1000), HEAR], NOT_SPOKEN),
        ([HEAR, TWO_LINES, b"\x00\x01\x02\x03", HEAR], NOT_SPOKEN),
        ([HEAR], r"closed the connection"),
    ],
)
def test_a_server_that_fails_is_named_in_a_sentence(
    tmp_path: Path, steps: list[Any], words: str
) -> None:
    with at_play(tmp_path, scripted(*steps)) as (_server, client):
        assert_ends_with_a_sentence(client, words)


def test_a_missing_server_is_said(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    with on_pty(["--resume", address], tmp_path) as client:
        assert_ends_with_a_sentence(client, f"^There is no server at {address}\\.$")


def test_a_name_that_nobody_has_is_said(tmp_path: Path) -> None:
    with on_pty(["--resume", "no-such-host.invalid"], tmp_path) as client:
        assert_ends_with_a_sentence(client, r"^Unknown host no-such-host\.invalid\.$")


def test_a_server_that_takes_the_keys_and_shows_nothing_can_be_left(tmp_path: Path) -> None:
    with at_play(tmp_path, scripted(FALL_SILENT)) as (_server, client):
        client.wait_until(client.is_raw, "raw mode")
        client.type("wX")
        assert client.finish() == 0
        assert client.attributes() == client.found


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_place_text_is_refused(tmp_path: Path, term: str) -> None:
    with on_pty(["--resume"], tmp_path, environment={"TERM": term}) as client:
        assert_ends_with_a_sentence(client, "TERM names no terminal", exit_code=2)


def test_keys_before_the_quit_are_read_by_a_server_that_is_slow_to_read(tmp_path: Path) -> None:
    read_late = scripted(HEAR, *["screen\r\nafter screen"] * 200, FALL_SILENT)
    with at_play(tmp_path, read_late) as (server, client):
        client.wait_for_screen("after screen")
        client.type("w" * 50 + "X")
        assert client.finish() == 0
        packets = [server.received.get(timeout=60) for _ in range(52)]
        assert packets[1:] == [Command.MOVE_UP] * 50 + [Command.QUIT]


def silence_s(client: PtyProcess) -> int:
    """For how long the server has not answered, by the screen; a slow machine skips seconds."""
    found = re.search(r"has not answered for (\d+) s", "\n".join(client.lines))
    return 0 if found is None else int(found[1])


def test_a_server_that_freezes_is_told_of_and_left_with_x(tmp_path: Path) -> None:
    with at_play(tmp_path, scripted(HEAR, TWO_LINES, FALL_SILENT)) as (_server, client):
        client.wait_for_screen("two")
        client.press("w", "Press x to quit")
        first_s = silence_s(client)
        assert first_s >= 2
        client.wait_until(lambda: silence_s(client) > first_s, "a longer silence")
        client.quit()


def test_a_server_without_a_first_screen_is_no_blank_screen(tmp_path: Path) -> None:
    with at_play(tmp_path, scripted(FALL_SILENT)) as (_server, client):
        client.wait_until(lambda: silence_s(client) >= 2, "how long it has been silent")
        client.quit()
