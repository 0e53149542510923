"""People who meet on the page: a room, a race, a shared board, and those who watch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, expect

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run
from jminesweeper.store.sqlite import SqliteStore
from tests.browser.page_player import DESK, PHONE, Device, PagePlayer
from tests.browser.test_reading import violations
from tests.browser.test_sizes import SIZES
from tests.colour_vision import RGB, confused
from tests.integration.server_process import hasty, running_server
from tests.integration.ssh_peer import ssh_player
from tests.integration.terminal import on_pty
from tests.unit.terminal.contrast import LEAST_CONTRAST, contrast

SMALL = Device(320, 568, is_touched=True, colour_scheme="dark")
ACROSS = Device(844, 390, is_touched=True)
STILL = {"reduced_motion": "reduce"}
LARGEST_PAGE = 25_000


class Club(NamedTuple):
    """A server with a store, and how to come to it."""

    port: int
    store: Path
    new_context: Callable[[Device], BrowserContext]

    def friend(self, device: Device = DESK) -> PagePlayer:
        return PagePlayer(self.new_context(device).new_page(), self.port)

    def minefield(self, link: str) -> Minefield:
        """The mines of the round, which no player is told."""
        with closing(SqliteStore(self.store)) as store:
            room = run(store, find_room(link.partition("=")[2]))
        assert room is not None
        assert room.setup is not None
        return room.setup.minefield()


@pytest.fixture(name="server", scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    store = tmp_path_factory.mktemp("store") / "store.db"
    with running_server(command=hasty("--workers=1", f"--store={store}")) as server:
        yield server.port, store


@pytest.fixture(name="club")
def club_on(server: tuple[int, Path], new_context: Callable[[Device], BrowserContext]) -> Club:
    return Club(*server, new_context)


@pytest.fixture(name="patient_club")
def club_that_counts_down(
    tmp_path: Path, new_context: Callable[[Device], BrowserContext]
) -> Iterator[Club]:
    """A server that counts down as long as people need, so that no page misses it."""
    store = tmp_path / "store.db"
    with running_server("--workers=1", f"--store={store}") as server:
        yield Club(server.port, store, new_context)


def open_room(host: PagePlayer, kind: str) -> str:
    """Open a room by the menu; say where it is."""
    host.open()
    host.press("m")
    host.expect_title("JMinesweeper")
    host.sheet.get_by_role("button", name="Play together").click()
    host.expect_title("Play together")
    host.sheet.get_by_role("button", name=kind).first.click()
    host.sheet.get_by_role("button", name="ready", exact=True).wait_for()
    link: str = host.page.evaluate("location.hash")
    return link


def come(player: PagePlayer, link: str, name: str) -> None:
    """Open a room's link, and say who one is."""
    player.page.goto(player.url + link)
    field = player.sheet.get_by_label("Your name", exact=True)
    field.fill(name)
    field.press("Enter")
    player.sheet.get_by_role("listitem").filter(has_text=name).wait_for()


COUNTED = """
() => {
  window.counted = [];
  const note = () => {
    const open = document.querySelectorAll('.cell.open').length;
    const count = document.querySelector('#starts');
    if (!count.hidden) window.counted.push([count.textContent, open > 0]);
  };
  new MutationObserver(note).observe(document.querySelector('#starts'), {childList: true});
}
"""


SHARES = """
() => {
  window.shares = [];
  const count = document.querySelector('#starts');
  const note = () => {
    const told = document.querySelectorAll('#seats :is(.bar, .share)');
    if (!count.hidden) shares.push(...[...told].map((one) => getComputedStyle(one).visibility));
  };
  new MutationObserver(note).observe(count, {childList: true});
}
"""
TONES = """
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  tones.push(this.frequency.value);
  start.apply(this, at);
};
"""
COUNT_HZ, GO_HZ = 440, 880


def begin(*players: PagePlayer) -> None:
    for player in players:
        player.sheet.get_by_role("button", name="ready", exact=True).click()
    for player in players:
        player.expect_state("playing")
        player.expect_no_sheet()


def meet(club: Club, kind: str, *devices: Device) -> tuple[PagePlayer, PagePlayer, str]:
    """Have two sit down in a room, and begin."""
    ada, bob = (club.friend(device) for device in devices or (DESK, DESK))
    link = open_room(ada, kind)
    come(bob, link, "Bob")
    begin(ada, bob)
    return ada, bob, link


