#!/usr/bin/env python3
"""Take the pictures of the page: ``.venv/bin/python scripts/pictures.py``.

A server, Debian's Chromium, and somebody who plays a known board on a phone, a tablet and a desk,
in both schemes. The pictures go to docs/pictures, the one for links beside the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from programs import PICTURES, ROOT, server

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import parse_seed_code

ASSETS: Final = ROOT / "src" / "jminesweeper" / "web" / "assets"
FOR_LINKS: Final = ASSETS / "picture.png"
ICON_SIDE: Final = 192
CODE: Final = "96XN-WFBM-4P1B-Z9KG"
LARGE: Final = "11HK-P0NV-3VN"
MINES: Final = ((7, 1), (0, 2), (0, 3), (3, 3), (8, 5))
OPENED: Final = ((4, 4), (8, 8), (0, 0), (4, 0))

HOLD_PARTY: Final = """
() => document.getAnimations()
  .filter((animation) => animation.effect.target.closest('#party'))
  .forEach((animation) => { animation.pause(); animation.currentTime = 1900; })
"""


class Device(NamedTuple):
    """A screen."""

    width: int
    height: int
    is_touched: bool
    scale: float


DEVICES: Final[Mapping[str, Device]] = {
    "phone": Device(390, 844, is_touched=True, scale=1.5),
    "tablet": Device(820, 1180, is_touched=True, scale=1),
    "desk": Device(1280, 800, is_touched=False, scale=1),
}
ACROSS: Final = Device(844, 390, is_touched=True, scale=1)
LINKED: Final = Device(1200, 630, is_touched=False, scale=1)


def cell(page: Page, column: int, row: int, button: Literal["left", "right"] = "left") -> None:
    page.locator(f'[aria-label$="({column},{row})"]').click(button=button)


def play(page: Page) -> None:
    """Play until there is something to see: numbers, flags, and a hint."""
    for place in OPENED:
        cell(page, *place)
    for place in MINES:
        cell(page, *place, button="right")
    page.locator(".cell.flag").nth(len(MINES) - 1).wait_for()


def hint(page: Page) -> None:
    play(page)
    page.keyboard.press("i")
    page.locator(".hint").first.wait_for()


def win(page: Page) -> None:
    """Open every safe cell, and hold the party where there is most to see."""
    game = Game(parse_seed_code(CODE))
    # So that nothing ends before its picture was taken.
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)
    cell(page, *OPENED[0])
    game.apply(Action(ActionKind.REVEAL, Cell(*OPENED[0])), 0)
    while not game.status.is_over:
        safe = game.grid.mask & ~game.visible & ~game.reveal_truth().mines
        column, row = next(game.grid.cells(safe))
        game.apply(Action(ActionKind.REVEAL, Cell(column, row)), 0)
        cell(page, column, row)
    page.locator("#party i").first.wait_for(state="attached")
    page.evaluate(HOLD_PARTY)


def lose(page: Page) -> None:
    """Play, then open the first mine without a flag."""
    play(page)
    game = Game(parse_seed_code(CODE))
    game.apply(Action(ActionKind.REVEAL, Cell(*OPENED[0])), 0)
    mines = game.grid.cells(game.reveal_truth().mines)
    cell(page, *next(mine for mine in mines if mine not in MINES))
    page.locator(":root[data-state=lost]").wait_for()


def open_menu(page: Page) -> None:
    play(page)
    page.keyboard.press("m")
    page.get_by_role("dialog").wait_for()


def look_at_whole(page: Page) -> None:
    """Play a board of 100x60 a little, and show all of it."""
    page.goto(f"{page.url}#{LARGE}")
    page.get_by_text("100x60").wait_for()
    cell(page, 6, 8)
    page.locator(".cell.open").first.wait_for()
    page.keyboard.press("v")
    page.locator("canvas").wait_for()


SCENES: Final[Mapping[str, Callable[[Page], None]]] = {
    "playing": hint,
    "won": win,
    "lost": lose,
    "menu": open_menu,
    "whole": look_at_whole,
}


def take(browser: Browser, url: str, device: Device, look: str, path: Path) -> None:
    """Take one picture of a scene in a scheme."""
    scene, scheme = look.split()
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height},
        has_touch=device.is_touched,
        is_mobile=device.is_touched,
        device_scale_factor=device.scale,
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(f"{url}#{CODE}")
    page.get_by_text("not ranked").wait_for()
    SCENES[scene](page)
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


def main() -> None:
    with (
        TemporaryDirectory() as home,
        server(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        url = f"http://{address}/"
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name, device in DEVICES.items():
            for scheme in ("light", "dark"):
                path = PICTURES / f"{name}-{scheme}.png"
                take(browser, url, device, f"playing {scheme}", path)
        for scene in ("won", "lost", "menu", "whole"):
            path = PICTURES / f"phone-{scene}.png"
            take(browser, url, DEVICES["phone"], f"{scene} light", path)
        path = PICTURES / "phone-across.png"
        take(browser, url, ACROSS, "playing light", path)
        take_icon(browser)
        take(browser, url, LINKED, "playing dark", FOR_LINKS)
        browser.close()


if __name__ == "__main__":
    main()
