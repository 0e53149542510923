"""The page for those who see other colours, less, or nothing, and for those who read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from jminesweeper.core.grid import Cell
from tests.browser.page_player import BEGINNER, DESK, Device, KnownGame, PagePlayer, lose, win
from tests.integration.server_process import ServerProcess

NewContext = Callable[[Device], BrowserContext]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
CHECK = "() => axe.run(document, {resultTypes: ['violations']})"


def violations(player: PagePlayer) -> dict[str, list[str]]:
    """List what axe finds wrong on the screen as it is: the rule, and where."""
    if not player.page.evaluate("'axe' in window"):
        player.page.evaluate(AXE)
    found: Any = player.page.evaluate(CHECK)
    return {one["id"]: [node["html"] for node in one["nodes"]] for one in found["violations"]}


def play(player: PagePlayer) -> None:
    player.open(BEGINNER)
    player.cell(4, 4).click()
    player.expect_cell(4, 4, "1")
    player.cell(0, 2).click(button="right")
    player.expect_cell(0, 2, "flag")


MENUS: dict[tuple[str, ...], str] = {
    (): "JMinesweeper",
    ("New game",): "New game",
    ("New game", "Custom"): "Custom board",
    ("Board of the day",): "Board of the day",
    ("Play together",): "Play together",
    ("Play together", "Race alone"): "Race alone",
    ("Saves",): "Saves",
    ("Saves", "Save this game"): "Save",
    ("Records",): "Records",
    ("Records", "Statistics"): "Statistics",
    ("Settings",): "Settings",
    ("Settings", "Other rules"): "Other rules",
    ("Settings", "Bring a game here"): "Bring a game here",
    ("Help",): "Help",
}
"""Choices made one after the other, and what each shows."""


def screens(player: PagePlayer) -> Iterator[str]:
    """Go through all that one sees who plays alone; say of each screen what it is."""
    player.open()
    yield "first"
    play(player)
    yield "playing"
    player.press("o")
    player.field.locator(".chance").first.wait_for()
    yield "odds"
    player.press("p")
    player.expect_state("paused")
    yield "paused"
    player.press("p")
    player.expect_state("playing")
    for path, title in MENUS.items():
        player.press("m")
        player.expect_title("JMinesweeper")
        for name in path:
            player.sheet.get_by_role("button", name=name).first.click()
        player.expect_title(title)
        yield " > ".join(("menu", *path))
        player.press(*["Escape"] * (len(path) + 1))
        player.expect_no_sheet()
    player.cell(8, 5).click()
    player.expect_state("lost")
    yield "lost"
    player.press("y")
    player.expect_title("Analysis")
    yield "analysis"
    player.press("Escape", "t")
    player.expect_title("Export")
    yield "export"
    player.press("Escape", "m")
    player.choose("Records")
    player.sheet.get_by_role("button", name="Your games").click()
    player.expect_title("Your games")
    yield "games"
    player.press("Escape")
    player.expect_title("Records")
    player.press("Escape")
    player.expect_title("JMinesweeper")
    player.press("Escape")
    player.expect_no_sheet()
    player.page.context.set_offline(True)
    player.press("m")
    player.expect_title("Replay without a server")
    yield "without a server"
    player.press("Escape")
    player.page.context.set_offline(False)
    expect(player.page.get_by_role("alert")).to_be_hidden()
    player.press("b")
    player.page.locator("#line").wait_for()
    yield "replay"
    win(player)
    yield "won"
    player.press("e")
    player.expect_title("Figures")
    yield "figures"
    player.press("Escape", "x")
    player.expect_title("Goodbye")
    yield "goodbye"


CUT: Any = """
() => [...document.querySelectorAll('dialog *, #message')]
  .filter((one) => !one.closest('.wide') && getComputedStyle(one).display !== 'inline')
  .filter((one) => one.scrollWidth > one.clientWidth + 1
    || one.matches('h2, .note, #message') && one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 80))
