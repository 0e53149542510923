"""Players who have only `ssh`: real clients, a real server, and what each of them sees."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jminesweeper.core.view import Status
from jminesweeper.recordings.text import parse_game
from jminesweeper.server.door import NO_SSH
from jminesweeper.terminal.escapes import ASK_BACKGROUND, NORMAL_SCREEN
from tests.certificates import CertificateFiles
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.ssh_peer import TIMEOUT_S, SshClient, make_key, ssh_player
from tests.integration.terminal import PtyProcess, Tmux, in_tmux, on_pty, wait_for_mines_left
from tests.proxy_header import proxy_header

Require = Callable[[str], str]


@contextmanager
def playing(client: SshClient, port: int, *words: str) -> Iterator[PtyProcess]:
    """Play over SSH until the block ends."""
    terminal = client.play(port, *words)
    try:
        terminal.wait_for_screen("x quit")
        yield terminal
    finally:
        terminal.close()


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server for all who bring a key of their own, or none."""
    with running_server() as running:
        yield running


@pytest.fixture
def ada(require_program: Require, tmp_path: Path) -> SshClient:
    return ssh_player(require_program, tmp_path / "ada")


@pytest.fixture
def guest(require_program: Require, tmp_path: Path) -> SshClient:
    return ssh_player(require_program, tmp_path / "guest", has_key=False)


def test_the_board_is_there_at_once_and_quitting_ends_the_program(
    ada: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port) as terminal:
        terminal.wait_for_screen("easy 20x10")
        terminal.quit()


def test_a_game_that_a_kill_interrupted_goes_on_after_the_next_login(
    ada: SshClient, tmp_path: Path
) -> None:
    store = f"--store={tmp_path / 'games.db'}"
    key = f"--ssh-key={tmp_path / 'host_key'}"
    with running_server(store, key) as server, playing(ada, server.port) as terminal:
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        server.kill()
        assert terminal.finish() == 255
    with running_server(store, key) as server:
        (ada.home / "known_hosts").unlink()  # the port is another one
        with playing(ada, server.port, "resume") as terminal:
            wait_for_mines_left(terminal, 9)
            terminal.quit()


def test_a_guest_plays_and_is_told_how_to_keep_games(
    guest: SshClient, server: ServerProcess
) -> None:
    with playing(guest, server.port) as terminal:
        terminal.wait_for_screen("You play as a guest")
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()


def test_an_offered_key_that_signs_nothing_makes_nobody_known(
    ada: SshClient, require_program: Require, tmp_path: Path, server: ServerProcess
) -> None:
    """Anybody reads public keys: whoever only offers one plays as a guest."""
    assert ada.key is not None
    mallory = ssh_player(require_program, tmp_path / "mallory", has_key=False)
    stolen = mallory.home / "stolen"
    stolen.with_suffix(".pub").write_text(ada.key.with_suffix(".pub").read_text())
    stolen.write_text("")
    stolen.chmod(0o600)
    with playing(ada, server.port) as terminal:
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()
    thief = SshClient(mallory.program, mallory.home, stolen.with_suffix(".pub"))
    with playing(thief, server.port) as terminal:
        terminal.wait_for_screen("You play as a guest")
        wait_for_mines_left(terminal, 10)
        terminal.quit()


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_every_usual_kind_of_key_is_known_again(
    require_program: Require, tmp_path: Path, kind: str, server: ServerProcess
) -> None:
    key = make_key(require_program("ssh-keygen"), tmp_path / kind, kind)
    player = SshClient(require_program("ssh"), tmp_path, key)
    with playing(player, server.port) as terminal:
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()
    with playing(player, server.port, "resume") as terminal:
        wait_for_mines_left(terminal, 9)
        terminal.quit()


def test_the_login_is_offered_as_a_name_and_never_taken_unasked(
    ada: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port) as terminal:
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.press("m", "Settings")
        terminal.choose("Settings")
        terminal.wait_for_screen("Take the name ada")
        assert re.search(r"Name +│", "\n".join(terminal.lines)), "a name was taken"
        terminal.choose("Take the name ada")
        terminal.wait_until(lambda: bool(re.search(r"Name +ada", "\n".join(terminal.lines))), "ada")
        terminal.quit()


