"""The client on a real terminal, against a server that announces version 2."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jminesweeper.client.identity import key_for, load_key
from jminesweeper.protocol.packets import Act, Hello, NewGame, Start, View
from jminesweeper.protocol.packets import ScreenContent as Frame
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Button, Command, Feature, NewGameFlag
from tests.integration.scripted_server import (
    ANNOUNCE,
    BOARD,
    HEAR,
    TIMEOUT_S,
    Peer,
    ScriptedServer,
    count_packets,
    count_packets_2,
    scripted,
    serving,
    view_of,
)
from tests.integration.terminal import PtyProcess, Tmux, at_play, client_command, in_tmux, on_pty

START = Start(20, 10, 1)


def greeting(server: ScriptedServer) -> Hello:
    """Return the HELLO that the client sends after its START."""
    server.expect(START)
    hello = server.received.get(timeout=TIMEOUT_S)
    assert isinstance(hello, Hello)
    return hello


def place_of(client: PtyProcess, text: str) -> tuple[int, int]:
    """The row and column where a text is shown, from 1 as a mouse tells them."""
    row = next(number for number, line in enumerate(client.lines) if text in line)
    return row + 1, client.lines[row].index(text) + 1


def test_hello_tells_who_plays(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets_2, options=["--resume", "--name", "Ada"]) as (
        server,
        client,
    ):
        client.wait_for_screen("view 1")
        client.quit()
        key = load_key(tmp_path / "jminesweeper" / "key")
        features = Feature.LIVE | Feature.RESUME
        assert greeting(server) == Hello(features, key_for("localhost", key), "Ada")
        # The announcement is not shown, nor the screen of version 1 that carried it.
        assert ANNOUNCEMENT not in client.output
        assert b"version 1 screen" not in client.output


@pytest.mark.parametrize(
    ("arguments", "environment", "shown", "not_shown"),
    [
        (["--color", "never"], {}, b"\x1b[", b"[38;5;"),
        ([], {"NO_COLOR": "1"}, b"\x1b[", b"[38;5;"),
        ([], {"COLORTERM": "truecolor"}, b";2;47;59;77", b"48;5;237"),
        ([], {}, b"48;5;237", b";2;47;59;77"),
        ([], {"TERM": "xterm"}, b"\x1b[", b"[38;5;"),
        ([], {"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"}, b";2;47;59;77", b"[94m"),
    ],
)
def test_colours_are_those_that_the_terminal_has(
    tmp_path: Path,
    arguments: list[str],
    environment: dict[str, str],
    shown: bytes,
    not_shown: bytes,
) -> None:
    with at_play(
        tmp_path, count_packets_2, options=["--resume", *arguments], environment=environment
    ) as (_server, client):
        client.wait_for_screen("view 1")
        client.quit()
        assert shown in client.output
        assert not_shown not in client.output


def test_without_utf_8_the_screen_is_ascii_and_without_the_mouse_it_stays_off(
    tmp_path: Path,
) -> None:
    arguments = ["--resume", "--no-mouse"]
    with (
        serving(count_packets_2) as server,
        on_pty([*arguments, server.address], tmp_path, environment={"LC_ALL": "C"}) as client,
    ):
        client.wait_for_screen("view 1")
        client.quit()
        assert client.output.isascii()
        assert b"?1002h" not in client.output


def test_a_game_that_was_asked_for_is_asked_for(tmp_path: Path) -> None:
    arguments = ["--preset", "expert", "--seed", "1234"]
    with at_play(tmp_path, count_packets_2, options=[*arguments]) as (server, client):
        client.wait_for_screen("view 2")
        client.quit()
        server.expect(Start(30, 16, 1))
        server.received.get(timeout=TIMEOUT_S)
        server.expect(NewGame("expert classic seed=1234", NewGameFlag.AFTER_ASKING))


def test_a_server_of_version_1_cannot_play_it(tmp_path: Path) -> None:
    with serving(count_packets) as server, on_pty([server.address, "--daily"], tmp_path) as client:
        assert client.finish() == 1
        assert b"only version 1" in client.output
        assert client.attributes() == client.found


def test_version_1_can_be_insisted_on(tmp_path: Path) -> None:
    def announce_in_vain(peer: Peer) -> None:
        while peer.receive() not in {None, Command.QUIT}:
            peer.send(Frame(ANNOUNCEMENT + b"version 1 screen"))

    with at_play(tmp_path, announce_in_vain, options=["--resume", "--wire", "1"]) as (
        server,
        client,
    ):
        client.wait_for_screen("version 1 screen")
        client.type("u\tX")
        assert client.finish() == 0
        server.expect(START, START, Command.QUIT)
        assert ANNOUNCEMENT not in client.output


@pytest.mark.requirement("C:Mobile Support", "C:Flagging")
def test_clicks_reveal_flag_and_chord_and_a_long_press_flags(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets_2) as (server, client):
        client.wait_for_screen("view 1")
        assert b"\x1b[?1002h\x1b[?1006h" in client.output
        row, column = place_of(client, "[")
        at = f"{column + 5};{row + 1}"
        client.type(f"\x1b[<2;{at}M\x1b[<2;{at}m")  # right
        client.type(f"\x1b[<16;{at}M\x1b[<16;{at}m")  # Ctrl and left
        client.type(f"\x1b[<1;{at}M\x1b[<1;{at}m")  # middle
        client.wait_for_screen("view 4")
        client.type(f"\x1b[<0;{at}M\x1b[<0;{at}m")  # left
        client.wait_for_screen("view 5")
        client.type(f"\x1b[<0;{at}M")  # pressed, and held
        client.wait_for_screen("view 6")
        client.type(f"\x1b[<0;{at}m\x1b[<64;{at}M\x1b[<65;{at}Mx")  # the wheel sends nothing
        assert client.finish() == 0
        greeting(server)
        # How the cell looked depends on which replies were there by then.
        acts = [server.received.get(timeout=TIMEOUT_S) for _ in range(5)]
        assert all(isinstance(act, Act) and (act.column, act.row) == (2, 1) for act in acts)
        buttons = [act.button for act in acts if isinstance(act, Act)]
        assert buttons == [Button.FLAG, Button.FLAG, Button.CHORD, Button.REVEAL, Button.FLAG]
        server.expect(Command.QUIT)
        assert b"\x1b[?1006l\x1b[?1002l" in client.output


def test_another_size_is_filled_and_tells_the_server_nothing(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets_2) as (server, client):
        client.wait_for_screen("view 1")
        client.resize(3, 8)
        client.wait_for_screen("At least")
        client.resize(40, 300)
        client.wait_for_screen("view 1")
        client.quit()
        greeting(server)
        server.expect(Command.QUIT)


BEFORE = view_of("before", **BOARD)


def test_a_lost_game_is_returned_to_with_the_same_key(tmp_path: Path) -> None:
    hang_up, is_full = scripted(ANNOUNCE, BEFORE, HEAR), scripted(HEAR, "The server is full.")
    with at_play(tmp_path, hang_up, is_full, count_packets_2, options=["--preset", "expert"]) as (
        server,
        client,
    ):
        client.wait_for("Reconnecting; RETURN tries now")
        client.wait_for("is full. Reconnecting")
        client.wait_for_screen("view 1")
        assert not any("Reconnecting" in line for line in client.lines)
        client.type("fx")
        assert client.finish() == 0
        packets = [server.received.get(timeout=TIMEOUT_S) for _ in range(8)]
        start, hello, new_game, *later = packets
        assert isinstance(hello, Hello)
        assert isinstance(new_game, NewGame)
        # No NEW_GAME the second time: the game that was cut off is the one to go on with.
        again = replace(hello, features=hello.features | Feature.RESUME)
        assert later == [start, start, again, Act(0, 0, Button.FLAG, 16), Command.QUIT]
        assert client.attributes() == client.found


@pytest.mark.parametrize(("key", "exit_code"), [("x", 0), ("X", 0), ("\x03", 130)])
def test_the_trying_can_be_ended(tmp_path: Path, key: str, exit_code: int) -> None:
    with at_play(tmp_path, scripted(ANNOUNCE, BEFORE)) as (server, client):
        client.wait_for("before")
        server.close()
        client.wait_for("Reconnecting; RETURN tries now")
        client.type("w\r")
        client.type(key)
        assert client.finish() == exit_code
        assert client.attributes() == client.found


def test_a_last_view_is_told_after_the_game(tmp_path: Path) -> None:
    last = view_of("This game goes on at another terminal.", last=True)
    dismiss = scripted(ANNOUNCE, view_of("a game", **BOARD), last, HEAR)
    with at_play(tmp_path, dismiss) as (_server, client):
        assert client.finish() == 1
        assert client.output.endswith(b"This game goes on at another terminal.\r\n")
        assert client.attributes() == client.found


def test_a_damaged_file_of_looks_is_named_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "jminesweeper").mkdir()
    (tmp_path / "jminesweeper" / "looks").write_text("palette red\n")
    with at_play(tmp_path, count_packets_2) as (_server, client):
        client.wait_for("looks, line 1: no such look: 'palette red'. The usual looks are used.")
        client.wait_for_screen("view 1")
        client.quit()


@pytest.fixture
def window(tmux: str, tmp_path: Path) -> Iterator[Tmux]:
    with in_tmux(tmux, tmp_path) as opened:
        yield opened


def test_marks_clicks_and_sizes_in_tmux(window: Tmux) -> None:
    board = view_of(**{**BOARD, "size": [3, 1]})
    opened = view_of("opened", bytes((16, 16, 1)))

    def open_at_a_click(peer: Peer) -> None:
        peer.announce()
        peer.send(board)
        # A step is told sooner or later, and on a busy machine before the click.
        while (packet := peer.receive()) not in {None, Command.QUIT}:
            peer.send(opened if isinstance(packet, Act) else View())

    with serving(open_at_a_click) as server:
        window.run(client_command("--resume", "--color", "never", server.address))
        window.wait_for("[░]░ ░")
        assert window.shows("mouse_button_flag") == "1"
        window.type("d")
        window.wait_for(" ░[░]░")
        row = next(place for place, line in enumerate(window.lines()) if "[░]" in line)
        column = window.lines()[row].index("[░]") + 1
        assert (window.shows("cursor_x"), window.shows("cursor_y")) == (f"{column}", f"{row}")
        assert window.shows("cursor_flag") == "0"
        window.type("-l", f"\x1b[<0;{column + 3};{row + 1}M\x1b[<0;{column + 3};{row + 1}m")
        window.wait_for(" ░ ░[1]", "opened")
        window.resize(60, 20)
        window.wait_for(" ░ ░[1]", "opened")
        window.type("x")
        window.wait_for("ready>")
        assert window.shows("alternate_on") == "0"
        assert window.shows("cursor_flag") == "1"
        assert window.shows("mouse_any_flag") == "0"


def test_a_server_that_comes_back_is_played_on_in_tmux(window: Tmux) -> None:
    with serving(scripted(ANNOUNCE, BEFORE), count_packets_2) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("view 1")
        window.type("f")
        window.wait_for("view 2", "Act")
        window.type("x")
        window.wait_for("ready>")
