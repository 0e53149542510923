"""Somebody who plays on the page: what a hand does, and what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import CDPSession, FloatRect, Locator, Page, WebSocket, expect

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code, parse_seed_code
from jminesweeper.core.view import Status


@dataclass(frozen=True)
class Device:
    """A screen, and what its owner wants."""

    width: int
    height: int
    is_touched: bool = False
    colour_scheme: str = "light"
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        return {
            "viewport": {"width": self.width, "height": self.height},
            "has_touch": self.is_touched,
            "is_mobile": self.is_touched,
            "color_scheme": self.colour_scheme,
            **self.more,
        }


PHONE: Final = Device(390, 844, is_touched=True)
DESK: Final = Device(1280, 800)

BEGINNER: Final = "C0QX-6XNW-FBM4-P1BZ-93E"
"""The seed code of a board that the tests play; only the first cell is protected."""

Point = tuple[float, float]

BLANK: Final = "about:blank"

_LATER_MS: Final = 3_600_000

_LATE_ANSWERS: Final = """
{
  let late = null;
  let heard = () => {};
  const {set} = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {set(take) {
    this.take = take;
    set.call(this, (event) => {
      if (!late) return this.take?.(event);
      late.push(() => this.take?.(event));
      heard();
    });
  }});
  window.answers = {
    hold: () => { late = []; },
    gather: async (count) => {
      while (late.length < count) await new Promise((resolve) => { heard = resolve; });
    },
    come: () => {
      const all = late;
      late = null;
      all.forEach((take) => take());
    },
  };
}
"""
"""A hook by which a test says when the page hears an answer."""


class PagePlayer:
    """A page, and hands."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        self.url = f"http://127.0.0.1:{port}/"
        self.errors: list[str] = []
        self.connections = 0
        """Number of times that the page has connected."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("websocket", self._count)
        self._touches: CDPSession | None = None

    def _count(self, _socket: WebSocket) -> None:
        self.connections += 1

    def _note(self, kind: str, text: str) -> None:
        # The browser reports lost connections, and a service worker that it may not fetch over TLS
        # that nobody vouches for, or has not fetched yet when the page is loaded again.
        expected = ("WebSocket", "ERR_", "fetching the script")
        if kind == "error" and not any(one in text for one in expected):
            self.errors.append(text)

    def open(self, code: str = "") -> None:
        if code and self.page.url == self.url:
            self.page.evaluate("(code) => { location.hash = code; }", code)
        else:
            if self.page.url != BLANK:
                # From another page: otherwise what is open passes for what the new one shows.
                self.page.goto(BLANK)
            self.page.goto(f"{self.url}#{code}" if code else self.url)
            self.field.locator(".here").wait_for()
        if code:
            expect(self.message).to_contain_text("not ranked")
        self.go_to_the_corner()

    def go_to_the_corner(self) -> None:
        """Lead the cursor from where it begins to the first cell."""
        rows = int(self.field.get_attribute("aria-rowcount") or 0)
        self.press("Home", *["PageUp"] * (rows // 10 + 1))
        expect(self.field.locator(".here")).to_have_attribute("data-index", "0")

    # What is seen

    @property
    def field(self) -> Locator:
        return self.page.get_by_role("grid")

    @property
    def message(self) -> Locator:
        return self.page.locator("#message")

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def label(self) -> Locator:
        return self.page.locator("#label")

    @property
    def left(self) -> Locator:
        return self.page.locator("#left")

    def cell(self, column: int, row: int) -> Locator:
        return self.field.locator(f'[aria-label$="({column},{row})"]')

    def names(self) -> dict[Cell, str]:
        """Say of each cell in the document what it is called."""
        labels: Sequence[str] = self.field.locator(".cell").evaluate_all(
            "cells => cells.map(cell => cell.ariaLabel)"
        )
        found = [re.fullmatch(r"(.*) \((\d+),(\d+)\)", label) for label in labels]
        return {Cell(int(one[2]), int(one[3])): one[1] for one in found if one}

    def expect_cell(self, column: int, row: int, name: str) -> None:
        expect(self.cell(column, row)).to_have_attribute("aria-label", f"{name} ({column},{row})")

    def expect_title(self, title: str) -> None:
        """Expect the menu or page of that name."""
        expect(self.sheet.get_by_role("heading", level=2)).to_have_text(title)

    def expect_no_sheet(self) -> None:
        expect(self.sheet).to_have_count(0)

    def close_settings(self) -> None:
        """Go back from the settings to the menu, and then to the board."""
        self.press("Escape")
        self.expect_title("JMinesweeper")
        self.press("Escape")
        self.expect_no_sheet()

    def expect_state(self, state: str) -> None:
        expect(self.page.locator(f":root[data-state='{state}']")).to_have_count(1)

    def box(self, thing: Locator) -> FloatRect:
        """Say where something is, as soon as it has come to rest.

        With the frame after an answer the page fits the field to the room that is left for it.
        """
        thing.hover(trial=True)
        box = thing.bounding_box()
        assert box is not None
        return box

    def middle(self, column: int, row: int) -> Point:
        box = self.box(self.cell(column, row))
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    # What a hand does

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, here: Cell, there: Cell) -> None:
        """Lead the cursor from one cell to another."""
        across, down = there.column - here.column, there.row - here.row
        self.press(*["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across))
        self.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))

    def choose(self, item: str) -> None:
        """Choose an item of the menu that is open."""
        self.sheet.get_by_role("button", name=item, exact=True).click()

    def play_custom(self, columns: int, rows: int, mines: int) -> None:
        """Ask for a board of one's own."""
        self.label.click()
        self.expect_title("New game")
        self.sheet.get_by_role("button", name="Custom").click()
        self.expect_title("Custom board")
        for name, number in (("Columns", columns), ("Rows", rows), ("Mines", mines)):
            field = self.sheet.get_by_label(name, exact=True)
            field.fill(str(number))
            field.press("Enter")
            # The answer puts another field in its place.
            expect(field).to_have_js_property("defaultValue", str(number))
        self.sheet.get_by_role("button", name="Begin").click()
        self.expect_no_sheet()
        expect(self.label).to_contain_text(f"{columns}x{rows}")

    def until(self, condition: str) -> None:
        """Wait for something in the page; Playwright's own way needs what the policy forbids."""
        frame = "new Promise(requestAnimationFrame)"
        self.page.evaluate(f"async () => {{ while (!({condition})) await {frame}; }}")

    def catch_up(self) -> None:
        """Wait for the answer to everything so far: it comes before that to the menu."""
        self.press("m")
        self.expect_title("JMinesweeper")
        self.press("Escape")
        self.expect_no_sheet()

    def be_slow(self) -> None:
        """Load the page so that `late_answers` can be had."""
        self.page.add_init_script(_LATE_ANSWERS)
        self.open()

    @contextmanager
    def late_answers(self) -> Iterator[None]:
        """Let the page hear answers when the block ends."""
        self.page.evaluate("answers.hold()")
        yield
        self.page.evaluate("answers.come()")

    def await_late_answers(self, count: int) -> None:
        self.page.evaluate("(count) => answers.gather(count)", count)

    def touch(self, kind: str, *points: Point) -> None:
        """Begin, move or end touches, as a touchscreen reports them."""
        self.fingers(kind, dict(enumerate(points)))

    def fingers(self, kind: str, points: Mapping[int, Point]) -> None:
        """Say which fingers are down, or which of them is lifted, and where."""
        if self._touches is None:
            self._touches = self.page.context.new_cdp_session(self.page)
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in points.items()]
        self._touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def stop_time(self) -> None:
        """Let the page's timers wait for `pass_time`: a slow machine's tap is no long press."""
        self.page.clock.install(time=0)
        self.page.clock.pause_at(_LATER_MS)

    def pass_time(self, ms: int) -> None:
        self.page.clock.run_for(ms)

    def hold(self, column: int, row: int, name: str, ms: int = 400) -> None:
        """Keep a finger on a cell for so long, and expect that it is called that then."""
        self.touch("touchStart", self.middle(column, row))
        self.pass_time(ms)
        self.expect_cell(column, row, name)
        self.touch("touchEnd")