"""
"""Lists what has less room than it needs; tables are scrolled."""


@pytest.mark.parametrize(
    "device",
    [Device(320, 568, is_touched=True), replace(DESK, colour_scheme="dark")],
    ids=["phone", "dark desk"],
)
def test_axe_finds_nothing_wrong_and_nothing_is_cut(
    new_context: NewContext, server: ServerProcess, device: Device
) -> None:
    still = replace(device, more={"reduced_motion": "reduce"})
    player = PagePlayer(new_context(still).new_page(), server.port)
    found = {name: (violations(player), player.page.evaluate(CUT)) for name in screens(player)}
    assert {name: wrong for name, wrong in found.items() if wrong != ({}, [])} == {}


COLOURS = """
(names) => names.map((name) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const [selector, pseudo] = name.split('::');
  const style = getComputedStyle(document.querySelector(selector), pseudo && `::${pseudo}`);
  // Of a gradient that in its middle.
  const colours = style.backgroundImage.match(/(?:color|rgba?)\\([^)]*\\)/g);
  canvas.fillStyle = pseudo || !colours ? style.backgroundColor : colours[1];
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
})
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_the_systems_own_colours_cells_flags_and_the_fatal_mine_differ(
    new_context: NewContext, server: ServerProcess, scheme: str
) -> None:
    device = replace(
        DESK,
        colour_scheme=scheme,
        more={"forced_colors": "active", "reduced_motion": "reduce"},
    )
    player, loser = (PagePlayer(new_context(device).new_page(), server.port) for _ in "12")
    play(player)
    things = [".open", ".tile:not(.flag)", ".flag.cell::before", "#solved", "body", "header i.flag"]
    opened, covered, flag, bar, page, sign = player.page.evaluate(COLOURS, things)
    assert len({opened, covered, flag}) == 3
    assert page not in {bar, sign}
    lose(loser)
    things = [".fatal", ".open:not(.fatal)", ".tile.mine", ".fatal::before"]
    fatal, opened, mine, sign = loser.page.evaluate(COLOURS, things)
    assert len({fatal, opened, mine}) == 3
    assert sign != fatal


def test_old_browsers_get_roles_and_names_as_attributes(desk: PagePlayer) -> None:
    desk.page.add_init_script(
        "for (const name of Object.keys(Object.getOwnPropertyDescriptors(Element.prototype)))"
        " if (name === 'role' || name.startsWith('aria')) delete Element.prototype[name];"
    )
    desk.open()
    expect(desk.page.locator("#field [role=row]")).to_have_count(9)
    expect(desk.page.locator("#field [role=gridcell][aria-label]")).to_have_count(81)
    assert desk.box(desk.cell(1, 0))["x"] > desk.box(desk.cell(0, 0))["x"]


def test_what_is_said_is_not_said_again_by_every_key(desk: PagePlayer) -> None:
    desk.page.evaluate(
        """() => {
            window.said = 0;
            for (const one of document.querySelectorAll('[role=status]'))
              new MutationObserver((all) => (window.said += all.length)).observe(
                one, {childList: true, characterData: true, subtree: true});
        }"""
    )
    desk.press(*["ArrowRight"] * 5, *["ArrowDown"] * 4, " ")
    desk.expect_cell(5, 4, "flag")
    desk.press("d", "f")
    desk.expect_cell(6, 4, "flag")
    # What a hand does is said until something was done.
    assert desk.page.evaluate("window.said") == 1


def test_what_is_said_to_a_finger_names_no_key(finger: PagePlayer) -> None:
    expect(finger.message).to_have_text("Open every safe cell. Tap to open, hold to flag.")
    finger.press("?")
    finger.expect_title("Help")
    expect(finger.sheet.get_by_text("hold", exact=True)).to_be_visible()
    expect(finger.sheet.get_by_text("wasd")).to_be_hidden()
    expect(finger.sheet.get_by_text("Space", exact=False)).to_be_hidden()
    finger.press("Escape")
    game = KnownGame()
    game.reveal(*Cell(4, 4))
    finger.open(BEGINNER)
    finger.cell(4, 4).tap()
    finger.expect_cell(4, 4, "1")
    finger.cell(*game.mines[0]).tap()
    finger.expect_state("lost")
    expect(finger.message).to_have_text("You lost.")


def test_single_letters_can_be_ordinary_letters(desk: PagePlayer) -> None:
    desk.press("m")
    desk.choose("Settings")
    desk.sheet.get_by_label("Single letters are keys").uncheck()
    desk.close_settings()
    desk.press("f", "m", "p", "x", "ArrowRight", " ")
    desk.expect_cell(1, 0, "flag")
    desk.expect_cell(0, 0, "covered")
    desk.expect_no_sheet()
    desk.page.reload()
    desk.press("f")
    desk.press("ArrowRight", " ")
    desk.expect_no_sheet()
