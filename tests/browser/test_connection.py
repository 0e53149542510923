"""Connections come and go; the game stays."""

from __future__ import annotations

import re
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from jminesweeper.protocol.packets import OpenMenu, Pick, Start
from jminesweeper.protocol.vocabulary import Command
from tests.browser.page_player import DESK, PHONE, Device, PagePlayer
from tests.certificates import CertificateFiles
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.view_player import ViewPlayer
from tests.ports import free_port

NewContext = Callable[[Device], BrowserContext]

BOARD = Start(6, 6, 3)
"""With several mines: by the rules of this board one flag on the only mine would win."""

SLOW_MS = 2_000
GIVEN_UP_MS = 50_000
"""After so much silence the page gives a server up."""
LONGEST_REST_MS = 8_000
"""The longest time that the page waits before it tries again."""


@contextmanager
def server_on(store: Path, port: int = 0) -> Iterator[ServerProcess]:
    with running_server(f"--store={store}", f"--port={port}", "--workers=0") as server:
        yield server


class Guest(NamedTuple):
    """Somebody at the first board of a server that nobody else plays on."""

    player: PagePlayer
    server: ServerProcess

    @property
    def notice(self) -> Locator:
        return self.player.page.get_by_role("alert")


@pytest.fixture(scope="module")
def stopped_at_times() -> Iterator[ServerProcess]:
    """A server that tests may stop, as long as they let it go on."""
    with running_server("--store=memory", "--workers=0") as server:
        yield server


@pytest.fixture
def guest(new_context: NewContext, stopped_at_times: ServerProcess) -> Guest:
    player = PagePlayer(new_context(DESK).new_page(), stopped_at_times.port)
    player.open()
    return Guest(player, stopped_at_times)


def test_after_the_server_was_killed_the_same_game_continues(
    new_context: NewContext, tmp_path: Path
) -> None:
    store = tmp_path / "games.sqlite3"
    port = free_port()
    page = new_context(DESK).new_page()
    with server_on(store, port) as server:
        player = PagePlayer(page, port)
        player.open()
        player.press(" ")
        player.expect_cell(0, 0, "flag")
        player.press("ArrowRight", " ")
        player.expect_cell(1, 0, "flag")
        server.send_signal(signal.SIGKILL)
        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
    with server_on(store, port):
        expect(page.get_by_role("alert")).to_be_hidden()
        player.expect_cell(0, 0, "flag")
        player.expect_cell(1, 0, "flag")
        player.press("ArrowRight", " ")
        player.expect_cell(2, 0, "flag")


def test_who_is_offline_is_told_at_once_and_comes_back_to_the_same_game(desk: PagePlayer) -> None:
    notice = desk.page.get_by_role("alert")
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    desk.page.context.set_offline(True)
    expect(notice).to_have_text("You are offline. The game waits for you.")
    desk.page.context.set_offline(False)
    expect(notice).to_be_hidden()
    desk.expect_cell(0, 0, "flag")
    desk.press("ArrowRight", " ")
    desk.expect_cell(1, 0, "flag")


def test_a_server_that_answers_nothing_is_given_up_and_tried_again(guest: Guest) -> None:
    player = guest.player
    player.press(" ")
    player.expect_cell(0, 0, "flag")
    player.stop_time()
    guest.server.send_signal(signal.SIGSTOP)
    try:
        player.press("u")
        player.pass_time(SLOW_MS)
        expect(guest.notice).to_have_text("Waiting for the server …")
        player.pass_time(GIVEN_UP_MS - SLOW_MS - 1)
        expect(guest.notice).to_have_text("Waiting for the server …")
        player.pass_time(1)
        expect(guest.notice).to_contain_text("Connection lost")
    finally:
        guest.server.send_signal(signal.SIGCONT)
    player.pass_time(LONGEST_REST_MS)
    expect(guest.notice).to_be_hidden()
    player.press("ArrowRight", " ")
    player.expect_cell(1, 0, "flag")


def test_a_server_that_answers_late_is_not_given_up(guest: Guest) -> None:
    player = guest.player
    player.stop_time()
    guest.server.send_signal(signal.SIGSTOP)
    try:
        player.press(" ")
        player.pass_time(GIVEN_UP_MS - 1)
        expect(guest.notice).to_be_visible()
    finally:
        guest.server.send_signal(signal.SIGCONT)
    player.expect_cell(0, 0, "flag")
    expect(guest.notice).to_be_hidden()
    player.pass_time(GIVEN_UP_MS)
    player.catch_up()
    assert player.connections == 1


def test_a_server_that_stops_says_so_before_it_goes(
    new_context: NewContext, tmp_path: Path
) -> None:
    with server_on(tmp_path / "games.sqlite3") as server:
        player = PagePlayer(new_context(DESK).new_page(), server.port)
        player.open()
        server.send_signal(signal.SIGTERM)
        expect(player.message).to_contain_text("shutting down")
        expect(player.page.get_by_role("alert")).to_contain_text("Connection lost")


def test_a_second_tab_shows_the_same_game_live(
    new_context: NewContext, server: ServerProcess
) -> None:
    context = new_context(DESK)
    first = PagePlayer(context.new_page(), server.port)
    first.open()
    first.press(" ")
    first.expect_cell(0, 0, "flag")
    second = PagePlayer(context.new_page(), server.port)
    second.open()
    second.expect_cell(0, 0, "flag")
    second.press(" ")
    second.expect_cell(0, 0, "covered")
    first.expect_cell(0, 0, "covered")
    first.expect_no_sheet()


def test_another_visitor_is_another_player(
    desk: PagePlayer, new_context: NewContext, server: ServerProcess
) -> None:
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    other = PagePlayer(new_context(DESK).new_page(), server.port)
    other.open()
    other.expect_cell(0, 0, "covered")