class KnownGame:
    """The game of a seed code, played here as well, so that a test knows the mines."""

    def __init__(self, code: str = BEGINNER) -> None:
        self.game = Game(parse_seed_code(code))

    def reveal(self, column: int, row: int) -> None:
        self.game.apply(Action(ActionKind.REVEAL, Cell(column, row)), 0)

    @property
    def mines(self) -> list[Cell]:
        return list(self.game.grid.cells(self.game.reveal_truth().mines))

    def covered(self) -> list[Cell]:
        """List the safe cells that are covered, in reading order."""
        game = self.game
        return list(game.grid.cells(game.grid.mask & ~game.visible & ~game.reveal_truth().mines))

    def name(self, cell: Cell) -> str:
        view = self.game.view
        if not view.is_visible(cell):
            return "covered"
        return str(view.clue(cell) or "empty")

    @property
    def code(self) -> str:
        """The code that the page shows: it says where the game began as well."""
        return format_seed_code(self.game.shared_setup)

    @property
    def is_over(self) -> bool:
        return self.game.status is not Status.ONGOING


def win(player: PagePlayer) -> None:
    """Win the known board, by clicks."""
    player.open(BEGINNER)
    game = KnownGame()
    cell = Cell(4, 4)
    while True:
        game.reveal(*cell)
        player.cell(*cell).click()
        if game.is_over:
            break
        player.expect_cell(*cell, game.name(cell))
        cell = game.covered()[0]
    player.expect_state("won")


def lose(player: PagePlayer) -> None:
    """Open a cell of the known board, then a mine."""
    player.open(BEGINNER)
    game = KnownGame()
    game.reveal(4, 4)
    player.cell(4, 4).click()
    player.expect_cell(4, 4, "1")
    player.cell(*game.mines[0]).click()
    player.expect_state("lost")
