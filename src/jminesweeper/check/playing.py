"""Checks of the game in version 1: reveals, the flood, win and loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from jminesweeper.check.deviation import DeviationError, NotApplicableError, expect
from jminesweeper.check.fields import expect_change, expect_no_change
from jminesweeper.check.player import EMPTY, HIDDEN, MINE, OPENED, ScreenPlayer
from jminesweeper.check.replies import COMMANDS_OF_VERSION_1
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import Level
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command

MINES_OF_LEVELS: Final = ((1, 10), (2, 50), (3, 90))
"""On a field of 20x10."""
_SMALL: Final = Size(9, 9)
_FLOODS: Final = 3
_MOST_GAMES: Final = 8
_OPPOSITE: Final[Mapping[Packet, Command]] = {
    Command.MOVE_LEFT: Command.MOVE_RIGHT,
    Command.MOVE_RIGHT: Command.MOVE_LEFT,
    Command.MOVE_UP: Command.MOVE_DOWN,
    Command.MOVE_DOWN: Command.MOVE_UP,
}


def a_lost_game_shows_the_mines_of_its_level(server: ServerUnderTest) -> None:
    for level, mines in MINES_OF_LEVELS:
        player = server.player()
        player.start(20, 10, level)
        player.reveal_until_lost()
        shown = sum(row.count(MINE) for row in player.cells)
        came = f"{shown} mines on 20x10 at level {level}:\n{player.screen_text}"
        expect(shown == mines, came, f"{mines} mines")


def every_number_counts_the_mines_around_it(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        player = server.player()
        player.start(20, 10, level)
        player.reveal_until_lost()
        cells, text = player.cells, player.screen_text
        for row, line in enumerate(cells):
            for column, shown in enumerate(line):
                mines = sum(beside == MINE for beside in around(cells, column, row))
                right = str(mines) if mines else EMPTY
                came = f"{shown!r} in column {column + 1}, row {row + 1}:\n{text}"
                expect(shown in {right, MINE}, came, f"{right!r}: {mines} mines are around it")


def around(cells: Sequence[str], column: int, row: int) -> Iterator[str]:
    """Return the up to eight neighbours of a cell."""
    for beside, below in product((-1, 0, 1), repeat=2):
        x, y = column + beside, row + below
        if (beside or below) and 0 <= y < len(cells) and 0 <= x < len(cells[y]):
            yield cells[y][x]


def an_empty_cell_opens_what_is_above_below_left_and_right(server: ServerUnderTest) -> None:
    player = server.player()
    floods = 0
    for _ in range(_MOST_GAMES):
        player.start(20, 10, 1)
        for before, cell in reveals_until_lost(player):
            floods += player.cells[cell.row][cell.column] == EMPTY
            expect_flood(player, before, cell)
            if floods == _FLOODS:
                return
    raise DeviationError(f"{floods} empty cells in {_MOST_GAMES} games", "more at level 1")


def reveals_until_lost(player: ScreenPlayer) -> Iterator[tuple[list[str], Cell]]:
    """Reveal every hidden cell; the field before each reveal, and the cell, unless it lost."""
    path: list[Packet] = []
    for row in player.rows_of_walk():
        for cell, step in row:
            path += step
            before = player.cells
            if before[cell.row][cell.column] == HIDDEN:
                player.do(*path, Command.REVEAL)
                path = []
                if player.has_lost:
                    return
                yield before, cell


def expect_flood(player: ScreenPlayer, before: Sequence[str], start: Cell) -> None:
    """See that what appeared is what a flood to four neighbours reaches, no less and no more."""
    after = player.cells
    reached: set[Cell] = set()
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        column, row = cell
        if not player.field.size.has(cell) or cell in reached or before[row][column] != HIDDEN:
            continue
        reached.add(cell)
        if after[row][column] == EMPTY:
            steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
            waiting += [Cell(column + right, row + down) for right, down in steps]
    appeared = {
        Cell(column, row)
        for row, line in enumerate(before)
        for column, shown in enumerate(line)
        if shown == HIDDEN != after[row][column]
    }
    name = f"column {start.column + 1}, row {start.row + 1}"
    came = f"a reveal of {name} opened {len(appeared)} cells:\n{player.screen_text}"
    expect(appeared == reached, came, f"{len(reached)} cells: the flood goes to four neighbours")


def revealing_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    player = server.player()
    for _ in range(_MOST_GAMES):
        player.start(20, 10, 1)
        player.do(Command.REVEAL)
        if not player.has_lost:
            expect_no_change(player, Command.REVEAL)
            return
    raise DeviationError(
        f"{_MOST_GAMES} games lost by the first reveal", "mines in 5 % of the cells"
    )


def marking_the_only_mine_wins(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(1, 1, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    # A won game ignores what would lose it or take the mark away.
    expect_no_change(player, *COMMANDS_OF_VERSION_1)
    player.start(2, 1, 1)


def marking_exactly_the_mines_wins(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(_SMALL.columns, _SMALL.rows, Level.EASY.value)
    mines = mines_that_debug_mode_shows(player, Level.EASY.mines(_SMALL))
    walk = [step for row in player.rows_of_walk() for step in row]
    wrong = next(at for at, (cell, _) in enumerate(walk) if cell not in mines)
    last = max(at for at, (cell, _) in enumerate(walk) if cell in mines)
    for at, (cell, path) in enumerate(walk[: last + 1]):
        if path:
            player.do(*path)
        if at == wrong or cell in mines:
            expect_change(player, Command.TOGGLE_BOMB_MARK)
    # With a mark too many the game runs on, until that mark goes.
    way = [packet for _, path in walk[wrong + 1 : last + 1] for packet in path]
    player.do(*[_OPPOSITE[packet] for packet in reversed(way)])
    expect_change(player, Command.TOGGLE_BOMB_MARK)
    expect_no_change(player, *COMMANDS_OF_VERSION_1)


def mines_that_debug_mode_shows(player: ScreenPlayer, count: int) -> set[Cell]:
    """Return the cells with mines; the field is then as it was."""
    plain = player.picture
    player.do(Command.TOGGLE_DEBUG_MODE)
    if player.picture == plain:
        raise NotApplicableError("the server forbids debug mode")
    cells = [cell for row in player.rows_of_walk() for cell, _ in row]
    mines = {cell for cell in cells if MINE in {letter for letter, _ in player.look(cell)}}
    player.do(Command.TOGGLE_DEBUG_MODE)
    if len(mines) != count:
        raise NotApplicableError("debug mode does not show which cells hold mines")
    return mines


def revealing_the_only_mine_loses_and_shows_it(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(1, 1, 3)
    player.do(Command.REVEAL)
    expect(
        player.cells == [MINE], f"this screen:\n{player.screen_text}", f"{MINE} in the only cell"
    )


def after_a_loss_only_start_and_quit_do_anything(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(9, 9, 3)
    player.reveal_until_lost()
    expect_no_change(player, *COMMANDS_OF_VERSION_1)
    player.start(9, 9, 1)
    player.peer.expect_no_more()


def on_a_lost_field_marks_can_be_told_apart(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(30, 16, 3)
    marked, fatal = mark_the_first_row_and_lose(player)
    # The cursor may frame the cell that it is on.
    framed = {fatal, Cell(fatal.column - 1, fatal.row), Cell(fatal.column + 1, fatal.row)}
    cells = {Cell(column, row) for row in range(16) for column in range(30)}
    looks_of_unmarked = {player.look(cell) for cell in cells - marked - framed}
    looks_of_marked = {player.look(cell) for cell in marked - framed}
    came = f"a marked cell looks like one without a mark:\n{player.screen_text}"
    expect(looks_of_marked.isdisjoint(looks_of_unmarked), came, "marks that can still be seen")
    came = f"all marked cells look the same:\n{player.screen_text}"
    expect(
        len(looks_of_marked) > 1, came, "a mine under a mark that can be seen, and where none is"
    )


def mark_the_first_row_and_lose(player: ScreenPlayer) -> tuple[set[Cell], Cell]:
    """Return the cells that are still marked then, and the one that was stepped on."""
    first, *rows = player.rows_of_walk()
    player.do(*[packet for _, path in first for packet in (*path, Command.TOGGLE_BOMB_MARK)])
    for row in rows:
        for cell, path in row:
            # A flood may take marks away.
            marks = player.cells[0]
            player.do(*path, Command.REVEAL)
            if player.has_lost:
                return {Cell(at, 0) for at, mark in enumerate(marks) if mark not in OPENED}, cell
    raise DeviationError(f"no mine was met:\n{player.screen_text}", "mines in 45 % of the cells")


def debug_mode_shows_mines_and_hides_them_again(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(9, 9, 1)
    plain, text = player.picture, player.screen_text
    player.do(Command.TOGGLE_DEBUG_MODE)
    if player.picture == plain:
        raise NotApplicableError("the server forbids debug mode")
    letters = {letter for row in player.picture for letter, _ in row}
    expect(MINE in letters, f"this screen:\n{player.screen_text}", f"mines, shown as {MINE}")
    player.do(Command.TOGGLE_DEBUG_MODE)
    came = f"another field than before debug mode:\n{player.screen_text}"
    expect(player.picture == plain, came, f"the same field:\n{text}")


PLAY_CHECKS: Final = (
    ProtocolCheck(
        a_lost_game_shows_the_mines_of_its_level,
        "7 START: 1 easy, 5 % of the cells are mines; 2 medium, 25 %; 3 hard, 45 %",
    ),
    ProtocolCheck(
        every_number_counts_the_mines_around_it,
        "9 SCREEN_CONTENT: digits for the number of mines in the eight cells around",
    ),
    ProtocolCheck(
        an_empty_cell_opens_what_is_above_below_left_and_right,
        "The game: a cell with none around opens the cells above, below, left and right of it",
    ),
    ProtocolCheck(
        revealing_a_revealed_cell_does_nothing, "The game: REVEAL of a revealed cell does nothing."
    ),
    ProtocolCheck(
        marking_the_only_mine_wins,
        "The game: The game is won when all mines are marked and nothing else.",
    ),
    ProtocolCheck(
        marking_exactly_the_mines_wins,
        "The game: The game is won when all mines are marked and nothing else.",
    ),
    ProtocolCheck(
        revealing_the_only_mine_loses_and_shows_it,
        "The game: REVEAL of a mine loses the game, and the whole field is shown.",
    ),
    ProtocolCheck(
        after_a_loss_only_start_and_quit_do_anything,
        "The game: After its end only START and QUIT do anything.",
    ),
    ProtocolCheck(
        on_a_lost_field_marks_can_be_told_apart,
        "The game: On a lost field both a mark and the mine under it can be seen.",
    ),
    ProtocolCheck(
        debug_mode_shows_mines_and_hides_them_again,
        "Version 1: debug mode, which shows the mines, goes on or off",
    ),
)
