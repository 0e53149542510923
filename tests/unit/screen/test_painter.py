from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.screen.models import (
    CellSize,
    ColourDepth,
    GameScreen,
    MenuItem,
    MenuScreen,
    PageScreen,
    Palette,
    Taste,
    Terminal,
    Typing,
)
from jminesweeper.screen.painter import AnsiPainter
from tests.unit.screen.examples import TERMINAL, Player, covered, screen_of

PACKET_BYTES = 5 + 3
"""Type and length of a packet, and flags and cursor of a patch."""
CORNER = Cell(199, 99)
MOVE_BYTES, CLOCK_BYTES, REVEAL_BYTES = 16, 24, 100
KEYS = (("RETURN", "reveal"), ("SPACE", "flag"))
MENU = MenuScreen("Menu", [MenuItem("New game"), MenuItem("Load")], 0)
DEPTHS = pytest.mark.parametrize("depth", ColourDepth)
PRESET_SIZES = [(9, 9, 10), (16, 16, 40), (30, 16, 99)]


def wire_bytes(painter: AnsiPainter, model: GameScreen) -> int:
    patch = painter.paint(model)
    assert not patch.is_full
    return PACKET_BYTES + len(patch.grounds) + len(patch.text)


def describe(game: Game, cursor: Cell, elapsed_ms: int) -> GameScreen:
    safe = game.setup.size.cells - game.setup.mine_count
    return GameScreen(
        game.view,
        cursor,
        f"expert {game.setup.size}",
        elapsed_ms,
        solved_share=game.visible.bit_count() / safe,
        clock_runs=True,
        keys=KEYS,
    )


@DEPTHS
@pytest.mark.parametrize(("columns", "rows", "mines"), PRESET_SIZES)
def test_play_keeps_to_its_budget_of_bytes(
    columns: int, rows: int, mines: int, depth: ColourDepth
) -> None:
    painter = AnsiPainter(replace(TERMINAL, colours=depth), Taste())
    game = Game(Setup.of(Size(columns, rows), mines, PRESETS["classic"], seed=11))
    clock_ms = 598_000
    painter.paint(describe(game, Cell(0, 0), clock_ms))
    cells = list(game.grid.cells(game.reveal_truth().safe))
    random.Random(3).shuffle(cells)
    ordinary = 0
    for cell in cells:
        assert wire_bytes(painter, describe(game, cell, clock_ms)) <= MOVE_BYTES
        clock_ms += 1_000
        assert wire_bytes(painter, describe(game, cell, clock_ms)) <= CLOCK_BYTES
        before = game.visible
        game.reveal(cell, clock_ms)
        clock_ms += 1_000
        sent = wire_bytes(painter, describe(game, cell, clock_ms))
        if game.status is not Status.ONGOING:
            break
        if (game.visible ^ before).bit_count() == 1:
            ordinary += 1
            assert sent <= REVEAL_BYTES
    assert ordinary >= 9


@DEPTHS
def test_steps_on_the_largest_field_keep_to_the_budget_while_the_window_stays(
    depth: ColourDepth,
) -> None:
    painter = AnsiPainter(replace(TERMINAL, colours=depth), Taste())
    game = covered(Size(255, 255))
    cheap, steps = 0, [Cell(column, 3) for column in range(255)]
    steps += [Cell(254, row) for row in range(3, 255)]
    painter.paint(describe(game, steps[0], 0))
    for cell in steps[1:]:
        sent = wire_bytes(painter, describe(game, cell, 0))
        cheap += sent <= MOVE_BYTES
    assert cheap / len(steps) > 0.9


def test_the_first_patch_is_full_and_the_next_is_not() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    assert painter.paint(screen_of("? ?")).is_full
    assert not painter.paint(screen_of("? ?", (1, 0))).is_full


def test_a_patch_is_full_after_whatever_leaves_the_screen_in_doubt() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    painter.paint(MENU)
    painter.forget()
    assert painter.paint(MENU).is_full
    painter.resize(Terminal(100, 30))
    assert painter.paint(MENU).is_full
    painter.dress(Taste(Palette.MONOCHROME))
    assert painter.paint(MENU).is_full


@pytest.mark.requirement("J:packet MOVE_RIGHT")
def test_a_move_sends_the_cursor_and_no_text() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    before = painter.paint(screen_of("? ?"))
    after = painter.paint(screen_of("? ?", (1, 0)))
    assert after.text == b""
    assert after.cursor_marked
    assert (after.cursor_row, after.cursor_column) == (before.cursor_row, before.cursor_column + 2)


