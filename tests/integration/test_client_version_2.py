"""The client on a real terminal, against a server that announces version 2."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jminesweeper.client.identity import key_for, load_key
from jminesweeper.protocol.packets import (
    Hello,
    Jump,
    NewGame,
    Pointer,
    Resize,
    ScreenContent,
    ScreenPatch,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    Button,
    Command,
    Feature,
    GameKind,
    Glyphs,
    JumpTo,
    PatchFlag,
    RulesCode,
    ScreenFormat,
)
from jminesweeper.screen.models import ColourDepth
from tests.integration.scripted_server import (
    TIMEOUT_S,
    Peer,
    ScriptedServer,
    count_packets,
    count_packets_2,
    serving,
)
from tests.integration.terminal import Tmux, client_command, in_tmux, on_pty

START = Start(20, 10, 1)


def greeting(server: ScriptedServer) -> Hello:
    """What the client says first, checked but for its HELLO."""
    server.expect(START)
    hello = server.received.get(timeout=TIMEOUT_S)
    assert isinstance(hello, Hello)
    return hello


def test_hello_tells_of_terminal_and_player(tmp_path: Path) -> None:
    arguments = ["--name", "Ada"]
    with (
        serving(count_packets_2) as server,
        on_pty(["--resume", *arguments, server.address], tmp_path, rows=30, columns=100) as client,
    ):
        client.wait_for_screen("patch 1")
        client.type("x")
        assert client.finish() == 0
        key = load_key(tmp_path / "jminesweeper" / "key")
        assert greeting(server) == Hello(
            100,
            30,
            ColourDepth.INDEXED,
            Glyphs.UNICODE,
            ScreenFormat.ANSI,
            Feature.LIVE | Feature.TILES | Feature.MOUSE | Feature.RESUME,
            key_for("localhost", key),
            "Ada",
        )
        # The announcement is not shown, nor the screen of version 1 that carried it.
        assert ANNOUNCEMENT not in client.output
        assert b"version 1 screen" not in client.output


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        (["--color", "never"], {}, ColourDepth.NONE),
        ([], {"NO_COLOR": "1"}, ColourDepth.NONE),
        ([], {"COLORTERM": "truecolor"}, ColourDepth.TRUE),
        ([], {"TERM": "linux"}, ColourDepth.SIXTEEN),
    ],
)
def test_hello_tells_of_colours(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], expected: ColourDepth
) -> None:
    with (
        serving(count_packets_2) as server,
        on_pty(
            ["--resume", *arguments, server.address], tmp_path, environment=environment
        ) as client,
    ):
        client.wait_for_screen("patch 1")
        client.type("x")
        assert client.finish() == 0
        assert greeting(server).colours == expected


def test_without_utf_8_the_screen_is_ascii_and_without_the_mouse_it_stays_off(
    tmp_path: Path,
) -> None:
    arguments = ["--resume", "--no-mouse"]
    with (
        serving(count_packets_2) as server,
        on_pty([*arguments, server.address], tmp_path, environment={"LC_ALL": "C"}) as client,
    ):
        client.wait_for_screen("patch 1")
        client.type("\x1b[<0;3;3M\x1b[<0;3;3mx")
        assert client.finish() == 0
        hello = greeting(server)
        assert (hello.glyphs, hello.features) == (
            Glyphs.ASCII,
            Feature.LIVE | Feature.TILES | Feature.RESUME,
        )
        server.expect(Command.QUIT)
        assert b"?1002h" not in client.output


def test_a_game_that_was_asked_for_is_asked_for(tmp_path: Path) -> None:
    arguments = ["--preset", "expert", "--seed", "1234"]
    with (
        serving(count_packets_2) as server,
        on_pty([*arguments, server.address], tmp_path) as client,
    ):
        client.wait_for_screen("patch 2")
        client.type("x")
        assert client.finish() == 0
        server.expect(Start(30, 16, 1))
        server.received.get(timeout=TIMEOUT_S)
        server.expect(
            NewGame(GameKind.EXPERT, 30, 16, 99, 1, RulesCode.CLASSIC, flags=6, seed=1234)
        )


def test_a_server_of_version_1_cannot_play_it(tmp_path: Path) -> None:
    with serving(count_packets) as server, on_pty([server.address, "--daily"], tmp_path) as client:
        assert client.finish() == 1
        assert b"only version 1" in client.output
        assert client.attributes() == client.found


def test_version_1_can_be_insisted_on(tmp_path: Path) -> None:
    def announce_in_vain(peer: Peer) -> None:
        while peer.receive() not in {None, Command.QUIT}:
            peer.send(ScreenContent(ANNOUNCEMENT + b"version 1 screen"))

    with (
        serving(announce_in_vain) as server,
        on_pty(["--resume", "--wire", "1", server.address], tmp_path) as client,
    ):
        client.wait_for_screen("version 1 screen")
        client.type("u\tX")
        assert client.finish() == 0
        server.expect(START, START, Command.QUIT)
        assert ANNOUNCEMENT not in client.output


def test_the_keys_of_version_2(tmp_path: Path) -> None:
    with (
        serving(count_packets_2) as server,
        on_pty(["--resume", server.address], tmp_path) as client,
    ):
        client.wait_for_screen("patch 1")
        client.type("unp?\x13\x0f\x1b[HHcfi#")
        client.wait_for_screen("patch 13")
        client.type("\x1b")
        client.wait_for_screen("MENU")
        client.type("x")
        assert client.finish() == 0
        greeting(server)
        server.expect(Undo(1), NewGame(GameKind.SAME_SETTINGS), Command.PAUSE, Command.HELP)
        names = [type(server.received.get()).__name__ for _ in range(2)]
        assert names == ["Save", "Load"]
        server.expect(
            Jump(JumpTo.ROW_START),
            Jump(JumpTo.LEFT),
            Command.CHORD,
            Command.TOGGLE_BOMB_MARK,
            Command.HINT,
            Command.TOGGLE_DEBUG_MODE,
            Command.MENU,
            Command.QUIT,
        )


@pytest.mark.requirement("C:Mobile Support", "C:Flagging")
def test_clicks_reveal_flag_and_chord_and_a_long_press_flags(tmp_path: Path) -> None:
    with (
        serving(count_packets_2) as server,
        on_pty(["--resume", server.address], tmp_path) as client,
    ):
        client.wait_for_screen("patch 1")
        assert b"\x1b[?1002h\x1b[?1006h" in client.output
        client.type("\x1b[<0;5;4M\x1b[<0;5;4m")  # left
        client.type("\x1b[<2;5;4M\x1b[<2;5;4m")  # right
        client.type("\x1b[<16;5;4M\x1b[<16;5;4m")  # Ctrl and left
        client.type("\x1b[<1;5;4M\x1b[<1;5;4m")  # middle
        client.type("\x1b[<64;5;4M\x1b[<65;5;4M")  # wheel
        client.wait_for_screen("patch 7")
        client.type("\x1b[<0;5;4M")  # pressed, and held
        client.wait_for_screen("patch 8")
        client.type("\x1b[<0;5;4mx")
        assert client.finish() == 0
        greeting(server)
        buttons = [
            *(Button.REVEAL, Button.FLAG, Button.FLAG, Button.CHORD),
            *(Button.WHEEL_UP, Button.WHEEL_DOWN, Button.FLAG),
        ]
        server.expect(*(Pointer(4, 3, button) for button in buttons), Command.QUIT)
        assert b"\x1b[?1006l\x1b[?1002l" in client.output


def test_the_clock_is_asked_for_while_it_runs_and_never_twice_at_once(tmp_path: Path) -> None:
    def answer_late(peer: Peer) -> None:
        peer.announce()
        peer.patch("clock 0", PatchFlag.FULL_REPAINT | PatchFlag.CLOCK_RUNS)
        assert peer.receive() is Command.REFRESH
        # Not answered yet: whatever comes next must not be another one.
        assert peer.receive() is Command.MOVE_UP
        peer.patch("clock 1", PatchFlag.FULL_REPAINT | PatchFlag.CLOCK_RUNS)
        peer.patch("moved", PatchFlag.FULL_REPAINT)
        peer.receive()

    with serving(answer_late) as server, on_pty(["--resume", server.address], tmp_path) as client:
        greeting(server)
        server.expect(Command.REFRESH)
        client.type("w")
        client.wait_for_screen("moved")
        client.type("x")
        assert client.finish() == 0
        server.expect(Command.MOVE_UP, Command.QUIT)


def test_a_new_size_is_told(tmp_path: Path) -> None:
    with (
        serving(count_packets_2) as server,
        on_pty(["--resume", server.address], tmp_path) as client,
    ):
        client.wait_for_screen("patch 1")
        client.resize(40, 120)
        client.wait_for_screen("Resize")
        client.type("x")
        assert client.finish() == 0
        greeting(server)
        server.expect(Resize(120, 40), Command.QUIT)


def hang_up_after_one_patch(peer: Peer) -> None:
    peer.announce()
    peer.patch("before")


def is_full(peer: Peer) -> None:
    peer.receive()
    peer.send(ScreenContent(b"\x1b[HThe server is full."))


def test_a_lost_game_is_returned_to_with_the_same_key(tmp_path: Path) -> None:
    def hang_up_in_the_game(peer: Peer) -> None:
        peer.announce()
        peer.patch("before")
        assert isinstance(peer.receive(), NewGame)

    with (
        serving(hang_up_in_the_game, is_full, count_packets_2) as server,
        on_pty(["--preset", "expert", server.address], tmp_path) as client,
    ):
        client.wait_for("Reconnecting; RETURN tries now")
        client.wait_for("The server is full. Reconnecting")
        client.wait_for_screen("patch 1")
        assert not any("Reconnecting" in line for line in client.lines)
        client.type("wx")
        assert client.finish() == 0
        packets = [server.received.get(timeout=TIMEOUT_S) for _ in range(8)]
        start, hello, new_game, *later = packets
        assert isinstance(hello, Hello)
        assert isinstance(new_game, NewGame)
        # No NEW_GAME the second time: the game that was cut off is the one to go on with.
        again = replace(hello, features=hello.features | Feature.RESUME)
        assert later == [start, start, again, Command.MOVE_UP, Command.QUIT]
        assert client.attributes() == client.found


@pytest.mark.parametrize(("key", "exit_code"), [("x", 0), ("X", 0), ("\x03", 130)])
def test_the_trying_can_be_ended(tmp_path: Path, key: str, exit_code: int) -> None:
    with (
        serving(hang_up_after_one_patch) as server,
        on_pty(["--resume", server.address], tmp_path) as client,
    ):
        client.wait_for("before")
        server.close()
        client.wait_for("Reconnecting; RETURN tries now")
        client.type("w\r")
        client.type(key)
        assert client.finish() == exit_code
        assert client.attributes() == client.found


def test_a_last_screen_is_told_after_the_game(tmp_path: Path) -> None:
    def dismiss(peer: Peer) -> None:
        peer.announce()
        peer.patch("a game")
        peer.send(ScreenPatch(33, 0, 0, b"\x1b[H\x1b[2JThis game goes on at another terminal."))
        peer.receive()

    with serving(dismiss) as server, on_pty(["--resume", server.address], tmp_path) as client:
        assert client.finish() == 1
        assert client.output.endswith(b"This game goes on at another terminal.\r\n")
        assert client.attributes() == client.found


@pytest.fixture
def window(tmux: str, tmp_path: Path) -> Iterator[Tmux]:
    with in_tmux(tmux, tmp_path) as opened:
        yield opened


def test_marks_clicks_and_sizes_in_tmux(window: Tmux) -> None:
    marked = PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED

    def walk(peer: Peer) -> None:
        peer.announce()
        text = b"\x1b[H\x1b[2J ? ? ?\x1b[2;1H ? ? ?"
        peer.send(ScreenPatch(marked | PatchFlag.FULL_REPAINT, 0, 1, text))
        assert peer.receive() is Command.MOVE_RIGHT
        peer.send(ScreenPatch(marked, 0, 3))
        assert peer.receive() == Pointer(5, 1, Button.REVEAL)
        peer.send(ScreenPatch(marked, 1, 5, b"\x1b[2;6H1"))
        assert peer.receive() == Resize(60, 20)
        peer.patch("resized")
        peer.receive()

    with serving(walk) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("[?]? ?")
        assert window.shows("mouse_button_flag") == "1"
        window.type("d")
        window.wait_for(" ?[?]?")
        assert (window.shows("cursor_x"), window.shows("cursor_y")) == ("3", "0")
        window.type("-l", "\x1b[<0;6;2M\x1b[<0;6;2m")
        window.wait_for(" ? ?[1]")
        window.resize(60, 20)
        window.wait_for("resized")
        window.type("x")
        window.wait_for("ready>")
        assert window.shows("alternate_on") == "0"
        assert window.shows("mouse_any_flag") == "0"


def test_a_server_that_comes_back_is_played_on_in_tmux(window: Tmux) -> None:
    with serving(hang_up_after_one_patch, count_packets_2) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("patch 1")
        window.type("d")
        window.wait_for("patch 2", "MOVE_RIGHT")
        window.type("x")
        window.wait_for("ready>")
