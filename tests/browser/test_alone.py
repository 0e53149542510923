"""One person on the page, and the games of before: replayed, and raced against."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from playwright.sync_api import expect

from jminesweeper.core.grid import Grid
from jminesweeper.core.seedcode import daily_setup
from tests.browser.page_player import PagePlayer
from tests.browser.test_together import finish

DAY = daily_setup(datetime.now(UTC).date(), "beginner")


def walk(player: PagePlayer, *rows: str) -> None:
    player.press("m")
    for row in rows:
        player.sheet.get_by_role("button", name=row).first.click()


def open_first(player: PagePlayer) -> None:
    assert DAY.first is not None
    player.cell(*DAY.first).click()
    expect(player.cell(*DAY.first)).to_have_class(re.compile("open"))


def test_the_days_board_is_won_replayed_and_raced_against(desk: PagePlayer) -> None:
    walk(desk, "Board of the day", "Beginner")
    expect(desk.label).to_contain_text("daily beginner")
    open_first(desk)
    finish(desk, DAY.minefield())
    desk.expect_state("won")

    expect(desk.message).to_contain_text("today.")
    desk.page.evaluate("() => (navigator.share = ({text, url}) => (window.shared = [text, url]))")
    desk.page.get_by_role("button", name="share").click()
    desk.until("window.shared")
    text, url = desk.page.evaluate("window.shared")
    assert text.startswith(f"JMinesweeper beginner {DAY.variant.daily}: won in ")
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
    open_first(desk)
    expect(players.nth(1)).not_to_contain_text(" 0 %")
    mine = next(iter(Grid.of(DAY.size).cells(DAY.minefield().mines)))
    desk.cell(*mine).click()
    desk.expect_title("The race is over")
    expect(desk.sheet.get_by_role("row").nth(1)).to_contain_text("1. Your best")
    desk.sheet.get_by_role("button", name="race again").click()
    desk.expect_no_sheet()
    expect(players).to_have_count(2)
