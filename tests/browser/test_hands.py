"""Fingers and a mouse on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import pytest
from playwright.sync_api import expect

from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from tests.browser.page_player import BEGINNER, KnownGame, PagePlayer

MouseButton: TypeAlias = Literal["left", "middle", "right"]

FIRST = Cell(4, 4)
EXPERT = format_seed_code(Setup(CLASSIC_BOARDS["expert"], seed=5))


def begin(player: PagePlayer) -> KnownGame:
    """Open the first cell of the board that is known."""
    player.open(BEGINNER)
    game = KnownGame()
    game.reveal(*FIRST)
    player.cell(*FIRST).click()
    player.expect_cell(*FIRST, game.name(FIRST))
    return game


def satisfied_number(game: KnownGame) -> tuple[Cell, Cell]:
    """Find an open 1 with another safe covered neighbour beside its mine; return both."""
    grid = game.game.grid
    for cell in grid.cells(game.game.visible):
        around = list(grid.cells(grid.neighbours(grid.bit(cell))))
        mines = [one for one in around if one in game.mines]
        safe = [one for one in around if one in game.covered()]
        if game.name(cell) == "1" and safe:
            return cell, mines[0]
    raise AssertionError("the board of the tests has no such place")


@pytest.mark.requirement("C:Mobile Support")
def test_a_tap_opens_a_cell_and_what_belongs_to_it(finger: PagePlayer) -> None:
    game = begin(finger)
    assert finger.names() == {cell: game.name(cell) for cell in finger.names()}
    assert len(finger.names()) == 81


@pytest.mark.requirement("C:Mobile Support")
def test_a_press_that_lasts_flags_and_does_not_open(finger: PagePlayer) -> None:
    game = begin(finger)
    mine = game.mines[0]
    finger.hold(*mine, "flag")
    expect(finger.left).to_have_text("9")
    finger.hold(*mine, "covered")
    expect(finger.left).to_have_text("10")


def test_a_press_shows_that_it_is_long_enough_before_it_counts(finger: PagePlayer) -> None:
    game = begin(finger)
    finger.page.evaluate("() => { navigator.vibrate = (ms) => (window.vibrated = ms); }")
    cue = finger.page.locator(".cell.hold")
    mine = game.mines[0]
    finger.touch("touchStart", finger.middle(*mine))
    expect(cue).to_have_count(1)
    finger.pass_time(399)
    finger.expect_cell(*mine, "covered")
    expect(cue).to_have_count(1)
    finger.pass_time(1)
    finger.expect_cell(*mine, "flag")
    expect(cue).to_have_count(0)
    assert finger.page.evaluate("window.vibrated") == 25
    finger.touch("touchEnd")


def test_vibration_can_be_switched_off(phone: PagePlayer) -> None:
    phone.page.evaluate("() => { navigator.vibrate = (ms) => (window.vibrated = ms); }")
    phone.page.get_by_role("button", name="menu").tap()
    phone.choose("Settings")
    phone.sheet.get_by_label("Vibration").uncheck()
    for _ in range(2):
        phone.sheet.get_by_role("button", name="back").tap()
    phone.expect_no_sheet()
    phone.press("f")
    phone.expect_cell(0, 0, "flag")
    assert phone.page.evaluate("window.vibrated") is None


def test_a_finger_that_moves_away_opens_and_flags_nothing(finger: PagePlayer) -> None:
    game = begin(finger)
    before = finger.names()
    x, y = finger.middle(*game.covered()[0])
    finger.touch("touchStart", (x, y))
    finger.touch("touchMove", (x, y + 14))
    expect(finger.page.locator(".cell.hold")).to_have_count(0)
    finger.touch("touchMove", (x, y + 60))
    finger.touch("touchEnd")
    finger.catch_up()
    assert finger.names() == before


def test_a_finger_that_trembles_still_opens(finger: PagePlayer) -> None:
    game = begin(finger)
    cell = game.covered()[0]
    # All at once: on a slow machine the browser itself may find the time between two touches long.
    finger.cell(*cell).evaluate(
        """
        (cell, [x, y]) => {
          const touch = (kind, moved) => cell.dispatchEvent(new PointerEvent(kind, {
            pointerType: 'touch', isPrimary: true, bubbles: true,
            clientX: x + moved, clientY: y + moved}));
          touch('pointerdown', 0);
          for (const kind of ['pointermove', 'pointerup', 'click']) touch(kind, 6);
        }
        """,
        finger.middle(*cell),
    )
    game.reveal(*cell)
    finger.expect_cell(*cell, game.name(cell))


def test_a_finger_that_trembles_still_flags(finger: PagePlayer) -> None:
    game = begin(finger)
    mine = game.mines[0]
    x, y = finger.middle(*mine)
    finger.touch("touchStart", (x, y))
    finger.touch("touchMove", (x + 4, y + 3))
    finger.pass_time(400)
    finger.expect_cell(*mine, "flag")
    finger.touch("touchEnd")


@pytest.mark.requirement("C:Mobile Support")
def test_scrolling_a_board_larger_than_the_screen_is_no_press(finger: PagePlayer) -> None:
    finger.play_custom(60, 60, 400)
    x, y = finger.middle(25, 28)
    finger.touch("touchStart", (x, y))
    for step in range(1, 12):
        finger.touch("touchMove", (x, y - 25 * step))
    finger.touch("touchEnd")
    expect(finger.cell(25, 15)).not_to_be_in_viewport()
    finger.catch_up()
    expect(finger.page.locator(".cell.open")).to_have_count(0)


def test_a_tap_on_a_number_with_all_its_flags_opens_the_rest(finger: PagePlayer) -> None:
    game = begin(finger)
    number, mine = satisfied_number(game)
    finger.hold(*mine, "flag")
    finger.cell(*number).tap()
    expect(finger.page.locator(".tile:not(.flag)")).not_to_have_count(0)
    around = game.game.grid.neighbours(game.game.grid.bit(number))
    for cell in game.game.grid.cells(around):
        if cell != mine:
            expect(finger.cell(*cell)).not_to_have_attribute(
                "aria-label", f"covered ({cell.column},{cell.row})"
            )


def test_in_flag_mode_a_tap_flags_and_a_long_press_opens(finger: PagePlayer) -> None:
    game = begin(finger)
    mode = finger.page.get_by_role("button", name="flag mode")
    mode.tap()
    expect(mode).to_have_attribute("aria-pressed", "true")
    finger.cell(*game.mines[0]).tap()
    finger.expect_cell(*game.mines[0], "flag")
    cell = game.covered()[0]
    game.reveal(*cell)
    finger.hold(*cell, game.name(cell))


def test_the_meaning_of_a_tap_can_be_swapped_for_good(finger: PagePlayer) -> None:
    finger.press("m")
    finger.choose("Settings")
    finger.sheet.get_by_label("Tap flags, hold opens").check()
    finger.open()
    finger.cell(0, 0).tap()
    finger.expect_cell(0, 0, "flag")


@pytest.mark.parametrize("ms", [250, 600])
def test_how_long_a_press_lasts_can_be_set_for_good(finger: PagePlayer, ms: int) -> None:
    finger.press("m")
    finger.choose("Settings")
    finger.sheet.get_by_label("Hold for").select_option(str(ms))
    finger.open()
    hold = finger.page.evaluate("document.documentElement.style.getPropertyValue('--hold')")
    assert hold == f"{ms}ms"
    finger.touch("touchStart", finger.middle(0, 0))
    finger.pass_time(ms - 1)
    expect(finger.page.locator(".cell.hold")).to_have_count(1)
    finger.pass_time(1)
    finger.expect_cell(0, 0, "flag")
    finger.touch("touchEnd")


def test_two_fingers_zoom_and_press_nothing(finger: PagePlayer) -> None:
    x, y = finger.middle(4, 4)
    before = finger.box(finger.cell(4, 4))
    finger.touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 8):
        finger.touch("touchMove", (x - 30 - 8 * step, y), (x + 30 + 8 * step, y))
    finger.touch("touchEnd")
    expect(finger.cell(4, 4)).to_have_css("width", "110px")  # The most there is.
    after = finger.box(finger.cell(4, 4))
    assert abs(after["x"] + after["width"] / 2 - x) < before["width"]
    finger.catch_up()
    expect(finger.page.locator(".cell.open, .cell.flag")).to_have_count(0)


def test_the_left_button_opens_and_the_right_one_or_ctrl_flags(desk: PagePlayer) -> None:
    game = begin(desk)
    one, other = game.mines[:2]
    desk.cell(*one).click(button="right")
    desk.expect_cell(*one, "flag")
    desk.cell(*other).click(modifiers=["Control"])
    desk.expect_cell(*other, "flag")
    cell = game.covered()[0]
    desk.cell(*cell).click()
    game.reveal(*cell)
    desk.expect_cell(*cell, game.name(cell))


def test_a_mouse_dragged_off_a_cell_opens_nothing(desk: PagePlayer) -> None:
    game = begin(desk)
    before = desk.names()
    desk.page.mouse.move(*desk.middle(*game.covered()[0]))
    desk.page.mouse.down()
    desk.page.mouse.move(5, 5)
    desk.page.mouse.up()
    desk.catch_up()
    assert desk.names() == before


@pytest.mark.parametrize("buttons", [("middle",), ("left", "right"), ("right", "left")])
def test_the_middle_button_or_both_chord(desk: PagePlayer, buttons: Sequence[MouseButton]) -> None:
    game = begin(desk)
    number, mine = satisfied_number(game)
    desk.cell(*mine).click(button="right")
    desk.expect_cell(*mine, "flag")
    desk.page.mouse.move(*desk.middle(*number))
    for button in buttons:
        desk.page.mouse.down(button=button)
    for button in buttons:
        desk.page.mouse.up(button=button)
    grid = game.game.grid
    for cell in grid.cells(grid.neighbours(grid.bit(number)) & ~grid.bit(mine)):
        expect(desk.cell(*cell)).not_to_have_class("tile")
        expect(desk.cell(*cell)).not_to_have_attribute(
            "aria-label", f"covered ({cell.column},{cell.row})"
        )
    desk.expect_cell(*number, "1")


def test_a_press_on_a_number_shows_which_cells_it_is_about(desk: PagePlayer) -> None:
    game = begin(desk)
    number, _ = satisfied_number(game)
    desk.page.mouse.move(*desk.middle(*number))
    desk.page.mouse.down(button="middle")
    expect(desk.page.locator(".near")).not_to_have_count(0)
    desk.page.mouse.up(button="middle")
    expect(desk.page.locator(".near")).to_have_count(0)
    # It lacks a flag, so the cells blink once more.
    expect(desk.page.locator(".flash")).not_to_have_count(0)


def test_the_wheel_with_ctrl_zooms(desk: PagePlayer) -> None:
    before = desk.box(desk.cell(4, 4))
    desk.page.mouse.move(*desk.middle(4, 4))
    desk.page.keyboard.down("Control")
    desk.page.mouse.wheel(0, 300)
    desk.page.keyboard.up("Control")
    expect(desk.cell(4, 4)).not_to_have_css("width", f"{before['width']:g}px")
    after = desk.box(desk.cell(4, 4))
    assert after["width"] < before["width"]


def test_a_press_while_the_game_is_paused_continues(phone: PagePlayer) -> None:
    game = begin(phone)
    phone.press("p")
    phone.expect_state("paused")
    assert set(phone.names().values()) == {"hidden"}
    phone.cell(0, 0).tap()
    phone.expect_state("playing")
    assert phone.names() == {cell: game.name(cell) for cell in phone.names()}


def test_where_four_cells_meet_each_has_its_corner(desk: PagePlayer) -> None:
    box = desk.box(desk.cell(4, 4))
    for across, down, name in (
        (0, 0, "flag"),
        (1, 0, "covered"),
        (0, 1, "flag"),
        (1, 1, "covered"),
    ):
        desk.page.mouse.click(
            box["x"] + across * (box["width"] - 1) + 0.5,
            box["y"] + down * (box["height"] - 1) + 0.5,
            button="right",
        )
        desk.expect_cell(4, 4, name)


def test_two_thumbs_play_at_once(finger: PagePlayer) -> None:
    game = begin(finger)
    one, two = game.covered()[0], game.mines[-1]
    first, second = finger.middle(*one), finger.middle(*two)
    finger.fingers("touchStart", {1: first})
    finger.fingers("touchStart", {1: first, 2: second})
    finger.fingers("touchEnd", {1: first})
    game.reveal(*one)
    finger.expect_cell(*one, game.name(one))
    finger.pass_time(400)
    finger.expect_cell(*two, "flag")
    finger.fingers("touchEnd", {})


def test_a_finger_that_rests_elsewhere_takes_no_tap_away(finger: PagePlayer) -> None:
    game = begin(finger)
    cell = game.covered()[0]
    rest = finger.box(finger.message)
    resting = (rest["x"] + 5, rest["y"] + 5)
    finger.fingers("touchStart", {1: resting})
    finger.fingers("touchStart", {1: resting, 2: finger.middle(*cell)})
    finger.fingers("touchEnd", {2: finger.middle(*cell)})
    game.reveal(*cell)
    finger.expect_cell(*cell, game.name(cell))
    finger.fingers("touchEnd", {})


def test_a_late_tap_throws_no_lost_board_away(finger: PagePlayer) -> None:
    game = begin(finger)
    mode = finger.page.get_by_role("button", name="flag mode")
    place = finger.box(mode)
    finger.cell(*game.mines[0]).tap()
    finger.expect_state("lost")
    assert finger.box(mode) == place
    again = finger.page.get_by_role("button", name="play again")
    face = finger.page.get_by_role("button", name="New game")
    finger.pass_time(499)
    again.tap()
    face.tap()
    finger.expect_state("lost")
    finger.pass_time(1)
    again.tap()
    finger.expect_state("playing")


@pytest.mark.parametrize("is_mine_below", [True, False], ids=["below", "above"])
def test_the_mine_that_ended_the_game_is_in_sight(phone: PagePlayer, is_mine_below: bool) -> None:
    phone.open(EXPERT)
    game = KnownGame(EXPERT)
    game.reveal(0, 0)
    phone.press("Enter")
    phone.expect_cell(0, 0, game.name(Cell(0, 0)))
    mines = sorted(game.mines, key=lambda cell: (cell.row, cell.column))
    mine = mines[-1 if is_mine_below else 0]
    # By the keyboard's cursor, which is out of sight.
    phone.walk(Cell(0, 0), mine)
    phone.page.evaluate(
        "(top) => document.getElementById('view').scrollTo(0, top)", 0 if is_mine_below else 9999
    )
    phone.press("Enter")
    phone.expect_state("lost")
    expect(phone.page.locator(".fatal")).to_be_in_viewport(ratio=1)


def test_a_tile_sinks_before_the_answer_comes(slow_desk: PagePlayer) -> None:
    slow_desk.open(BEGINNER)
    sunk = slow_desk.page.locator(".sunk")
    with slow_desk.late_answers():
        slow_desk.cell(4, 4).click()
        expect(sunk).to_have_attribute("aria-label", "covered (4,4)")
        slow_desk.cell(0, 2).click(button="right")
        expect(slow_desk.page.locator(".flagging")).to_have_attribute("aria-label", "covered (0,2)")
        slow_desk.await_late_answers(2)
    slow_desk.expect_cell(4, 4, "1")
    slow_desk.expect_cell(0, 2, "flag")
    expect(slow_desk.page.locator(".sunk, .flagging")).to_have_count(0)


def test_a_tile_that_stays_closed_springs_back(slow_desk: PagePlayer) -> None:
    slow_desk.press("p")
    slow_desk.expect_state("paused")
    slow_desk.press("p")
    slow_desk.expect_state("playing")
    with slow_desk.late_answers():
        slow_desk.press("p")
        slow_desk.cell(4, 4).click()
        expect(slow_desk.page.locator(".sunk")).to_have_count(1)
        slow_desk.await_late_answers(2)
    expect(slow_desk.page.locator(".sunk")).to_have_count(0)
    expect(slow_desk.page.locator(".cell.open")).to_have_count(0)


def test_keys_after_a_menu_was_asked_for_are_for_the_menu(slow_desk: PagePlayer) -> None:
    with slow_desk.late_answers():
        slow_desk.press("m", "ArrowDown", "ArrowDown")
        slow_desk.await_late_answers(1)
    expect(slow_desk.sheet.locator("button:focus")).to_contain_text("Board of the day")