def test_a_patch_tells_of_cursor_and_clock() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    playing = painter.paint(screen_of("? ?", clock_runs=True))
    assert playing[1:4] == (True, True, True)
    paused = painter.paint(screen_of("? ?", is_paused=True))
    assert paused[1:4] == (False, False, False)


def test_the_selected_cell_is_in_marks_and_the_last_marks_are_gone() -> None:
    player = Player()
    player.see(screen_of("? 1 ?"))
    assert any("│[ ]1    │" in line for line in player.terminal.lines)
    player.see(screen_of("? 1 ?", (2, 0)))
    assert any("│   1[ ] │" in line for line in player.terminal.lines)


def test_marks_are_gone_when_they_have_no_place_any_more() -> None:
    player = Player()
    for more in ({"debug_mines": 2}, {"hint_cells": 1}, {"is_paused": True}):
        player.see(screen_of("? ?"))
        assert "[" in player.terminal.text
        player.see(screen_of("? ?", **more))
        assert "[" not in player.terminal.text


def test_in_one_column_the_selected_cell_is_reversed() -> None:
    player = Player(taste=Taste(cell_size=CellSize.ONE))
    player.see(screen_of("1 2 3", (1, 0)))
    column, row = player.find("123")
    looks = [player.terminal.look(row, column + place).attributes for place in range(3)]
    assert ["reverse" in look for look in looks] == [False, True, False]
    assert player.terminal.cursor == (row, column + 1)


def test_pointing_finds_cells_and_items_and_nothing_else() -> None:
    player = Player()
    assert player.painter.locate(0, 0) is None
    player.see(screen_of("1 2 3", (1, 0)))
    column, row = player.find("1[2]3")
    assert [player.painter.locate(column + 2 * place, row) for place in range(3)] == [
        Cell(0, 0),
        Cell(1, 0),
        Cell(2, 0),
    ]
    assert player.painter.locate(0, 0) is None
    player.see(MENU)
    assert player.painter.locate(*player.find("Load")) == 1
    player.see(PageScreen("Help", ["text"]))
    assert player.painter.locate(*player.find("text")) is None


@pytest.mark.parametrize(
    ("columns", "rows", "shown"),
    [
        (255, 11, "Make the window at least 40x12"),
        (39, 30, "Make the window at least 40x12"),
        (15, 4, "Make the window at least 40x12"),
        (6, 3, "Make the window"),
        (2, 1, "Ma"),
        (1, 1, "M"),
    ],
)
def test_a_screen_too_small_says_what_to_do(columns: int, rows: int, shown: str) -> None:
    player = Player(Terminal(columns, rows))
    for model in (screen_of("? ?"), MENU, PageScreen("Help", ["text"])):
        assert " ".join(filter(None, player.see(model))) == shown
        assert player.painter.locate(0, 0) is None
    assert not player.painter.paint(MENU).cursor_shown


def test_the_game_continues_when_the_screen_is_large_enough_again() -> None:
    player = Player(Terminal(10, 5))
    player.see(screen_of("? ?"))
    player.painter.resize(TERMINAL)
    player.terminal.resize(80, 24)
    player.see(screen_of("? ?"))
    assert "[ ]" in player.terminal.text


@pytest.mark.parametrize("side", [256, 65_535])
def test_a_screen_beyond_255_columns_and_rows_is_used_up_to_there(side: int) -> None:
    patch = AnsiPainter(Terminal(side, side), Taste()).paint(
        screen_of(covered(Size(255, 255)), (254, 254))
    )
    assert max(patch.cursor_row, patch.cursor_column) <= 254


def cursor_marks(player: Player) -> list[str]:
    """How the columns left and right of the cursor look."""
    row, column = player.terminal.cursor
    return [player.terminal.look(row, column + beside).attributes for beside in (-1, 1)]


def test_marks_leave_the_tiles_under_them_as_they_were() -> None:
    player = Player()
    player.see(screen_of("? ? ?\n? ? ?\n1 1 ?"))
    before = player.terminal.looks()
    for cursor in ((1, 0), (1, 1), (1, 2), (2, 2), (0, 0)):
        player.see(screen_of("? ? ?\n? ? ?\n1 1 ?", cursor))
        assert all("on ffd700" in attributes for attributes in cursor_marks(player))
    assert player.terminal.looks() == before


