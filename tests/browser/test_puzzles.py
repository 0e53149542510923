"""Puzzles on the page: five needless guesses a day come back, and the solver judges answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, expect

from jminesweeper import analyse
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from tests.browser.page_player import DESK, Device, PagePlayer
from tests.browser.test_reading import violations
from tests.integration.server_process import ServerProcess

STILL = {"reduced_motion": "reduce"}
SMALLEST = Device(320, 568, is_touched=True, more=STILL)
MIDDLE = Cell(4, 4)
GAMES = 6
"""One more than a day has."""

OVERHANG = """
() => {
  const { scrollHeight, clientHeight } = document.getElementById('message');
  return scrollHeight - clientHeight;
}
"""


class Guess:
    """A game after its first cell: there are cells that are safe, and others that are mines."""

    def __init__(self, setup: Setup) -> None:
        self.code = format_seed_code(setup)
        self.game = Game(setup)
        self.game.reveal(MIDDLE, 0)
        known = analyse(self.game.view)
        self.safe, self.mines = (
            list(self.game.grid.cells(one)) for one in (known.safe, known.mines)
        )

    @property
    def names(self) -> Mapping[Cell, str]:
        view = self.game.view
        return {
            cell: str(view.clue(cell) or "empty") if view.is_visible(cell) else "covered"
            for cell in view.grid.cells(view.grid.mask)
        }


def guesses() -> list[Guess]:
    """List games that can be lost by a guess without need."""
    all_games = (Guess(Setup.of("beginner", seed=seed)) for seed in range(100))
    return [one for one in all_games if one.safe and one.mines][:GAMES]


def lose_by(player: PagePlayer, guess: Guess) -> None:
    """Reveal what is a mine for certain, and see the review say so."""
    player.open(guess.code)
    player.cell(*MIDDLE).click()
    player.expect_cell(*MIDDLE, guess.names[MIDDLE])
    player.cell(*guess.mines[0]).click()
    player.expect_state("lost")
    figures = player.page.locator("#figures")
    expect(figures).to_contain_text(format_seed_code(guess.game.shared_setup))
    expect(figures).to_contain_text("needless 1")


def open_puzzles(player: PagePlayer, count: int) -> None:
    """Open the menu of puzzles, once so many are there: reviews are recorded a little later."""
    row = player.sheet.locator(".row", has_text="All that are due")
    while True:
        player.press("m")
        player.expect_title("JMinesweeper")
        player.choose("Puzzles")
        expect(row.or_(player.sheet.get_by_text("None yet"))).to_be_visible()
        if row.count() and f"{count}" in row.inner_text():
            return
        player.press(*["Escape"] * (1 + row.count()))
        player.expect_no_sheet()


def shown(player: PagePlayer, label: str, left: list[Guess]) -> Guess:
    """Wait for a puzzle; return the game that it is from."""
    expect(player.label).to_have_text(label)
    player.expect_state("playing")
    names = player.names()
    (found,) = (one for one in left if one.names == names)
    left.remove(found)
    return found


def expect_explained(player: PagePlayer, words: str) -> None:
    """Expect the hint of the position, whole and marked."""
    expect(player.message).to_contain_text(words)
    expect(player.field.locator(".hint").first).to_be_visible()
    expect(player.message).not_to_have_text(re.compile(r"{\w+}"))
    assert player.page.evaluate(OVERHANG) <= 1
    assert violations(player) == {}


@pytest.mark.parametrize("device", [replace(DESK, more=STILL), SMALLEST], ids=["desk", "phone"])
def test_needless_guesses_are_five_puzzles_a_day_that_are_judged_and_explained(
    new_context: Callable[[Device], BrowserContext], server: ServerProcess, device: Device
) -> None:
    player = PagePlayer(new_context(device).new_page(), server.port)
    player.open()
    left = guesses()
    for guess in left:
        lose_by(player, guess)
    open_puzzles(player, GAMES)
    five = player.sheet.locator(".row", has_text="Five a day")
    expect(five).to_contain_text("5 left")
    assert violations(player) == {}

    five.click()
    player.expect_no_sheet()
    puzzle = shown(player, "puzzle 1 of 5", left)
    expect(player.message).to_contain_text("Where is it safe?")
    assert violations(player) == {}
    player.cell(*puzzle.safe[0]).click()
    expect_explained(player, "Right. ")

    player.page.get_by_role("button", name="next puzzle").click()
    puzzle = shown(player, "puzzle 2 of 5", left)
    player.cell(*puzzle.mines[0]).click()
    expect_explained(player, "A mine. ")

    player.cell(*MIDDLE).click()
    shown(player, "puzzle 3 of 5", left)
    player.press("i")
    expect_explained(player, "Reveal")
    player.press("Enter")
    shown(player, "puzzle 4 of 5", left)
    player.page.get_by_role("button", name="back").click()
    player.expect_title("Puzzles")
    expect(five).to_contain_text("2 left")
    assert player.errors == []