def cells(field: Minefield, mask: int) -> list[Cell]:
    return list(Grid.of(field.size).cells(mask))


OPEN = """
async (names) => {
  const cells = [...document.querySelectorAll('.cell')];
  const covered = cells.filter((cell) => names.includes(cell.ariaLabel));
  covered.forEach((cell) => cell.click());
  while (document.querySelector('.sunk')) await new Promise(requestAnimationFrame);
  return covered.length;
}
"""


def finish(player: PagePlayer, field: Minefield) -> None:
    """Open all safe cells by a program's clicks, until none is covered."""
    names = [f"covered ({cell.column},{cell.row})" for cell in cells(field, field.safe)]
    while player.page.evaluate(OPEN, names):
        pass


def test_page_and_rooms_are_small_as_a_browser_counts_them(club: Club) -> None:
    """With headers, from nothing to the middle of a race."""
    # What a worker fetches for later would be counted apart.
    ada = club.friend(replace(DESK, more={"service_workers": "block"}))
    bob = club.friend()
    network = ada.page.context.new_cdp_session(ada.page)
    bytes_taken: list[float] = []
    network.on("Network.loadingFinished", lambda it: bytes_taken.append(it["encodedDataLength"]))
    network.send("Network.enable")
    come(bob, open_room(ada, "Race"), "Bob")
    begin(ada, bob)
    ada.page.wait_for_load_state("networkidle")
    assert 0 < sum(bytes_taken) <= LARGEST_PAGE