def test_a_player_moves_to_another_browser_by_a_code(
    desk: PagePlayer, new_context: NewContext, server: ServerProcess
) -> None:
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    desk.press("m")
    desk.choose("Settings")
    desk.choose("Play this game elsewhere")
    shown = desk.sheet.locator(".scroll p").first
    expect(shown).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}$"))
    code = shown.inner_text()
    other = PagePlayer(new_context(PHONE).new_page(), server.port)
    other.open()
    other.press("m")
    other.choose("Settings")
    other.choose("Bring a game here")
    other.expect_title("Bring a game here")
    other.sheet.get_by_role("textbox").fill(code.lower())
    other.sheet.get_by_role("button", name="OK").tap()
    other.expect_cell(0, 0, "flag")
    other.page.reload()
    other.expect_cell(0, 0, "flag")


def test_a_player_moves_from_the_terminal_to_the_page_and_back(
    desk: PagePlayer, server: ServerProcess
) -> None:
    key = secrets.token_bytes(16)
    with ViewPlayer(server.port, key) as terminal:
        terminal.play(BOARD, Command.TOGGLE_BOMB_MARK)
        terminal.play(OpenMenu("settings"), Pick("settings", "offer"))
        (code,) = re.findall(r"\w{4}-\w{4}-\w{4}", terminal.screen)
        desk.press("m")
        desk.choose("Settings")
        desk.choose("Bring a game here")
        desk.expect_title("Bring a game here")
        desk.sheet.get_by_role("textbox").fill(code)
        desk.press("Enter")
        desk.expect_no_sheet()
        expect(desk.label).to_contain_text("6x6")
        desk.expect_cell(0, 0, "flag")
    desk.press("ArrowRight", " ")
    desk.expect_cell(1, 0, "flag")
    with ViewPlayer(server.port, key) as terminal:
        assert terminal.field.flagged == 0b11


def test_a_page_over_https_below_a_path_plays_over_a_secure_web_socket(
    new_context: NewContext, certificate: CertificateFiles
) -> None:
    tls = (f"--tls-cert={certificate.certificate}", f"--tls-key={certificate.key}")
    port = free_port()
    public = f"--public-url=https://localhost:{port}/mines/"
    device = replace(PHONE, more={"ignore_https_errors": True})
    with running_server("--store=memory", "--workers=0", f"--port={port}", public, *tls) as server:
        player = PagePlayer(new_context(device).new_page(), server.port)
        player.url = f"https://localhost:{server.port}/mines/"
        with player.page.expect_websocket() as opened:
            player.open()
        assert opened.value.url == f"wss://localhost:{server.port}/mines/play"
        player.press(" ")
        player.expect_cell(0, 0, "flag")
        player.page.reload()
        player.expect_cell(0, 0, "flag")
        # What is loaded later is found below the path as well.
        player.play_custom(40, 40, 200)
        player.press("v")
        expect(player.page.get_by_role("img", name="The whole board")).to_be_visible()
        assert player.errors == []


def test_a_late_answer_does_not_cover_the_goodbye(slow_desk: PagePlayer) -> None:
    with slow_desk.late_answers():
        slow_desk.press(" ")
        slow_desk.await_late_answers(1)
        slow_desk.press("x")
    expect(slow_desk.sheet).to_contain_text("Your game waits for you.")
    slow_desk.sheet.get_by_role("button", name="Play on").click()
    slow_desk.expect_cell(0, 0, "flag")


def test_a_server_that_opens_and_never_answers_is_called_by_its_name(
    new_context: NewContext, server: ServerProcess
) -> None:
    player = PagePlayer(new_context(DESK).new_page(), server.port)
    player.page.route_web_socket(re.compile("/play$"), lambda _route: None)
    player.stop_time()
    player.page.goto(player.url)
    notice = player.page.get_by_role("alert")
    expect(notice).to_have_text("Connecting …")
    player.pass_time(10_000)
    expect(notice).to_have_text("No server answers. Trying again …")


def test_what_is_done_while_the_server_is_silent_is_dropped_and_said(guest: Guest) -> None:
    player = guest.player
    player.stop_time()
    guest.server.send_signal(signal.SIGSTOP)
    try:
        player.press(" ", "ArrowRight")
        player.pass_time(1_500)
        player.press(" ")
        expect(player.page.locator(".flagging")).to_have_count(2)
        player.pass_time(500)
        expect(guest.notice).to_have_text("No answer. What you did since then was dropped.")
        expect(player.page.locator(".flagging")).to_have_count(1)
        player.press("ArrowRight", " ")
    finally:
        guest.server.send_signal(signal.SIGCONT)
    player.expect_cell(0, 0, "flag")
    expect(guest.notice).to_be_hidden()
    player.catch_up()
    player.expect_cell(1, 0, "covered")
    player.expect_cell(2, 0, "covered")


@pytest.mark.parametrize(
    "storage",
    [
        "Storage.prototype.setItem = () => { throw new DOMException('full'); };",
        "localStorage.device = '{';",
        "localStorage.device = 'null'; localStorage.games = '7'; localStorage.player = 'me';",
        'localStorage.device = \'{"hold": "long", "palette": 7}\'; localStorage.games = \'[1]\';',
        "localStorage.touch = 'nonsense';",
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});",
    ],
)
def test_storage_that_fails_or_holds_nonsense_keeps_nobody_from_playing(
    new_context: NewContext, server: ServerProcess, storage: str
) -> None:
    player = PagePlayer(new_context(DESK).new_page(), server.port)
    player.page.add_init_script(f"if (location.protocol !== 'about:') {{ {storage} }}")
    player.open()
    player.press(" ")
    player.expect_cell(0, 0, "flag")
    assert player.errors == []
