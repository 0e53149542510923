#!/usr/bin/env python3
"""Take the pictures of the page: ``.venv/bin/python scripts/pictures.py``.

A server, Debian's Chromium, and somebody who plays a known board on a phone, a tablet and a desk,
in both schemes. The pictures go to docs/pictures, the one for links beside the page.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
FOR_LINKS: Final = ROOT / "src" / "jminesweeper" / "web" / "assets" / "picture.png"
CODE: Final = "96XN-WFBM-4P1B-Z9KG"
MINES: Final = ((7, 1), (0, 2), (0, 3), (3, 3), (8, 5))
OPENED: Final = ((4, 4), (8, 8), (0, 0), (4, 0))


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
LINKED: Final = Device(1200, 630, is_touched=False, scale=1)


@contextmanager
def server() -> Iterator[str]:
    """Run a server until the block ends; give its address."""
    command = (sys.executable, "-m", "jminesweeper", "server", "--host=127.0.0.1", "--port=0")
    process = subprocess.Popen(
        (*command, "--store=memory", "--workers=1"), stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        line = process.stderr.readline() if process.stderr else ""
        yield f"http://{line.split()[-1]}/"
    finally:
        process.terminate()
        process.communicate()


def cell(page: Page, column: int, row: int) -> None:
    page.locator(f'[aria-label$="({column},{row})"]').click()


def play(page: Page) -> None:
    """Play until there is something to see: numbers, flags, and a hint."""
    for place in OPENED:
        cell(page, *place)
    for column, row in MINES:
        page.locator(f'[aria-label$="({column},{row})"]').click(button="right")
    page.locator(".cell.flag").nth(len(MINES) - 1).wait_for()


def hint(page: Page) -> None:
    play(page)
    page.keyboard.press("i")
    page.locator(".hint").first.wait_for()


def win(page: Page) -> None:
    """Open every cell that holds no mine, which debug mode shows."""
    cell(page, 4, 4)
    page.keyboard.press("#")
    page.locator(".tile.mine").first.wait_for()
    while page.locator(":root[data-state=playing]").count():
        page.locator(".tile:not(.mine)").first.click()
        page.wait_for_timeout(30)


def lose(page: Page) -> None:
    play(page)
    page.keyboard.press("#")
    page.locator(".tile.mine").first.click()
    page.locator(":root[data-state=lost]").wait_for()


def open_menu(page: Page) -> None:
    play(page)
    page.keyboard.press("m")
    page.get_by_role("dialog").wait_for()


SCENES: Final[Mapping[str, Callable[[Page], None]]] = {
    "playing": hint,
    "won": win,
    "lost": lose,
    "menu": open_menu,
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


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name, device in DEVICES.items():
            for scheme in ("light", "dark"):
                path = PICTURES / f"{name}-{scheme}.png"
                take(browser, url, device, f"playing {scheme}", path)
        for scene in ("won", "lost", "menu"):
            path = PICTURES / f"phone-{scene}.png"
            take(browser, url, DEVICES["phone"], f"{scene} light", path)
        take(browser, url, LINKED, "playing dark", FOR_LINKS)
        browser.close()


if __name__ == "__main__":
    main()
