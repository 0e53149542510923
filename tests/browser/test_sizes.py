"""The page at every size: nothing swings, nothing hides, the board stays where it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.session.messages import MESSAGES
from jminesweeper.web import site
from tests.browser.page_player import DESK, PHONE, Device, PagePlayer
from tests.integration.server_process import ServerProcess

ASSETS = Path(site.__file__).parent / "assets"
NewContext = Callable[[Device], BrowserContext]

BOARDS = {
    name: Setup.of(Size(*size), mines, seed=3)
    for name, (size, mines) in {
        "beginner": ((9, 9), 10),
        "intermediate": ((16, 16), 40),
        "expert": ((30, 16), 99),
        "large": ((100, 60), 700),
    }.items()
}
# Fifty of them; every size is tried in `LAYOUTS`, without a browser's frames.
SIZES = [
    (width, height)
    for width in (280, 320, 390, 568, 700, 820, 1180, 1280, 1440, 1600, 1920, 3840)
    for height in (390, 568, 700, 800, 1180, 1440, 2160)
    if 0.45 < width / height < 2.2
]
RECTANGLES = """
async () => {
  const found = new Set();
  for (let count = 0; count < 3; count++) {
    await new Promise(requestAnimationFrame);
    const {x, y, width, height} = document.getElementById('field').getBoundingClientRect();
    found.add([x, y, width, height].join());
  }
  return [...found];
}
"""


def still(device: Device) -> Device:
    return replace(device, more={"reduced_motion": "reduce"})


def lose(player: PagePlayer, setup: Setup) -> None:
    """Open a cell, then the first mine."""
    game = Game(setup)
    player.cell(0, 0).click()
    expect(player.cell(0, 0)).not_to_have_attribute("aria-label", "covered (0,0)")
    game.apply(Action(ActionKind.REVEAL, Cell(0, 0)), 0)
    if game.status is Status.ONGOING:
        player.cell(*next(iter(game.grid.cells(game.reveal_truth().mines)))).click()
    player.expect_state("lost")


def rectangles(
    player: PagePlayer, sizes: list[tuple[int, int]]
) -> dict[tuple[int, int], list[str]]:
    found = {}
    for width, height in sizes:
        player.page.set_viewport_size({"width": width, "height": height})
        found[width, height] = player.page.evaluate(RECTANGLES)
    return found


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("is_touched", [False, True], ids=["mouse", "finger"])
def test_the_board_has_one_place_at_each_size_which_the_end_of_a_game_does_not_change(
    new_context: NewContext, server: ServerProcess, board: str, is_touched: bool
) -> None:
    player = PagePlayer(
        new_context(replace(still(DESK), is_touched=is_touched)).new_page(), server.port
    )
    player.open(format_seed_code(BOARDS[board]))
    # Thousands of cells take their time.
    sizes = SIZES[::4] if board == "large" else SIZES[is_touched::2]
    before = rectangles(player, sizes)
    assert {size: places for size, places in before.items() if len(places) > 1} == {}
    player.page.set_viewport_size({"width": 1280, "height": 800})
    lose(player, BOARDS[board])
    player.page.evaluate("document.getElementById('view').scrollTo(0, 0)")
    after = rectangles(player, sizes)
    if board == "large":
        # The mine that went off is scrolled to where the board does not fit: its size stays.
        before, after = (
            {size: [one.split(",", 2)[2] for one in places] for size, places in found.items()}
            for found in (before, after)
        )
    assert {
        size: (before[size], after[size]) for size in sizes if before[size] != after[size]
    } == {}


@pytest.mark.parametrize(
    ("device", "sizes"),
    [
        (PHONE, [(390, 844), (844, 390), (568, 320), (320, 568), (820, 1180)]),
        (DESK, [(1280, 800), (2560, 1440), (3840, 2160)]),
    ],
    ids=["finger", "mouse"],
)
def test_nothing_lies_over_the_board_or_outside_the_screen(
    new_context: NewContext, server: ServerProcess, device: Device, sizes: list[tuple[int, int]]
) -> None:
    player = PagePlayer(new_context(still(device)).new_page(), server.port)
    player.open(format_seed_code(BOARDS["beginner"]))
    lose(player, BOARDS["beginner"])
    for width, height in sizes:
        player.page.set_viewport_size({"width": width, "height": height})
        view = player.box(player.page.locator("#view"))
        names = ["#message", "#tools", "#left", "#face", "#clock", "#label", "[data-name=new]"]
        if not device.is_touched:
            names += ["#figures", "#games"]
        for name in names:
            box = player.box(player.page.locator(name))
            right, below = box["x"] + box["width"], box["y"] + box["height"]
            is_inside = min(box["x"], box["y"]) >= 0 and right <= width and below <= height
            is_above_or_below = below <= view["y"] + 1 or box["y"] >= view["y"] + view["height"] - 1
            is_beside = right <= view["x"] or box["x"] >= view["x"] + view["width"] - 1
            assert is_inside, (width, height, name)
            assert is_above_or_below or is_beside, (width, height, name)
            assert name != "#face" or min(box["width"], box["height"]) >= 40
        if height >= 1440:
            # No stamp in an empty hall.
            assert player.box(player.field)["height"] > 0.55 * height
            assert player.box(player.page.locator("#games"))["width"] > 0.1 * width


def test_cells_are_large_enough_for_a_finger(phone: PagePlayer) -> None:
    for width in (320, 390, 412, 768):
        phone.page.set_viewport_size({"width": width, "height": 844})
        assert phone.box(phone.cell(4, 4))["width"] >= min(44, width // 9)
        overhang = "document.getElementById('view').scrollWidth - innerWidth"
        assert phone.page.evaluate(overhang) <= 0


CUT: Any = """
(texts) => {
  const message = document.getElementById('message');
  return texts.filter(([text, tone]) => {
    Object.assign(message, {textContent: text, className: tone});
    return message.scrollHeight > message.clientHeight + 1;
  });
}
"""


def test_every_message_fits_the_smallest_phone(phone: PagePlayer) -> None:
    # What is wrong with a packet is for programs, and a page always has a server.
    texts = [
        (re.sub(r"{[^}]*}", "12.345", text), tone.value)
        for name, (text, tone) in MESSAGES.items()
        if not name.startswith(("bad.", "offline"))
    ]
    phone.open(format_seed_code(BOARDS["beginner"]))
    lose(phone, BOARDS["beginner"])
    for width, height in ((320, 568), (568, 320), (390, 844)):
        phone.page.set_viewport_size({"width": width, "height": height})
        assert phone.page.evaluate(CUT, texts) == []


def test_everything_can_be_reached_when_the_page_is_magnified(desk: PagePlayer) -> None:
    for width, height, name in ((640, 512, "flag"), (320, 256, "covered")):
        desk.page.set_viewport_size({"width": width, "height": height})
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
        for column, row in ((0, 0), (8, 8)):
            desk.cell(column, row).click(button="right")
            desk.expect_cell(column, row, name)
        desk.page.get_by_role("button", name="menu").click()
        desk.expect_title("JMinesweeper")
        desk.press("Escape")
        desk.expect_no_sheet()


def test_flags_by_a_button_are_for_every_screen_that_can_be_touched(
    desk: PagePlayer, new_context: NewContext, server: ServerProcess
) -> None:
    touched = PagePlayer(
        new_context(replace(DESK, more={"has_touch": True})).new_page(), server.port
    )
    touched.open()
    expect(touched.page.get_by_role("button", name="flag mode")).to_be_visible()
    expect(desk.page.get_by_role("button", name="flag mode")).to_be_hidden()


LAYOUTS: Any = """
(arrange) => {
  const wrong = [];
  for (let width = 280; width <= 3840; width += 7)
    for (let height = 240; height <= 2160; height += 60)
    for (const [columns, rows] of [[9, 9], [16, 16], [30, 16], [255, 255]])
      for (const isTouched of [true, false]) {
        const {cell, across, down, panels, beside, head, foot, shape} =
          arrange({width, height, rem: 16, isTouched}, {columns, rows});
        const used = across + (shape === 'across' ? 1 : panels) * beside;
        const isTooHigh = height >= 560 && head + down + foot > height;
        if (used > width || across <= 0 || cell < 24 || down <= 0 || isTooHigh)
          wrong.push([width, height, columns]);
      }
  return wrong;
}
"""


def test_the_layout_is_one_function_with_a_place_for_every_size(desk: PagePlayer) -> None:
    modules = [(ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("dom", "layout")]
    text = re.sub(r"(?m)^import .*|^export ", "", "\n".join(modules))
    assert desk.page.evaluate(f"() => {{ {text}\n return ({LAYOUTS})(arrange); }}") == []
