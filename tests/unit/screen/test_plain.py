from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.screen.models import (
    GameScreen,
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Typing,
)
from jminesweeper.screen.plain import format_plain, parse_plain_entries, parse_plain_field
from tests.property.core_strategies import actions, setups
from tests.unit.core.boards import play
from tests.unit.screen.examples import screen_of

DOCUMENT = Path(__file__).parents[3] / "docs" / "plain-format.md"
MENU = MenuScreen(
    "Settings",
    [
        MenuItem("Board", "expert", is_adjustable=True),
        MenuItem("Columns", "30", is_adjustable=True, note="How wide a board of your own is."),
        MenuItem("Load", is_enabled=False),
    ],
    1,
    Message("All is well."),
)


def lines(model: GameScreen | MenuScreen | PageScreen) -> list[str]:
    return format_plain(model).splitlines()


def test_a_game_is_written_line_by_line() -> None:
    model = screen_of(
        "F ? ?\n. 1 2",
        (2, 1),
        label="beginner 3x2",
        elapsed_ms=42_900,
        solved_share=0.129,
        message=Message("Reveal every cell that holds no mine."),
        state="assisted",
    )
    assert lines(model) == [
        "JMinesweeper beginner 3x2",
        "screen: game",
        "state: playing",
        "remark: assisted",
        "size: 3x2",
        "mines: 1",
        "mines left: 0",
        "clock: 42 s",
        "solved: 12 %",
        "cursor: 2 1",
        "field:",
        "    0 1 2",
        "  0 F ? ?",
        "  1 . 1 2",
        "message: Reveal every cell that holds no mine.",
    ]


def test_column_numbers_are_written_downwards() -> None:
    shown = lines(screen_of("?" * 12))
    start = shown.index("field:")
    assert shown[start + 1 : start + 4] == [
        "                        1 1",
        "    0 1 2 3 4 5 6 7 8 9 0 1",
        "  0 ? ? ? ? ? ? ? ? ? ? ? ?",
    ]


def test_a_hint_names_its_cells() -> None:
    hinted = lines(screen_of("? ?\n? ?", hint_cells=0b1001))
    assert "hint: 0 0, 0 1" in hinted


def test_a_pause_hides_the_field() -> None:
    paused = format_plain(screen_of("? F", is_paused=True))
    assert "state: paused" in paused
    assert parse_plain_field(paused) is None


def test_debug_mode_is_told_in_small_letters_and_keeps_flags() -> None:
    game = play("*.*.", "classic", "flag 0 0", "flag 1 0")
    text = format_plain(screen_of(game, debug_mines=game.reveal_truth().mines))
    assert "  0 f F b ?" in text
    assert parse_plain_field(text) == game.view


@pytest.mark.requirement("C:Losing Condition")
def test_a_lost_field_tells_everything_apart() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    shown = lines(screen_of(play("**..*\n.....", "classic", *moves), summary=("3BV 4", "IOE 1")))
    assert "state: lost" in shown
    assert shown[shown.index("field:") + 2 :] == [
        "  0 X F ? ! B",
        "  1 ? ? ? ? 1",
        "figure: 3BV 4",
        "figure: IOE 1",
    ]


@pytest.mark.parametrize(
    ("moves", "state"),
    [(("reveal 1 0",), "won"), (("reveal 0 0",), "lost"), ((), "given up")],
)
def test_the_state_says_how_the_game_ended(moves: tuple[str, ...], state: str) -> None:
    game = play("*.", "kata", *moves)
    game.terminate()
    assert f"state: {state}" in lines(screen_of(game))


def test_a_menu_is_a_numbered_list() -> None:
    assert lines(MENU) == [
        "JMinesweeper Settings",
        "screen: menu",
        "   1. Board  < expert >",
        ">  2. Columns  < 30 >",
        "   3. (Load)",
        "note: How wide a board of your own is.",
        "message: All is well.",
    ]


def test_a_menu_may_say_nothing_more() -> None:
    assert lines(MenuScreen("Menu", [MenuItem("Go")], 0)) == [
        "JMinesweeper Menu",
        "screen: menu",
        ">  1. Go",
    ]
    assert lines(MenuScreen("Menu", [], 0)) == ["JMinesweeper Menu", "screen: menu"]


