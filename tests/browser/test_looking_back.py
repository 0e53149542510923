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


def test_a_replay_is_played_on_from_any_of_its_moments(lost: PagePlayer) -> None:
    lost.page.get_by_role("button", name="replay").click()
    line = lost.page.get_by_role("slider", name="Action")
    line.fill("1")
    lost.expect_cell(4, 4, "1")
    lost.page.get_by_role("button", name="play on from here").click()
    expect(line).to_be_hidden()
    expect(lost.message).to_contain_text("Your turn from here.")
    lost.expect_state("playing")
    lost.expect_cell(4, 4, "1")
    lost.expect_cell(*KnownGame().mines[0], "covered")


def test_what_was_undone_is_redone(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    desk.press("u")
    desk.expect_cell(4, 4, "covered")
    desk.press("U")
    desk.expect_cell(4, 4, "1")


def test_an_analysis_is_a_page(lost: PagePlayer) -> None:
    lost.page.get_by_role("button", name="analysis").click()
    lost.expect_title("Analysis")
    lost.press("Escape")
    lost.expect_no_sheet()


def download(player: PagePlayer, button: str) -> tuple[str, str]:
    """Press a button of the sheet; return the ending and the text of the file that it brings."""
    with player.page.expect_download() as download:
        player.sheet.get_by_role("button", name=button).click()
    name, _, ending = download.value.suggested_filename.rpartition(".")
    assert name.startswith("minesweeper-")
    return ending, Path(download.value.path()).read_text(encoding="utf-8")


def expect_files(player: PagePlayer) -> None:
    """Expect that the game of three actions can be had as text and as a picture."""
    player.expect_title("Export")
    ending, text = download(player, "text")
    assert (ending, len(parse_game(text).log)) == ("txt", 3)
    ending, picture = download(player, "moving picture")
    assert ending == "svg"
    assert picture.startswith("<svg")


def test_a_game_is_downloaded_as_text_and_as_a_picture(lost: PagePlayer) -> None:
    lost.page.get_by_role("button", name="export").click()
    expect_files(lost)
    lost.press("Escape")
    lost.expect_no_sheet()


def test_each_of_ones_games_is_downloaded_from_the_records(lost: PagePlayer) -> None:
    lost.press("n")
    lost.expect_state("playing")
    lost.press("m")
    lost.choose("Records")
    lost.sheet.get_by_role("button", name="Your games").click()
    lost.expect_title("Your games")
    lost.sheet.get_by_role("button", name="beginner").first.click()
    lost.sheet.get_by_role("button", name="Export").click()
    expect_files(lost)


def test_the_last_games_are_seen_again_without_a_server(lost: PagePlayer) -> None:
    end = lost.names()
    lost.until(
        "performance.getEntriesByType('resource')"
        ".filter(({name}) => /after|replay/.test(name)).length > 1"
    )
    lost.page.context.set_offline(True)
    expect(lost.page.get_by_role("alert")).to_contain_text("You are offline.")
    lost.press("m")
    lost.expect_title("Replay without a server")
    lost.sheet.get_by_role("button", name="beginner 9x9").first.click()
    line = lost.page.get_by_role("slider", name="Action")
    expect(line).to_have_attribute("max", "3")
    line.fill("1")
    lost.expect_cell(4, 4, "1")
    lost.expect_cell(*KnownGame().mines[1], "covered")
    line.fill("3")
    lost.expect_state("lost")
    assert lost.names() == end
    lost.press("Escape")
    expect(line).to_be_hidden()
    assert lost.names() == end
    lost.page.context.set_offline(False)
    expect(lost.page.get_by_role("alert")).to_be_hidden()


def test_a_replay_is_played_at_its_own_times_paused_and_hurried(lost: PagePlayer) -> None:
    lost.page.get_by_role("button", name="replay").click()
    line = lost.page.get_by_role("slider", name="Action")
    play = lost.page.get_by_role("button", name="Play", exact=True)
    lost.page.get_by_role("button", name="Speed").click()
    play.click()
    expect(line).to_have_value("3")
    lost.expect_state("lost")
    expect(play).to_have_attribute("aria-pressed", "false")
    lost.press("Home")
    expect(line).to_have_value("0")
    lost.press(" ", " ")
    expect(play).to_have_attribute("aria-pressed", "false")


def test_a_game_is_among_the_last_games_of_the_device(lost: PagePlayer) -> None:
    games = lost.page.get_by_role("complementary", name="Last games")
    expect(games).to_contain_text("beginner 9x9")
    lost.page.reload()
    expect(games).to_contain_text("beginner 9x9")


@pytest.mark.parametrize("has_share", [True, False], ids=["share", "clipboard"])
def test_a_result_is_shared_with_its_board(lost: PagePlayer, has_share: bool) -> None:
    lost.page.evaluate(
        """(hasShare) => {
            const note = (text) => (window.shared = text);
            navigator.share = hasShare ? ({text, url}) => note(`${text} ${url}`) : undefined;
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: note}});
        }""",
        has_share,
    )
    lost.page.get_by_role("button", name="share").click()
    lost.until("window.shared")
    shared = lost.page.evaluate("window.shared")
    assert shared.startswith("JMinesweeper beginner 9x9: lost after 0:0")
    code = lost.page.get_by_label("Figures").get_by_role("link").inner_text()
    assert shared.endswith(f"{lost.url}#{code}")


def test_where_nothing_can_be_shared_the_text_is_shown(lost: PagePlayer) -> None:
    lost.page.evaluate(
        """() => {
            navigator.share = undefined;
            Object.defineProperty(navigator, 'clipboard', {value: undefined});
        }"""
    )
    lost.page.get_by_role("button", name="share").click()
    lost.expect_title("Share")
    expect(lost.sheet).to_contain_text("beginner 9x9: lost after")
    lost.press("Escape")
    lost.expect_no_sheet()