def test_a_client_that_knows_nothing_of_tiles_gets_a_cursor_that_is_painted() -> None:
    player = Player(replace(TERMINAL, keeps_tiles=False))
    for cursor in ((0, 0), (1, 0)):
        patch = player.painter.paint(screen_of("1 2", cursor))
        player.terminal.apply(patch)
        assert (patch.cursor_marked, patch.grounds) == (False, b"")
        row, column = player.terminal.cursor
        assert "reverse" in player.terminal.look(row, column).attributes


@pytest.mark.parametrize(
    ("terminal", "taste"),
    [
        (replace(TERMINAL, colours=ColourDepth.SIXTEEN), Taste()),
        (replace(TERMINAL, colours=ColourDepth.NONE), Taste()),
        (replace(TERMINAL, has_unicode=False), Taste()),
        (TERMINAL, Taste(Palette.MONOCHROME)),
        (TERMINAL, Taste(has_unicode=False)),
    ],
)
def test_the_spare_look_has_no_backgrounds(terminal: Terminal, taste: Taste) -> None:
    patch = AnsiPainter(terminal, taste).paint(screen_of("1 2 F ?"))
    assert b"48;" not in patch.text
    assert b"38;" not in patch.text
    assert patch.grounds == b""
    assert patch.cursor_marked


@pytest.mark.requirement("C:Visual Feedback")
@pytest.mark.parametrize("has_unicode", [True, False])
def test_what_the_terminal_cannot_show_is_not_sent(has_unicode: bool) -> None:
    terminal = replace(TERMINAL, has_unicode=has_unicode)
    text = AnsiPainter(terminal, Taste()).paint(screen_of("? F")).text
    assert text.isascii() != has_unicode


def test_without_colours_none_is_sent() -> None:
    terminal = replace(TERMINAL, colours=ColourDepth.NONE)
    text = AnsiPainter(terminal, Taste()).paint(screen_of("1 2 3 F ?", message=MENU.message)).text
    assert b"38;" not in text


def test_a_page_that_was_scrolled_too_far_tells_where_it_stopped() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    page = PageScreen("Page", [f"line {number}" for number in range(40)], 99)
    painter.paint(page)
    assert painter.first_line == 40 - 21
    painter.paint(page._replace(first_line=3))
    assert painter.first_line == 3


def test_a_patch_says_whether_letters_are_text() -> None:
    painter = AnsiPainter(TERMINAL, Taste())
    field = MenuScreen("Save", [MenuItem("Name", "one", typing=Typing.TEXT)], 0)
    assert [painter.paint(model).takes_text for model in (MENU, field, MENU)] == [
        False,
        True,
        False,
    ]


def test_another_size_is_laid_out_anew() -> None:
    player = Player()
    player.see(screen_of(covered(Size(60, 10))))
    lines = player.see(screen_of(covered(Size(9, 9))))
    assert sum(line.strip().startswith("│") for line in lines) == 9


def test_a_menu_is_composed_once_for_all_terminals_of_a_kind() -> None:
    menu = MenuScreen("Kept", [MenuItem("New game"), MenuItem("Load")], 0)
    again = MenuScreen("Kept", [MenuItem("New game"), MenuItem("Load")], 0)
    painters = [AnsiPainter(TERMINAL, Taste()) for _ in range(2)]
    texts = [
        painter.paint(model).text for painter, model in zip(painters, (menu, again), strict=True)
    ]
    assert texts[0] is texts[1]
    changed = painters[0].paint(menu._replace(items=(MenuItem("New game"), MenuItem("Lend"))))
    assert b"en" in changed.text


@pytest.mark.parametrize("elapsed_ms", [0, 9_000])
def test_another_part_of_a_board_is_shown_though_nothing_else_has_changed(elapsed_ms: int) -> None:
    game = covered(Size(200, 100))
    game.reveal(Cell(0, 0))
    ended = screen_of(game, (1, 1))
    later = ended._replace(elapsed_ms=elapsed_ms)
    for move in (
        partial(AnsiPainter.pan, columns=30, rows=0),
        partial(AnsiPainter.show, cell=CORNER),
    ):
        player = Player()
        before = player.see(ended)
        move(player.painter)
        moved = player.see(later)
        assert moved[3:-3] != before[3:-3]
        assert player.see(later) == moved