def test_what_can_be_typed_is_in_brackets_and_figures_follow_the_label() -> None:
    figures = ("easy 20x10", "37%", "", "2026-11-18")
    items = [
        MenuItem("Name", "my game", typing=Typing.TEXT),
        MenuItem("Columns", "30", is_adjustable=True, typing=Typing.DIGITS),
        MenuItem("one", figures=figures),
    ]
    assert lines(MenuScreen("Menu", items, 0))[2:] == [
        ">  1. Name  [my game]",
        "   2. Columns  < 30 >",
        "   3. one  easy 20x10  37%  2026-11-18",
    ]


def test_figures_of_a_page_are_as_wide_as_they_are() -> None:
    page = PageScreen("Statistics", ["sums", Listing(("", "played"), [("x" * 90, "12")])])
    assert lines(page)[-2:] == [f"{'':90}  played", f"{'x' * 90}      12"]


def test_a_page_is_written_whole_however_far_it_is_scrolled() -> None:
    page = PageScreen("Help", ["one", "state: won"], 1, Message("Hi"))
    assert lines(page) == [
        "JMinesweeper Help",
        "screen: page",
        "message: Hi",
        "text:",
        "one",
        "state: won",
    ]
    assert parse_plain_field(format_plain(page)) is None


@given(text=st.text())
def test_no_text_from_outside_adds_a_line_or_a_control_sequence(text: str) -> None:
    menu = MENU._replace(title=text, message=Message(f"Hi{text}"), items=[MenuItem(text, text)])
    game = screen_of("? ?", label=text, state=f"x{text}", message=Message(f"x{text}"))
    for model, count in ((menu, 4), (game, 13)):
        written = format_plain(model).split("\n")
        assert len(written) == count + 1
        assert all(line.isprintable() for line in written)


@given(data=st.data(), setup=setups(20))
def test_any_position_is_read_as_it_was_written(data: st.DataObject, setup: Setup) -> None:
    game = Game(setup)
    for _ in range(data.draw(st.integers(0, 12))):
        game.apply(data.draw(actions(setup.size)), 0)
    text = format_plain(screen_of(game))
    # A question mark means something to its player only; it is read as a covered cell.
    assert parse_plain_field(text) == replace(game.view, questioned=0)


def test_the_largest_field_is_read_as_it_was_written() -> None:
    game = play("\n".join(["*" + "." * 254] * 255), "classic", "reveal 200 100", "flag 0 254")
    assert parse_plain_field(format_plain(screen_of(game))) == game.view


def test_entries_are_read_by_name() -> None:
    entries = parse_plain_entries(format_plain(screen_of("? ?\n? 1", (1, 1))))
    assert entries["cursor"] == "1 1"
    assert entries["size"] == str(Size(2, 2))
    assert Cell(*map(int, entries["cursor"].split())) == Cell(1, 1)


def test_of_several_entries_with_one_name_the_first_counts() -> None:
    page = PageScreen("Help", ["message: no"], message=Message("yes"))
    assert parse_plain_entries(format_plain(page))["message"] == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "JMinesweeper x\nfield:\n    0\n  0 ?\n",
        "JMinesweeper x\nmines: 1\nstate: asleep\nfield:\n  0 ?\n",
        "JMinesweeper x\nmines: many\nstate: won\nfield:\n  0 ?\n",
        "JMinesweeper x\nmines: 1\nstate: playing\nfield:\n  0 w\n",
        "JMinesweeper x\nmines: 1\nstate: playing\nfield:\n",
        "JMinesweeper x\nmines: 1\nstate: playing\nfield:\n  0 ? ?\n  1 ?\n",
    ],
)
def test_a_field_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_plain_field(text)


def test_the_document_shows_what_is_written() -> None:
    blocks = DOCUMENT.read_text(encoding="utf-8").split("```text\n")[1:]
    game, menu, _ = (block.partition("```")[0] for block in blocks)
    view = parse_plain_field(game)
    assert view is not None
    told = GameScreen(
        view,
        Cell(2, 1),
        "beginner 9x9",
        42_000,
        Message("Reveal every cell that holds no mine."),
        solved_share=0.12,
    )
    assert format_plain(told) == game
    assert format_plain(MENU) == menu