def test_looks_are_kept_with_the_account(ada: SshClient, server: ServerProcess) -> None:
    with playing(ada, server.port) as terminal:
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.press("m", "Settings")
        terminal.choose("Settings")
        terminal.choose("Characters")
        terminal.wait_for_screen("< ascii >")
        terminal.quit()
    with playing(ada, server.port, "resume") as terminal:
        wait_for_mines_left(terminal, 9)
        assert "│" not in "\n".join(terminal.lines)
        terminal.quit()


def test_a_light_terminal_gets_light_cells(ada: SshClient, server: ServerProcess) -> None:
    with playing(ada, server.port) as terminal:
        assert ASK_BACKGROUND.encode() in terminal.output
        assert LIGHT_TILE not in terminal.output
        # Answers are no keys, known or not.
        terminal.type("\x1b]11;rgb:ffff/ffff/ffff\x07\x1b]10;x\x07\x1b[?62;22c")
        terminal.wait_until(lambda: LIGHT_TILE in terminal.output, "light cells")
        wait_for_mines_left(terminal, 10)
        terminal.quit()


LIGHT_TILE = b"48;5;250m"


def test_words_say_what_to_play(ada: SshClient, server: ServerProcess) -> None:
    with playing(ada, server.port, "expert") as terminal:
        terminal.wait_for_screen("expert")
        terminal.quit()
    with playing(ada, server.port, "coop", "beginner") as terminal:
        terminal.wait_for_screen("--join")
        terminal.wait_for_screen(f"ssh -t -p {server.port} 127.0.0.1 join {room_code(terminal)}")
        terminal.quit()


def test_words_that_mean_nothing_get_a_sentence_and_an_exit_code(
    ada: SshClient, server: ServerProcess
) -> None:
    unknown = ada.run(server.port, "bogus")
    assert (unknown.returncode, "'bogus' is not known" in unknown.stdout) == (2, True)
    for words in (["help"], ["--", "--help"]):
        told = ada.run(server.port, *words)
        assert (told.returncode, told.stdout.splitlines()[0]) == (
            0,
            "Usage: ssh -t -p PORT HOST [WORDS]",
        )
    dumb = ada.run(server.port)
    assert (dumb.returncode, "needs a terminal" in dumb.stdout) == (2, True)
    with closing(ada.play(server.port, environment={"TERM": "dumb"})) as terminal:
        assert terminal.finish() == 2
        assert b"TERM=dumb cannot place text." in terminal.output


@pytest.mark.parametrize(
    "options",
    [
        ("-s", "sftp"),
        ("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:9"),
        ("-W", "127.0.0.1:9"),
    ],
    ids=["subsystem", "remote forward", "direct forward"],
)
def test_nothing_but_a_game_is_served(
    ada: SshClient, options: tuple[str, ...], server: ServerProcess
) -> None:
    words = options[1:] if options[0] == "-s" else ()
    flags = ("-s",) if words else options
    assert ada.run(server.port, *words, options=flags).returncode == 255
    # The server is none the worse for it.
    assert ada.run(server.port, "help").returncode == 0


def test_the_board_follows_the_size_of_the_terminal(
    ada: SshClient, tmux: str, server: ServerProcess
) -> None:
    with in_tmux(tmux, ada.home) as window:
        window.run(ada.shell_command(server.port, "expert"))
        window.wait_for("expert")
        window.resize(50, 20)
        window.wait_until(
            lambda: max(map(len, window.lines())) <= 50 and "expert" in window.text(), "50 columns"
        )
        window.resize(120, 40)
        window.wait_until(lambda: "expert" in window.text(), "120 columns")
        window.type("x")
        window.wait_for("ready>")
        assert window.shows("alternate_on") == "0"
        assert window.shows("mouse_any_flag") == "0"


def test_a_game_is_won_and_another_lost_in_a_terminal(
    ada: SshClient, tmux: str, server: ServerProcess
) -> None:
    with in_tmux(tmux, ada.home) as window:
        window.run(ada.shell_command(server.port))
        for is_won in (True, False):
            window.wait_for("easy 20x10", "Flag every mine")
            window.type("#")
            window.wait_for("Debug mode")
            window.wait_until(lambda: len(shown_mines(window)) == 10, "ten mines")
            mines = shown_mines(window)
            window.type("#")
            window.wait_until(lambda: not shown_mines(window), "no mine")
            for row, column in mines if is_won else mines[:1]:
                window.type("Home", "PPage", *["Down"] * row, *["Right"] * column)
                window.type("Space" if is_won else "Enter")
            window.wait_for("WON" if is_won else "LOST")
            window.type("Tab")


