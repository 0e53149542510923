#!/usr/bin/env python3
"""Take the pictures of the page: ``.venv/bin/python scripts/pictures.py [NAME ...]``.

A server, Debian's Chromium, and somebody who plays a known board on a phone, a tablet, a desk and a
wall. The pictures go to docs/pictures, the one for links and the icon beside the page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, cast

from playwright.sync_api import Browser, Page, sync_playwright
from programs import PICTURES, ROOT, server

from jminesweeper import analyse
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import parse_seed_code
from jminesweeper.core.view import parse_position

ASSETS: Final = ROOT / "src" / "jminesweeper" / "web" / "assets"
ICON_SIDE: Final = 192
CODE: Final = "96XN-WFBM-4P1B-Z9KG"
LARGE: Final = "11HK-P0NV-3VN"
MINES: Final = ((7, 1), (0, 2), (0, 3), (2, 6), (8, 5))
OPENED: Final = ((4, 4), (8, 8), (0, 0), (4, 0))

HOLD_PARTY: Final = """
() => document.getAnimations()
  .filter((animation) => animation.effect.target.closest('#party'))
  .forEach((animation) => { animation.pause(); animation.currentTime = 700; })
"""


class Device(NamedTuple):
    """A screen."""

    width: int
    height: int
    is_touched: bool = False
    scale: float = 1


PHONE: Final = Device(390, 844, is_touched=True, scale=1.5)
ACROSS: Final = Device(844, 390, is_touched=True)
TABLET: Final = Device(820, 1180, is_touched=True)
DESK: Final = Device(1280, 800)
WALL: Final = Device(3840, 2160, scale=0.5)
LINKED: Final = Device(1200, 630)


def click(page: Page, column: int, row: int, *, flags: bool = False) -> None:
    page.locator(f'[aria-label$="({column},{row})"]').click(button="right" if flags else "left")


def play(page: Page) -> None:
    """Play until there is something to see: numbers, flags, and a hint."""
    for place in OPENED:
        click(page, *place)
    for place in MINES:
        click(page, *place, flags=True)
    page.locator(".cell.flag").nth(len(MINES) - 1).wait_for()


def hint(page: Page) -> None:
    play(page)
    page.keyboard.press("i")
    page.locator(".hint").first.wait_for()


def known_game() -> Game:
    game = Game(parse_seed_code(CODE))
    game.apply(Action(ActionKind.REVEAL, Cell(*OPENED[0])), 0)
    return game


def win(page: Page) -> None:
    """Open every safe cell, and hold the party where there is most to see."""
    game = known_game()
    # So that nothing ends before its picture was taken.
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)
    click(page, *OPENED[0])
    while not game.status.is_over:
        safe = game.grid.mask & ~game.visible & ~game.reveal_truth().mines
        cell = next(game.grid.cells(safe))
        game.apply(Action(ActionKind.REVEAL, cell), 0)
        click(page, *cell)
    page.locator("#party i").first.wait_for(state="attached")
    page.evaluate(HOLD_PARTY)


def lose(page: Page) -> None:
    """Play, then open the first mine without a flag."""
    play(page)
    game = known_game()
    mines = game.grid.cells(game.reveal_truth().mines)
    click(page, *next(mine for mine in mines if mine not in MINES))
    page.locator(":root[data-state=lost]").wait_for()


def open_menu(page: Page) -> None:
    play(page)
    page.keyboard.press("m")
    page.get_by_role("dialog").wait_for()


def choose_board(page: Page) -> None:
    play(page)
    page.locator("#label").click()
    page.get_by_role("dialog").wait_for()


def read_help(page: Page) -> None:
    play(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def look_at_whole(page: Page) -> None:
    """Play a board of 100x60 a little, and show all of it."""
    page.goto(f"{page.url.partition('#')[0]}#{LARGE}")
    page.get_by_text("100x60").wait_for()
    click(page, 50, 30)
    page.locator(".cell.open").first.wait_for()
    page.keyboard.press("v")
    page.locator("#map").wait_for()


# Among friends


def meet(page: Page, kind: str) -> Page:
    """Open a room, and have a friend come who says hello and is ready."""
    page.keyboard.press("m")
    page.get_by_role("button", name="Play together").click()
    page.get_by_role("button", name=kind).first.click()
    page.locator("#sheet .ready").wait_for()
    friend = cast(Browser, page.context.browser).new_context().new_page()
    friend.goto(page.url)
    friend.get_by_label("Your name", exact=True).fill("Bob")
    friend.keyboard.press("Enter")
    friend.locator("#sheet .ready").click()
    friend.keyboard.press("1")
    page.get_by_text("Hello!").first.wait_for()
    return friend


def wait_in_room(page: Page) -> None:
    meet(page, "Race")


def begin(page: Page, kind: str) -> Page:
    friend = meet(page, kind)
    page.locator("#sheet .ready").click()
    for player in (page, friend):
        player.locator(":root[data-state=playing] .open").first.wait_for()
    return friend


def open_safe(page: Page, most: int) -> None:
    """Open cells that are certain, by what the page shows."""
    for _ in range(most):
        names = page.locator(".cell").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
        shown = [("?" if name[0] in "cfm" else name[0].replace("e", ".")) for name in names]
        rows = ["".join(shown[start : start + 9]) for start in range(0, 81, 9)]
        view = parse_position("\n".join(rows), 10)
        safe = analyse(view).safe
        if not safe:
            return
        cell = view.cells(safe)[0]
        page.locator(f'[aria-label="covered ({cell.column},{cell.row})"]').evaluate(
            "it => it.click()"
        )
        page.locator(f'[aria-label="covered ({cell.column},{cell.row})"]').wait_for(
            state="detached"
        )


def race(page: Page) -> None:
    friend = begin(page, "Race")
    open_safe(page, 9)
    open_safe(friend, 3)
    friend.keyboard.press("4")
    page.get_by_text("Wait for me.").first.wait_for()


def finish(page: Page) -> None:
    friend = begin(page, "Race")
    open_safe(page, 81)
    open_safe(friend, 81)
    page.get_by_role("heading", name="You won the race!").wait_for()
    page.locator("#party i").last.wait_for(state="detached")


def share(page: Page) -> None:
    friend = begin(page, "Share a board")
    open_safe(page, 5)
    open_safe(friend, 3)
    covered = friend.locator('[aria-label^="covered"]').nth(5)
    covered.click(button="right")
    friend.keyboard.press("ArrowDown")
    friend.keyboard.press("0")
    page.locator("i.look").wait_for()


class Picture(NamedTuple):
    """A picture to take: a scene on a device, in a scheme (light, dark, or forced colours)."""

    device: Device
    scene: Callable[[Page], None]
    scheme: str = "light"


TAKEN: Final[Mapping[str, Picture]] = {
    "phone-light": Picture(PHONE, hint),
    "phone-dark": Picture(PHONE, hint, "dark"),
    "phone-won": Picture(PHONE, win),
    "phone-lost": Picture(PHONE, lose),
    "phone-menu": Picture(PHONE, open_menu),
    "phone-boards": Picture(PHONE, choose_board),
    "phone-help": Picture(PHONE, read_help, "dark"),
    "phone-whole": Picture(PHONE, look_at_whole),
    "phone-across": Picture(ACROSS, hint),
    "tablet-light": Picture(TABLET, hint),
    "tablet-dark": Picture(TABLET, lose, "dark"),
    "together-room": Picture(PHONE, wait_in_room),
    "together-race": Picture(PHONE, race, "dark"),
    "together-shared": Picture(PHONE, share),
    "together-result": Picture(PHONE, finish, "dark"),
    "desk-light": Picture(DESK, hint),
    "desk-dark": Picture(DESK, win, "dark"),
    "desk-forced": Picture(DESK, lose, "forced"),
    "wall-light": Picture(WALL, lose),
}
FOR_LINKS: Final = Picture(LINKED, hint, "dark")


def take(browser: Browser, url: str, picture: Picture, path: Path) -> None:
    device, scene, scheme = picture
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height},
        has_touch=device.is_touched,
        is_mobile=device.is_touched,
        device_scale_factor=device.scale,
        color_scheme="light" if scheme == "light" else "dark",
        forced_colors="active" if scheme == "forced" else "none",
    )
    page = context.new_page()
    page.goto(f"{url}#{CODE}")
    page.get_by_text("not ranked").wait_for()
    scene(page)
    page.mouse.move(0, 0)
    page.wait_for_timeout(900)
    page.screenshot(path=path)
    context.close()


def take_icon(browser: Browser) -> None:
    """Paint the icon for home screens that take no drawing."""
    page = browser.new_page(viewport={"width": ICON_SIDE, "height": ICON_SIDE})
    page.goto((ASSETS / "icon.svg").as_uri())
    page.screenshot(path=ASSETS / "icon.png", omit_background=True)
    page.close()


def main(names: list[str]) -> None:
    with (
        TemporaryDirectory() as home,
        server(Path(home), f"--store={home}/store.db") as address,
        sync_playwright() as playwright,
    ):
        url = f"http://{address}/"
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name in names or TAKEN:
            take(browser, url, TAKEN[name], PICTURES / f"{name}.png")
        if not names:
            take_icon(browser)
            take(browser, url, FOR_LINKS, ASSETS / "picture.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