def test_two_race_on_the_same_board_and_see_who_was_first(club: Club) -> None:
    ada, bob, link = meet(club, "Race")
    field = club.minefield(link)
    assert ada.names() == bob.names()
    players = ada.page.get_by_role("list", name="Players")
    expect(players.get_by_role("listitem")).to_have_count(2)
    finish(bob, field)
    bob.expect_state("won")
    expect(players.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("1.")
    expect(ada.message).to_contain_text("s: you have 60 s.")
    expect(ada.message).to_contain_text("The race ends in")
    finish(ada, field)
    bob.expect_title("You won the race!")
    expect(ada.sheet.get_by_role("heading", level=2)).to_contain_text("Bob won by")
    expect(ada.sheet).to_contain_text("You 0 : 1 Bob.")
    expect(bob.sheet).to_contain_text("You 1 : 0 ")
    for player, name in ((ada, "Bob"), (bob, "you")):
        first = player.sheet.get_by_role("row").nth(1).get_by_role("cell")
        expect(first.first).to_have_text(f"1. {name}")
        expect(first.nth(2)).to_have_text(re.compile(r"^\d+\.\d\d$"))
        expect(first.nth(3)).to_have_text(re.compile(r"^\d+ %$"))
        assert player.errors == []
    ada.press("Escape")
    ada.expect_no_sheet()
    bob.sheet.get_by_role("button", name="play again").click()
    expect(bob.sheet.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("✓ ready")
    # Nobody takes the end of the race from who still looks at it.
    ada.expect_no_sheet()


def test_figures_count_down_over_the_opening_and_nothing_covers_it_then(
    patient_club: Club,
) -> None:
    ada, bob = patient_club.friend(), patient_club.friend(SMALL)
    link = open_room(ada, "Race")
    come(bob, link, "Bob")
    for player in (ada, bob):
        player.page.evaluate(COUNTED)
    begin(ada, bob)
    for player in (ada, bob):
        counted = player.page.evaluate("window.counted")
        assert counted
        assert all(count.isdigit() and is_open for count, is_open in counted)
        expect(player.page.locator("#starts")).to_be_hidden()
    mine = cells(field := patient_club.minefield(link), field.mines)[0]
    ada.cell(*mine).click()
    expect(ada.page.locator(".wait")).to_be_visible()
    expect(ada.message).to_contain_text("A mine: wait")
    expect(ada.page.locator(".wait")).to_be_hidden()
    assert "A mine" not in ada.message.inner_text()


def test_one_line_of_rivals_has_no_shares_before_the_race_and_oneself_in_sight(club: Club) -> None:
    players = [club.friend(device) for device in (DESK, DESK, DESK, SMALL)]
    link = open_room(players[0], "Race")
    for player, name in zip(players[1:], ("Bob", "Cy", "Dee"), strict=True):
        come(player, link, name)
    dee = players[-1].page
    dee.evaluate(SHARES)
    begin(*players)
    assert {*dee.evaluate("shares")} <= {"hidden"}
    expect(dee.locator(".in-row #seats .bar").first).to_be_visible()
    expect(dee.locator("#seats .own")).to_be_in_viewport(ratio=0.9)


def test_a_countdown_is_heard_up_to_zero_by_those_who_want_sounds(patient_club: Club) -> None:
    ada, bob = patient_club.friend(), patient_club.friend()
    for player in (ada, bob):
        player.page.add_init_script(TONES)
    ada.open()
    ada.press("m")
    ada.choose("Settings")
    ada.sheet.get_by_label("Sounds").check()
    link = open_room(ada, "Race")
    come(bob, link, "Bob")
    begin(ada, bob)
    ada.until(f"tones.includes({GO_HZ})")
    heard = [tone for tone in ada.page.evaluate("tones") if tone in {COUNT_HZ, GO_HZ}]
    assert heard[-1] == GO_HZ
    assert {*heard[:-1]} == {COUNT_HZ}
    assert bob.page.evaluate("tones") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_people_are_told_from_each_other(club: Club, scheme: str) -> None:
    device = replace(DESK, colour_scheme=scheme)
    players = [club.friend(device) for _ in range(4)]
    link = open_room(players[0], "Share a board")
    for player, name in zip(players[1:], ("Bob", "Cy", "Dee"), strict=True):
        come(player, link, name)
    begin(*players)
    expect(players[0].page.locator("#seats .badge")).to_have_count(4)
    # In one step: each frame of the room draws its seats anew.
    badges = players[0].page.evaluate(
        "[...document.querySelectorAll('#seats .badge')]"
        ".map((badge) => getComputedStyle(badge))"
        ".map((style) => [style.backgroundColor, style.color])"
    )
    seats, inks = zip(*(map(colour_of, badge) for badge in badges), strict=True)
    assert [*confused(seats, [])] == []
    for seat, ink in zip(seats, inks, strict=True):
        assert contrast(packed(seat), packed(ink)) >= LEAST_CONTRAST


def colour_of(told: str) -> RGB:
    """Read a colour as a browser computes it."""
    red, green, blue = map(int, re.findall(r"\d+", told)[:3])
    return red, green, blue


def packed(colour: RGB) -> int:
    return int.from_bytes(bytes(colour), "big")


def test_a_race_is_left_or_given_up_after_a_question_and_a_winner_watches(club: Club) -> None:
    ada, bob, cy = club.friend(), club.friend(), club.friend(PHONE)
    link = open_room(ada, "Race")
    come(bob, link, "Bob")
    come(cy, link, "Cy")
    begin(ada, bob, cy)
    ada.page.get_by_role("button", name="leave").click()
    ada.expect_title("Leave the running round?")
    ada.sheet.get_by_role("button", name="stay").click()
    ada.expect_no_sheet()
    finish(bob, club.minefield(link))
    bob.expect_state("won")
    bob.press("ArrowRight")
    expect(bob.message).to_contain_text("You watch")
    bob.expect_state("playing")
    bob.press("Escape")
    bob.expect_state("won")
    cy.page.get_by_role("button", name="give up").tap()
    cy.expect_title("Give up this race?")
    cy.sheet.get_by_role("button", name="give up").tap()
    expect(ada.message).to_contain_text("Cy gave up.")
    ada.press("n")
    ada.expect_title("Give up this race?")
    ada.sheet.get_by_role("button", name="give up").click()
    bob.expect_title("You won the race!")
    expect(bob.sheet.get_by_role("row").filter(has_text="Cy")).to_contain_text("gave up")


def test_a_partner_sees_where_a_mouse_is_and_an_arrow_to_who_is_out_of_sight(club: Club) -> None:
    ada, bob = club.friend(), club.friend(SMALL)
    link = open_room(ada, "Share a board")
    row = ada.sheet.locator(".row").filter(has_text="Board").first
    row.get_by_role("combobox").select_option("expert")
    expect(ada.sheet).to_contain_text("expert 30x16")
    come(bob, link, "Bob")
    begin(ada, bob)
    ada.cell(29, 15).hover()
    expect(bob.page.locator("#edges .edge")).to_be_visible()
    bob.page.evaluate("document.querySelector('#view').scrollTo(9999, 9999)")
    expect(bob.page.locator("#edges .edge")).to_have_count(0)
    expect(bob.page.locator("#others .other")).to_be_in_viewport()


def test_three_are_in_a_race_and_a_fourth_looks_on(club: Club) -> None:
    ada, bob, cy, eve = (club.friend(each) for each in (DESK, PHONE, SMALL, DESK))
    link = open_room(ada, "Race")
    come(bob, link, "Bob")
    come(cy, link, "Cy")
    eve.page.goto(eve.url + link.replace("join", "watch"))
    expect(eve.sheet.get_by_role("listitem")).to_have_count(3)
    expect(eve.sheet.get_by_role("button", name="leave")).to_have_count(0)
    begin(ada, bob, cy)
    assert cy.page.evaluate("(view => view.scrollHeight <= view.clientHeight)(window.view)")
    expect(cy.page.locator(".in-row #seats .bar")).to_have_count(3)
    assert ada.names() == bob.names()
    # What is scrolled away is not in the document.
    assert cy.names().items() <= ada.names().items()
    eve.expect_no_sheet()
    field = club.minefield(link)
    cy.cell(*cells(field, field.mines)[0]).evaluate("cell => cell.click()")
    for player in (ada, bob, eve):
        lines = player.page.get_by_role("list", name="Players").get_by_role("listitem")
        expect(lines).to_have_count(3)
        expect(lines.filter(has_text="Cy").get_by_label("mines hit: 1")).to_be_attached()
    finish(bob, field)
    finish(ada, field)
    expect(eve.message).to_contain_text("The race ends in")
    assert eve.page.locator(".cell.open").count() == 0
    for player in (ada, bob, cy, eve):
        assert player.errors == []


def test_a_page_and_a_terminal_share_a_board(club: Club, tmp_path: Path) -> None:
    options = ["--coop", "beginner", f"127.0.0.1:{club.port}", "--name=Ada"]
    with on_pty(options, tmp_path) as ada:
        ada.wait_for_screen("Friends join")
        code = re.findall("Code ([A-Z]+)", "\n".join(ada.lines))[0]
        bob = club.friend(PHONE)
        come(bob, f"#join={code}", "Bob")
        ada.wait_for_screen("Bob")
        ada.type("\r")
        begin(bob)
        ada.wait_for_screen("Open every safe cell")
        first, other = cells(field := club.minefield(f"={code}"), field.mines)[:2]
        ada.type("\x1b[H" + 3 * "\x1b[5~" + first.row * "s" + first.column * "d" + " ")
        bob.expect_cell(*first, "flag")
        expect(bob.page.locator("#others .owner")).to_have_count(1)
        expect(bob.page.locator("#others .other")).to_have_text("AD")
        bob.page.get_by_role("button", name="say").tap()
        bob.page.get_by_role("button", name="Well done!").tap()
        ada.wait_for_screen("Bob: Well done!")
        bob.cell(*other).evaluate("cell => cell.click()")
        ada.wait_for_screen("Bob stepped on a mine")
        expect(bob.sheet).to_contain_text("Bob stepped on a mine")
        assert bob.errors == []


def test_a_page_a_client_and_a_player_by_ssh_race(
    club: Club, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    page = club.friend()
    page.open()
    page.press("?")
    page.expect_title("Help")
    expect(page.sheet).to_contain_text(f"ssh 127.0.0.1 -p {club.port}")
    expect(page.sheet).to_contain_text("Key: SHA256:")
    link = open_room(page, "Race")
    expect(page.sheet).to_contain_text("host key SHA256:")
    code = link.partition("=")[2]
    by_ssh = ssh_player(require_program, tmp_path / "ssh").play(club.port, "join", code)
    options = ["--join", code, f"127.0.0.1:{club.port}", "--name=Ada"]
    with on_pty(options, tmp_path) as client, closing(by_ssh):
        for terminal in (client, by_ssh):
            terminal.wait_for_screen("Friends join")
            terminal.type("\r")
        begin(page)
        for terminal in (client, by_ssh):
            terminal.wait_for_screen("Open every safe cell")
        finish(page, club.minefield(link))
        page.expect_state("won")
        for terminal in (client, by_ssh):
            terminal.wait_for_screen("ends in")
        assert page.errors == []


def test_a_mine_stops_the_hands_for_a_while_and_is_shown(club: Club) -> None:
    ada, bob, link = meet(club, "Race")
    mine = cells(field := club.minefield(link), field.mines)[0]
    ada.cell(*mine).click()
    ada.expect_cell(*mine, "mine")
    expect(ada.message).to_contain_text("A mine: wait")
    players = bob.page.get_by_role("list", name="Players")
    expect(players.get_by_label("mines hit: 1")).to_be_visible()


def test_a_shared_board_shows_what_the_other_does(club: Club) -> None:
    ada, bob, link = meet(club, "Share a board", DESK, SMALL)
    # The whole board is in sight on the smallest phone.
    expect(bob.page.locator("html.larger")).to_have_count(0)
    first, other = cells(field := club.minefield(link), field.mines)[:2]
    ada.page.get_by_role("button", name="say").click()
    ada.cell(*first).click(button="right")
    bob.expect_cell(*first, "flag")
    expect(bob.page.locator("#others .owner")).to_have_count(1)
    bob.walk(Cell(4, 4), Cell(0, 0))
    expect(ada.page.locator("#others .other")).to_have_text("BO")
    # What others do takes no phrase away before one is chosen.
    thanks = ada.page.get_by_role("button", name="Thank you.")
    expect(thanks).to_be_visible()
    ada.press("Escape")
    expect(thanks).to_have_count(0)
    ada.expect_no_sheet()
    bob.press("2")
    players = ada.page.get_by_role("list", name="Players")
    expect(players.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("Well done!")
    bob.cell(*other).click()
    for player in (ada, bob):
        player.expect_state("lost")
        player.expect_title("The board is lost.")
        expect(player.sheet).to_contain_text("Bob stepped on a mine")
        assert player.errors == []


def test_a_shared_board_pauses_once_both_want_it(club: Club) -> None:
    ada, bob, _ = meet(club, "Share a board")
    ada.press("p")
    expect(bob.message).to_contain_text("wants a pause")
    ada.expect_state("playing")
    bob.press("p")
    for player in (ada, bob):
        player.expect_state("paused")
    ada.press("p")
    for player in (ada, bob):
        player.expect_state("playing")
        assert player.errors == []


def test_who_looks_on_sees_the_room_and_does_nothing(club: Club) -> None:
    _, _, link = meet(club, "Share a board")
    watcher = club.friend()
    watcher.page.goto(watcher.url + link.replace("join", "watch"))
    watcher.expect_state("playing")
    expect(watcher.message).to_contain_text("You watch")
    watcher.cell(0, 0).click()
    watcher.press("Escape")
    expect(watcher.page.locator(":root.together")).to_have_count(0)
    assert watcher.page.evaluate("location.hash") == ""


def test_who_is_on_is_watched_from_the_list(club: Club) -> None:
    ada, bob = club.friend(), club.friend(PHONE)
    open_room(ada, "Race")
    ada.sheet.get_by_role("button", name="leave").click()
    ada.expect_no_sheet()
    assert ada.page.evaluate("location.hash") == ""
    ada.press(" ")
    ada.expect_cell(4, 4, "flag")
    name = "Somebody with a name"
    ada.press("m")
    ada.choose("Settings")
    field = ada.sheet.get_by_label("Name", exact=True)
    field.fill(name)
    field.press("Enter")
    expect(field).to_have_js_property("defaultValue", name)
    ada.press("Escape")
    ada.expect_title("JMinesweeper")
    ada.press("Escape")
    ada.expect_no_sheet()
    bob.open()
    bob.page.get_by_role("button", name="menu").tap()
    bob.sheet.get_by_role("button", name="Play together").tap()
    bob.sheet.get_by_role("button", name=name).tap()
    expect(bob.message).to_contain_text(f"You watch {name}")
    bob.expect_cell(4, 4, "flag")
    expect(ada.label).to_contain_text("1 watching")
    # Whoever is watched shows where the cursor is, and what is played next.
    ada.press("ArrowRight")
    expect(bob.cell(5, 4)).to_have_attribute("tabindex", "0")
    bob.page.get_by_role("button", name="back").tap()
    expect(ada.label).not_to_contain_text("watching")


def test_whoever_opens_the_page_again_is_asked_to_return_to_the_seat(club: Club) -> None:
    ada, bob = club.friend(), club.friend()
    link = open_room(ada, "Share a board")
    come(bob, link, "Bob")
    for player in (bob, ada):
        player.sheet.get_by_role("button", name="ready", exact=True).click()
    ada.expect_state("playing")
    # Without the link in its address, as if opened from a bookmark.
    bob.page.goto("about:blank")
    bob.page.goto(bob.url)
    bob.expect_title(f"Your seat in {link.partition('=')[2]} is kept")
    bob.sheet.get_by_role("button", name="Return").click()
    bob.expect_state("playing")
    assert bob.page.evaluate("location.hash") == link


def test_lives_of_a_shared_board_are_counted(club: Club) -> None:
    ada = club.friend()
    link = open_room(ada, "Share a board")
    ada.sheet.get_by_role("button", name="menu").click()
    mines = ada.sheet.get_by_label("A mine costs")
    mines.select_option("one life of three")
    expect(mines).to_have_value("one life of three")
    ada.press("Escape")
    begin(ada)
    expect(ada.label).to_contain_text("lives 3")
    mine = cells(field := club.minefield(link), field.mines)[0]
    ada.cell(*mine).click()
    ada.expect_cell(*mine, "mine")
    expect(ada.label).to_contain_text("lives 2")


def test_who_lost_the_connection_is_back_in_the_room(club: Club) -> None:
    ada, bob, link = meet(club, "Race")
    ada.page.context.set_offline(True)
    ada.page.evaluate("dispatchEvent(new Event('offline'))")
    notice = ada.page.locator("#notice")
    expect(notice).to_be_visible()
    ada.page.context.set_offline(False)
    expect(notice).to_be_hidden()
    ada.expect_no_sheet()
    players = ada.page.get_by_role("list", name="Players")
    expect(players.get_by_role("listitem")).to_have_count(2)
    assert ada.page.evaluate("location.hash") == link
    finish(bob, club.minefield(link))
    expect(ada.message).to_contain_text("The race ends in")


def test_who_waits_for_an_opponent_practises(club: Club) -> None:
    ada, bob = club.friend(), club.friend()
    for player in (ada, bob):
        player.open()
        player.press("m")
        player.choose("Play together")
        player.sheet.get_by_role("button", name="Quick match").click()
        if player is ada:
            expect(ada.label).to_contain_text("waiting for an opponent")
            ada.cell(0, 0).click(button="right")
            ada.expect_cell(0, 0, "flag")
    for player in (ada, bob):
        expect(player.sheet).to_contain_text("Friends come to room")
        assert player.errors == []


def test_a_room_is_shared_by_its_link(club: Club) -> None:
    ada = club.friend(PHONE)
    link = open_room(ada, "Race")
    ada.page.evaluate(
        "() => { navigator.share = ({text, url}) => (window.shared = `${text} ${url}`); }"
    )
    ada.sheet.get_by_role("button", name="share link").tap()
    ada.until("window.shared")
    code = link.partition("=")[2]
    shared = f"Play JMinesweeper with me in room {code}: {ada.url}{link}"
    assert ada.page.evaluate("window.shared") == shared


def test_the_address_leads_back_into_the_room(club: Club) -> None:
    ada, _, link = meet(club, "Race")
    before = ada.names()
    ada.page.reload()
    ada.expect_state("playing")
    assert ada.page.evaluate("location.hash") == link
    assert ada.names() == before


def test_a_link_to_a_room_that_has_ended_says_so_and_opens_no_cell(club: Club) -> None:
    ada = club.friend()
    ada.page.goto(f"{ada.url}#join=KRTPWX")
    ada.sheet.get_by_label("Your name", exact=True).fill("Ada")
    ada.press("Enter")
    ada.expect_no_sheet()
    expect(ada.message).to_contain_text("There is no room KRTPWX")
    assert set(ada.names().values()) == {"covered"}


@pytest.mark.parametrize("kind", ["Columns", "select", "Join a room", "Your name"])
def test_escape_leaves_every_field(club: Club, kind: str) -> None:
    ada = club.friend()
    if kind == "Your name":
        ada.page.goto(f"{ada.url}#join=KRTPWX")
    else:
        ada.open()
    match kind:
        case "Columns":
            ada.label.click()
            ada.sheet.get_by_role("button", name="Custom").click()
        case "select":
            ada.press("m")
            ada.choose("Settings")
        case "Join a room":
            ada.press("m")
            ada.choose("Play together")
    field = ada.sheet.locator("select").first
    field = field if kind == "select" else ada.sheet.get_by_label(kind, exact=True)
    field.focus()
    ada.press("Escape")
    expect(field).to_have_count(0)


SEEN_BY = {
    "phone": PHONE,
    "small dark phone": SMALL,
    "phone across": ACROSS,
    "desk": DESK,
    "dark desk": replace(DESK, colour_scheme="dark"),
    "forced colours": replace(DESK, more={"forced_colors": "active"}),
}


@pytest.mark.parametrize("kind", ["Race", "Share a board"])
def test_axe_finds_nothing_wrong_with_a_room(club: Club, kind: str) -> None:
    friends = {
        name: club.friend(replace(device, more={**STILL, **device.more}))
        for name, device in SEEN_BY.items()
    }

    def check() -> None:
        found = {name: violations(friend) for name, friend in friends.items()}
        assert {name: wrong for name, wrong in found.items() if wrong} == {}

    host, *others = friends.values()
    link = open_room(host, kind)
    for place, friend in enumerate(others):
        friend.page.goto(friend.url + link)
        friend.sheet.get_by_label("Your name", exact=True).wait_for()
        assert violations(friend) == {}
        come(friend, link, f"Friend {place}")
    check()
    begin(*friends.values())
    for friend in friends.values():
        players = friend.page.get_by_role("list", name="Players")
        expect(players.get_by_role("listitem")).to_have_count(len(friends))
        expect(players).to_be_in_viewport()
    check()
    mine = cells(field := club.minefield(link), field.mines)[0]
    for friend in friends.values() if kind == "Race" else [host]:
        # Where the board is scrolled, not every mine is in the document.
        if friend.cell(*mine).count():
            friend.cell(*mine).evaluate("cell => cell.click()")
    if kind == "Race":
        expect(host.message).to_contain_text("A mine: wait")
    else:
        for friend in friends.values():
            friend.expect_title("The board is lost.")
    check()


COVERS = """
async (names) => {
  await new Promise(requestAnimationFrame);
  // A window that is lower is scrolled as a whole.
  const end = innerHeight < 560 ? Infinity : innerHeight;
  const boxes = names.map((name) => {
    const {left, top, right, bottom} = document.querySelector(name).getBoundingClientRect();
    return {name, left, top, right, bottom};
  });
  const wrong = [];
  for (const [place, one] of boxes.entries()) {
    if (one.left < -1 || one.right > innerWidth + 1 || one.top < -1 || one.bottom > end + 1)
      wrong.push(one.name);
    for (const other of boxes.slice(place + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 1 && down > 1) wrong.push(`${one.name} ${other.name}`);
    }
  }
  return wrong;
}
"""


def covered(player: PagePlayer, *names: str) -> dict[tuple[int, int], list[str]]:
    """Say which of these are outside the window, or over each other, at many sizes."""
    found = {}
    for width, height in SIZES[::3]:
        player.page.set_viewport_size({"width": width, "height": height})
        found[width, height] = player.page.evaluate(COVERS, names)
    return {size: wrong for size, wrong in found.items() if wrong}


@pytest.mark.parametrize("is_touched", [False, True], ids=["mouse", "finger"])
def test_a_room_and_a_race_have_their_place_at_many_sizes(club: Club, *, is_touched: bool) -> None:
    ada, bob = club.friend(Device(1280, 800, is_touched, more=STILL)), club.friend()
    come(bob, open_room(ada, "Race"), "Bob")
    assert covered(ada, "#sheet") == {}
    begin(ada, bob)
    assert covered(ada, "#seats", "#view", "header", "#message", "#tools") == {}