def shown_mines(window: Tmux) -> list[tuple[int, int]]:
    return mines_in(window.lines())


def mines_in(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Find the mines that debug mode shows, by row and column."""
    rows = [line.split("│")[1] for line in lines if line.count("│") == 2]
    return [
        (row, (place - 1) // 2)
        for row, cells in enumerate(rows)
        for place, shown in enumerate(cells)
        if shown == "B"
    ]


def test_a_game_that_is_exported_is_printed_at_the_end(
    ada: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port) as terminal:
        terminal.press("#", "Debug mode")
        terminal.wait_until(lambda: bool(mines_in(terminal.lines)), "a mine")
        row, column = mines_in(terminal.lines)[0]
        terminal.press(f"\x1b[H\x1b[5~{DOWN * row}{RIGHT * column}\r", "LOST")
        terminal.press("t", "the game is printed when you quit.")
        terminal.quit()
        _, _, printed = terminal.output.decode().partition(NORMAL_SCREEN)
        game = parse_game(printed[printed.index("jminesweeper game 1") :].replace("\r", ""))
        assert game.status is Status.LOST


DOWN, RIGHT, HOME = "\x1b[B", "\x1b[C", "\x1b[H"


def test_control_c_ends_the_game_and_gives_the_terminal_back(
    ada: SshClient, tmux: str, server: ServerProcess
) -> None:
    with in_tmux(tmux, ada.home) as window:
        window.run(f"{ada.shell_command(server.port)}; echo ended $?")
        window.wait_for("easy 20x10")
        window.type("C-c")
        window.wait_for("ended 130")
        assert window.shows("alternate_on") == "0"


def test_a_server_that_stops_says_goodbye(ada: SshClient) -> None:
    with running_server() as server, playing(ada, server.port) as terminal:
        server.send_signal(signal.SIGTERM)
        assert terminal.finish() == 1
        assert b"The server was stopped." in terminal.output
        assert server.wait() == 0


def test_a_player_by_ssh_and_one_with_a_client_race(
    ada: SshClient, tmp_path: Path, server: ServerProcess
) -> None:
    with playing(ada, server.port, "race", "beginner") as terminal:
        terminal.wait_for_screen("--join")
        code = room_code(terminal)
        address = f"127.0.0.1:{server.port}"
        with on_pty(["--join", code, address], tmp_path) as friend:
            friend.wait_for_screen("Race")
            friend.type("\r")
            terminal.type("\r")
            terminal.wait_for_screen("beginner")
            friend.wait_for_screen("beginner")
            friend.type("x")
        terminal.type("x")


def room_code(terminal: PtyProcess) -> str:
    found = re.search(r"--join ([0-9A-Z]+)", "\n".join(terminal.lines))
    assert found is not None
    return found[1]


def test_keys_are_exchanged_anew_during_a_game(ada: SshClient, server: ServerProcess) -> None:
    """Now and then every client does so; this one after each few hundred bytes."""
    often = replace(ada, options=("-o", "RekeyLimit=1K"))
    with playing(often, server.port, "beginner") as terminal:
        terminal.type(HOME)
        for flags in range(1, 10):
            terminal.type(f" {RIGHT}")
            wait_for_mines_left(terminal, 10 - flags)
        terminal.quit()


def test_an_unread_terminal_costs_its_player_only(
    ada: SshClient, guest: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port, "expert") as stopped:
        stopped.wait_for_screen("expert")
        stopped.signal(signal.SIGSTOP)
        with playing(guest, server.port) as terminal:
            terminal.press(" ")
            wait_for_mines_left(terminal, 9)
            terminal.quit()
        stopped.signal(signal.SIGCONT)
        stopped.quit()


def test_places_for_ssh_are_bounded_and_the_refusal_is_readable(
    ada: SshClient, guest: SshClient
) -> None:
    with running_server("--max-ssh=1") as server, playing(ada, server.port):
        refused = guest.run(server.port, "help")
        assert refused.returncode == 255
        assert "All 1 places for SSH are taken." in refused.stderr


def test_logins_under_way_are_bounded_for_each_address(ada: SshClient) -> None:
    with running_server("--ssh-logins=1") as server:
        with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as stranger:
            stranger.sendall(b"SSH-2.0-stranger\r\n")
            assert stranger.recv(4) == b"SSH-"
            refused = ada.run(server.port, "help")
            assert "Too many players are logging in." in refused.stderr
        server.await_log("left after")
        assert ada.run(server.port, "help").returncode == 0


def test_a_server_without_ssh_says_so_to_ssh_clients(ada: SshClient) -> None:
    with running_server("--no-ssh") as server:
        refused = ada.run(server.port)
        assert refused.returncode == 255
        assert NO_SSH in refused.stderr


def test_the_log_names_what_to_type_and_the_host_key(
    require_program: Require, tmp_path: Path
) -> None:
    key = tmp_path / "host_key"
    with running_server(f"--ssh-key={key}") as server:
        server.await_log(rf"nothing installed: ssh 127\.0\.0\.1 -p {server.port}")
        named = server.await_log(r"SSH host key is (SHA256:\S+)")[1]
    keygen = require_program("ssh-keygen")
    shown = subprocess.run([keygen, "-lf", key], capture_output=True, text=True, check=True)
    assert shown.stdout.split()[1] == named


def test_a_host_key_that_only_the_library_finds_damaged_is_told_to_players_and_the_operator(
    ada: SshClient, tmp_path: Path
) -> None:
    key = tmp_path / "host_key"
    started(f"--ssh-key={key}")
    first, *lines, last = key.read_text().splitlines()
    data = bytearray(b64decode("".join(lines)))
    # Two numbers before the private part have to be equal.
    data[data.rindex(b"ssh-ed25519") - 5] ^= 1
    key.write_text(f"{first}\n{b64encode(data).decode()}\n{last}\n")
    with running_server(f"--ssh-key={key}") as server:
        for _ in range(2):
            refused = ada.run(server.port, "help")
            assert refused.returncode == 255
            assert "This server cannot speak SSH now." in refused.stderr
        server.await_log("SSH cannot be served")


def test_servers_of_one_store_with_different_host_keys_are_reported(tmp_path: Path) -> None:
    store = f"--store={tmp_path / 'games.db'}"
    fingerprint = started(store, f"--ssh-key={tmp_path / 'one'}")[0]
    told = started(store, f"--ssh-key={tmp_path / 'other'}")[1]
    assert f"another server of this store has the SSH host key {fingerprint}" in told
    assert "another server" not in started(store, f"--ssh-key={tmp_path / 'other'}")[1]


def started(*options: str) -> tuple[str, str]:
    """Start a server and stop it; return its fingerprint and its log."""
    with running_server(*options) as server:
        fingerprint = server.await_log(r"SSH host key is (SHA256:\S+)")[1]
        server.send_signal(signal.SIGTERM)
        server.wait()
        server.await_log("stopped after")
        return fingerprint, server.log


def test_a_proxy_and_tls_share_the_port_with_ssh(
    ada: SshClient, certificate: CertificateFiles, tmp_path: Path
) -> None:
    """The header comes off first; the address in it is the one that limits count and logs name."""
    relay = tmp_path / "relay.py"
    relay.write_text(RELAY)
    files = (f"--tls-cert={certificate.certificate}", f"--tls-key={certificate.key}")
    with running_server("--proxy-from=127.0.0.1/32", *files) as server:
        command = f"{sys.executable} {relay} {server.port} {proxy_header('192.0.2.7', 4321).hex()}"
        proxied = replace(ada, options=("-o", f"ProxyCommand={command}"))
        with playing(proxied, server.port) as terminal:
            server.await_log(r"192\.0\.2\.7:4321 connected")
            terminal.quit()


RELAY = """
import socket, sys, threading, os
peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
peer.sendall(bytes.fromhex(sys.argv[2]))
def up():
    while data := os.read(0, 65536):
        peer.sendall(data)
    peer.shutdown(socket.SHUT_WR)
threading.Thread(target=up, daemon=True).start()
while data := peer.recv(65536):
    os.write(1, data)
"""


def test_a_client_that_speaks_tls_plays_on_the_same_port(
    ada: SshClient, certificate: CertificateFiles, tmp_path: Path
) -> None:
    files = (f"--tls-cert={certificate.certificate}", f"--tls-key={certificate.key}")
    with running_server(*files) as server, playing(ada, server.port) as terminal:
        trust = f"--tls-ca={certificate.certificate}"
        secure = [f"tls://127.0.0.1:{server.port}", trust, "--preset=beginner"]
        with on_pty(secure, tmp_path) as friend:
            friend.wait_for_screen("x quit")
            friend.press(" ")
            wait_for_mines_left(friend, 9)
            friend.quit()
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()


def test_two_players_by_ssh_share_a_board(
    ada: SshClient, guest: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port, "coop", "beginner") as host:
        host.wait_for_screen("--join")
        with playing(guest, server.port, "join", room_code(host)) as partner:
            partner.wait_for_screen("Shared board")
            partner.type("\r")
            host.type("\r")
            for terminal in (host, partner):
                terminal.wait_until(partial(shows_board, terminal), "the board")
            host.type("1")
            partner.wait_for_screen("Hello!")
            assert field_of(host) == field_of(partner)


def test_whoever_comes_again_by_ssh_is_asked_to_return_to_the_seat(
    ada: SshClient, guest: SshClient, server: ServerProcess
) -> None:
    with playing(ada, server.port, "coop", "beginner") as host:
        host.wait_for_screen("--join")
        code = room_code(host)
        with playing(guest, server.port, "join", code) as partner:
            partner.wait_for_screen("Shared board")
            partner.type("\r")
            host.type("\r")
            partner.wait_until(partial(shows_board, partner), "the board")
            host.close()
            with playing(ada, server.port) as again:
                again.wait_for_screen(f"Your seat in {code} is kept")
                again.type("\r")
                again.wait_until(partial(shows_board, again), "the board")
                assert field_of(again) == field_of(partner)


def field_of(terminal: PtyProcess) -> list[str]:
    """Read the rows of the board, without the cursor, which is each player's own."""
    rows = [line.split("│")[1] for line in terminal.lines if line.count("│") == 2]
    return [re.sub(r"[\[\]]", " ", row) for row in rows]


def shows_board(terminal: PtyProcess) -> bool:
    return any(re.search("mines +10", line) for line in terminal.lines)


def test_a_code_makes_the_ssh_key_the_same_player_as_a_client(
    ada: SshClient, tmp_path: Path, server: ServerProcess
) -> None:
    with (
        on_pty([f"127.0.0.1:{server.port}", "--preset=beginner"], tmp_path) as client,
    ):
        client.press(" ")
        wait_for_mines_left(client, 9)
        client.press("m", "Settings")
        client.choose("Settings")
        client.choose("Play this game elsewhere")
        client.wait_until(lambda: bool(find_code(client)), "a code")
        with playing(ada, server.port) as terminal:
            terminal.press("m", "Settings")
            terminal.choose("Settings")
            terminal.choose("Bring a game here")
            terminal.wait_for_screen("ode")
            terminal.type(f"{find_code(client)}\r")
            wait_for_mines_left(terminal, 9)


def find_code(terminal: PtyProcess) -> str:
    """Find the code that a device shows to another one."""
    found = re.search(r"\b[0-9A-Z]{4}(-[0-9A-Z]{4})+\b", "\n".join(terminal.lines))
    return found[0] if found else ""


def test_plink_plays(require_program: Require, tmp_path: Path, server: ServerProcess) -> None:
    with (
        other_client(
            server,
            [require_program("plink"), "-ssh", "-t", "-batch", "-P", str(server.port)],
            ["-hostkey", server.await_log(r"SSH host key is (SHA256:\S+)")[1]],
            tmp_path,
        ) as terminal,
    ):
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()


def test_dropbear_plays(require_program: Require, tmp_path: Path, server: ServerProcess) -> None:
    with (
        other_client(
            server,
            [require_program("dbclient"), "-t", "-y", "-y", "-p", str(server.port)],
            [],
            tmp_path,
        ) as terminal,
    ):
        terminal.press(" ")
        wait_for_mines_left(terminal, 9)
        terminal.quit()


@contextmanager
def other_client(
    _server: ServerProcess, command: list[str], options: list[str], home: Path
) -> Iterator[PtyProcess]:
    """Run another client than OpenSSH on a terminal."""
    terminal = PtyProcess(
        [*command, *options, "ada@127.0.0.1"],
        {"HOME": str(home), "TERM": "xterm", "PATH": "/usr/bin:/bin"},
    )
    try:
        terminal.wait_for_screen("JMinesweeper")
        yield terminal
    finally:
        terminal.close()
