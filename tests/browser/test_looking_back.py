"""A game that has ended, on the page: shown again, analysed, downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from jminesweeper.recordings.text import parse_game
from tests.browser.page_player import BEGINNER, KnownGame, PagePlayer


@pytest.fixture
def lost(desk: PagePlayer) -> PagePlayer:
    """Somebody who opened one cell of the known board, set a flag, and hit a mine."""
    desk.open(BEGINNER)
    game = KnownGame()
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    first, second, *_ = game.mines
    desk.cell(*first).click(button="right")
    desk.cell(*second).click()
    desk.expect_state("lost")
    return desk


def test_a_game_is_shown_again_along_a_line_of_its_actions(lost: PagePlayer) -> None:
    mine = KnownGame().mines[0]
    lost.page.get_by_role("button", name="replay").click()
    line = lost.page.get_by_role("slider", name="Action")
    expect(line).to_have_attribute("max", "3")
    lost.expect_cell(4, 4, "covered")
    lost.press("ArrowRight")
    lost.expect_cell(4, 4, "1")
    expect(line).to_have_value("1")
    line.fill("2")
    lost.expect_cell(*mine, "flag")
    line.fill("0")
    lost.expect_cell(4, 4, "covered")
    line.fill("3")
    lost.expect_state("lost")
    lost.press("Escape")
    expect(line).to_be_hidden()
    lost.expect_state("lost")


def test_an_analysis_is_a_page(lost: PagePlayer) -> None:
    lost.page.get_by_role("button", name="analysis").click()
    lost.expect_title("Analysis")
    lost.press("Escape")
    lost.expect_no_sheet()


def test_a_recording_is_downloaded(lost: PagePlayer) -> None:
    with lost.page.expect_download() as download:
        lost.page.get_by_role("button", name="export").click()
    assert download.value.suggested_filename.startswith("minesweeper-")
    game = parse_game(Path(download.value.path()).read_text(encoding="utf-8"))
    assert len(game.log) == 3
