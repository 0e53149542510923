"""One person on the page, and the games of before: replayed, and raced against."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from jminesweeper.core.grid import Grid
from jminesweeper.core.setup import Setup
from tests.browser.page_player import DESK, Device, PagePlayer
from tests.browser.test_together import finish
from tests.integration.days import let_rank, todays_board
from tests.integration.server_process import hasty, running_server


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def own_desk(new_context: Callable[[Device], BrowserContext], store: Path) -> Iterator[PagePlayer]:
    """Somebody at a server whose store the test can read."""
    with running_server(command=hasty(f"--store={store}", "--workers=1")) as server:
        player = PagePlayer(new_context(DESK).new_page(), server.port)
        player.open()
        yield player
        assert player.errors == []


def walk(player: PagePlayer, *rows: str) -> None:
    player.press("m")
    for row in rows:
        player.sheet.get_by_role("button", name=row).first.click()


def open_first(player: PagePlayer, day: Setup) -> None:
    assert day.first is not None
    player.cell(*day.first).click()
    expect(player.cell(*day.first)).to_have_class(re.compile("open"))


def test_the_days_board_is_won_replayed_and_raced_against(
    own_desk: PagePlayer, store: Path
) -> None:
    desk, day = own_desk, todays_board(store)
    walk(desk, "Board of the day", "Beginner")
    expect(desk.label).to_contain_text("daily beginner")
    open_first(desk, day)
    let_rank(store)
    finish(desk, day.minefield())
    desk.expect_state("won")

    expect(desk.message).to_contain_text("today.")
    desk.page.evaluate("() => (navigator.share = ({text, url}) => (window.shared = [text, url]))")
    desk.page.get_by_role("button", name="share").click()
    desk.until("window.shared")
    text, url = desk.page.evaluate("window.shared")
    assert text.startswith(f"JMinesweeper beginner {day.variant.daily}: won in ")
    assert url == desk.url

    walk(desk, "Records", "Best times", "beginner 20", "1. ")
    play = desk.page.get_by_role("button", name="Play", exact=True)
    expect(play).to_have_attribute("aria-pressed", "true")
    line = desk.page.get_by_role("slider", name="Action")
    expect(line).not_to_have_value("0")
    desk.press("Escape")
    expect(desk.sheet).to_contain_text("Your best")
    for title in ("Best times", "Records", "JMinesweeper"):
        desk.press("Escape")
        desk.expect_title(title)
    desk.press("Escape")
    desk.expect_no_sheet()

    walk(desk, "Play together", "Race alone", "Today's beginner")
    players = desk.page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(players).to_have_count(2)
    expect(players.nth(1)).to_contain_text("0 %")
    expect(desk.message).to_contain_text("The race begins with your first move.")
    assert "#" not in desk.page.url
    open_first(desk, day)
    expect(players.nth(1)).not_to_contain_text(re.compile(r"(?<!\d)0 %"))
    mine = next(iter(Grid.of(day.size).cells(day.minefield().mines)))
    desk.cell(*mine).click()
    desk.expect_title("Your best won the race.")
    expect(desk.sheet.get_by_role("row").nth(1)).to_contain_text("1. Your best")
    desk.sheet.get_by_role("button", name="race again").click()
    desk.expect_no_sheet()
    expect(players).to_have_count(2)
