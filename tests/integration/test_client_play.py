"""The client on a real terminal, against a real socket: what it sends, shows and leaves behind."""

import signal
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import Packet, ScreenContent, Start
from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import HEAR, Peer, count_packets, scripted
from tests.integration.terminal import at_play

OPEN = b"\x1b[?1049h"
CLOSED = b"\x1b[?1049l\x1b[0m"


@pytest.mark.requirement(
    "J:Client Requirements",
    "J:General Requirements",
    "J:Networking Protocol",
    "J:screen content",
    "J:console mode",
    *(f"J:key {key}" for key in ("w", "a", "s", "d", "TAB", "SPACE", "RETURN", "X", "#")),
)
def test_keys_are_sent_and_screens_shown(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_for_screen("screen 1")
        assert client.is_raw()
        client.press("wAsD \r\t#", "screen 9")
        client.quit()
        server.expect(
            Start(20, 10, 1),
            Command.MOVE_UP,
            Command.MOVE_LEFT,
            Command.MOVE_DOWN,
            Command.MOVE_RIGHT,
            Command.TOGGLE_BOMB_MARK,
            Command.REVEAL,
            Start(20, 10, 1),
            Command.TOGGLE_DEBUG_MODE,
            Command.QUIT,
        )
        assert client.attributes() == client.found
        assert client.output.count(OPEN) == client.output.count(CLOSED) == 1


def test_nothing_typed_fast_is_lost_reordered_or_echoed(tmp_path: Path) -> None:
    letters = "wasd \r" * 170
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_until(client.is_raw, "raw mode")
        for letter in letters:
            client.type(letter)
        client.wait_for_screen(f"screen {len(letters) + 1}")
        client.type("X")
        assert client.finish() == 0
        expected: dict[str, Packet] = {
            "w": Command.MOVE_UP,
            "a": Command.MOVE_LEFT,
            "s": Command.MOVE_DOWN,
            "d": Command.MOVE_RIGHT,
            " ": Command.TOGGLE_BOMB_MARK,
            "\r": Command.REVEAL,
        }
        server.expect(Start(20, 10, 1), *(expected[letter] for letter in letters), Command.QUIT)
        assert b"wasd" not in client.output


def test_pastes_mouse_reports_and_unknown_sequences_do_nothing(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_for_screen("screen 1")
        client.type("\x1b[200~wwX\r\x1b[201~\x1b[<0;3;3M\x1b[<0;3;3m\x1b[99;1~\x1b[?6cdX")
        assert client.finish() == 0
        server.expect(Start(20, 10, 1), Command.MOVE_RIGHT, Command.QUIT)
        # In version 1 the mouse stays the terminal's.
        assert b"?1002h" not in client.output


def test_a_hostile_server_gets_no_hold_of_the_terminal(tmp_path: Path) -> None:
    attack = b"\x1b]52;c;aGk=\x07\x1b[?1049l\x1b[6n\x1bP1$q\x1b\\\x1b(0\x0e\xc2\x9b5nsafe\x1b[?7l"
    script = scripted(HEAR, ScreenContent(attack), HEAR)
    with at_play(tmp_path, script) as (_server, client):
        client.wait_for("safe")
        client.quit()
        assert b"safe\x1b[?7l" in client.output
        for refused in (b"]52", b"\x1b[6n", b"\x1bP", b"\x1b(0", b"\x0e", b"\x9b"):
            assert refused not in client.output
        assert client.output.endswith(b"\x1b[?7h\x1b[?25h" + CLOSED)


@pytest.mark.parametrize(
    ("number", "exit_code"),
    [
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGINT, 130),
        (signal.SIGQUIT, 131),
    ],
)
def test_a_signal_ends_the_game_and_gives_the_terminal_back(
    tmp_path: Path, number: signal.Signals, exit_code: int
) -> None:
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_for_screen("screen 1")
        client.signal(number)
        assert client.finish() == exit_code
        server.expect(Start(20, 10, 1), Command.QUIT)
        assert client.attributes() == client.found
        assert client.output.endswith(CLOSED)
        assert b"Traceback" not in client.output


def test_a_terminal_that_goes_away_ends_the_game(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_for_screen("screen 1")
        client.hang_up()
        assert client.finish() == 129
        server.expect(Start(20, 10, 1), Command.QUIT)


def test_control_z_without_a_shell_to_come_back_from_does_not_stop_the_game(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets) as (_server, client):
        client.wait_for_screen("screen 1")
        client.type("\x1a")
        client.wait_until(lambda: client.output.count(OPEN) == 2, "the screen again")
        client.press("w", "screen 2")
        client.quit()
        assert client.attributes() == client.found


def test_a_server_that_floods_the_screen_can_be_left(tmp_path: Path) -> None:
    def flood(peer: Peer) -> None:
        peer.receive()
        while True:
            peer.show("\x1b[31mflood" * 1000)

    with at_play(tmp_path, flood) as (_server, client):
        client.wait_for("flood")
        client.quit()
        assert client.attributes() == client.found


def test_a_resized_terminal_is_repainted(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets) as (server, client):
        client.wait_for_screen("screen 1")
        painted = client.output.count(b"screen 1")
        client.resize(30, 100)
        client.wait_until(lambda: client.output.count(b"screen 1") > painted, "a repaint")
        assert server.received.qsize() == 1
        client.quit()


@pytest.mark.parametrize(
    ("arguments", "environment", "has_colour"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"JMINESWEEPER_COLOR": "never"}, False),
    ],
)
def test_colours_can_be_switched_off(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], has_colour: bool
) -> None:
    def colourful(peer: Peer) -> None:
        while peer.receive() not in {None, Command.QUIT}:
            peer.show("\x1b[1;31mred\x1b[0m")

    with at_play(
        tmp_path, colourful, options=["--resume", *arguments], environment=environment
    ) as (_server, client):
        client.wait_for("red")
        assert (b"\x1b[1;31mred" in client.output) is has_colour
        assert (b"\x1b[1mred" in client.output) is not has_colour
        client.quit()
