"""Checks of the game in version 1: reveals, the flood, win and loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from jminesweeper.check.fields import expect_change, expect_no_change, expect_same
from jminesweeper.check.player import EMPTY, MINE, OPENED, ScreenPlayer
from jminesweeper.check.replies import COMMANDS
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Checks, DeviationError, NotApplicableError, expect
from jminesweeper.check.wire import DEBUG, DOWN, LEFT, MARK, REVEAL, RIGHT, UP, Packet
from jminesweeper.core.grid import Cell, Size
from jminesweeper.painted import HIDDEN, Look

MINES: Final[Mapping[tuple[int, int], tuple[int, int, int]]] = {
    (20, 10): (10, 50, 90),
    # 4.05, 20.25 and 36.45; 0.75, 3.75 and 6.75; 0.5, 2.5 and 4.5.
    (9, 9): (4, 20, 36),
    (5, 3): (1, 4, 7),
    (10, 1): (1, 3, 5),
}
"""How many there are at each level, rounded half up, and at least one."""
FOUR_SIDES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
_SMALL: Final = Size(9, 9)
_SMALL_MINES: Final = 4
_FLOODS: Final = 3
_MOST_GAMES: Final = 8
_MOST_SMALL_GAMES: Final = 32
"""So many tosses of a coin do not all fail."""
_OPPOSITE: Final[Mapping[Packet, Packet]] = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}

check = Checks[ServerUnderTest]()


@check("7 START: 1 easy, 5 % of the cells are mines; 2 medium, 25 %; 3 hard, 45 %")
def a_lost_game_shows_the_mines_of_its_level(server: ServerUnderTest) -> None:
    for (columns, rows), counts in MINES.items():
        for level, mines in enumerate(counts, 1):
            player = server.game(columns, rows, level)
            player.reveal_until_lost()
            shown = sum(row.count(MINE) for row in player.cells)
            came = f"{shown} mines on {columns}x{rows} at level {level}:\n{player.screen_text}"
            expect(shown == mines, came, f"{mines} mines")


@check("9 SCREEN_CONTENT: digits for the number of mines in the eight cells around")
def every_number_counts_the_mines_around_it(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        player = server.game(20, 10, level)
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


@check("The game: a cell with none around opens the cells above, below, left and right of it")
def an_empty_cell_opens_what_is_above_below_left_and_right(server: ServerUnderTest) -> None:
    # A server may have the same board for each connection.
    player = server.player()
    floods = 0
    for _ in range(_MOST_GAMES):
        player.start(20, 10, 1)
        for before, cell in reveals_until_lost(player):
            floods += player.letter(cell) == EMPTY
            expect_flood(player, before, cell)
            if floods == _FLOODS:
                return
    raise DeviationError(f"{floods} empty cells in {_MOST_GAMES} games", "more at level 1")


@check("The game: It takes marks away there.")
def a_flood_opens_marked_cells_and_takes_their_marks_away(server: ServerUnderTest) -> None:
    player = server.player()
    for _ in range(_MOST_GAMES):
        player.start(20, 10, 1)
        # Every second cell is marked, but not the last one, on which the cursor then is.
        walk = [step for row in player.rows_of_walk() for step in row]
        last, _ = walk[-1]
        marks = [(*path, *[MARK] * (1 - sum(cell) % 2)) for cell, path in walk]
        player.do(*[packet for packets in marks for packet in packets])
        before = player.cells
        player.do(REVEAL)
        if not player.has_lost and player.letter(last) == EMPTY:
            expect_marks_gone(player, before, last)
            return
        if not player.has_lost:
            player.do(*[UP] * 10, *[LEFT] * 20)
            player.reveal_until_lost()
    raise DeviationError(f"no empty cell in {_MOST_GAMES} games", "more at level 1")


def expect_marks_gone(player: ScreenPlayer, before: Sequence[str], first: Cell) -> None:
    """See that the flood opened what was marked, and that nothing of the marks is left."""
    opened: dict[str, tuple[Look, ...]] = {}
    marked: dict[str, tuple[Look, ...]] = {}
    for cell, letter in letters(player):
        if letter == EMPTY:
            column, row = cell
            for right, down in FOUR_SIDES:
                beside = Cell(column + right, row + down)
                stays = player.field.size.has(beside) and player.letter(beside) not in OPENED
                came = f"column {beside.column + 1}, row {beside.row + 1} keeps its mark"
                expect(not stays, f"{came}:\n{player.screen_text}", "it opened by its neighbour")
        # The cursor may frame the cell that it is on.
        if letter in OPENED and (abs(cell.column - first.column) > 1 or cell.row != first.row):
            was_marked = before[cell.row][cell.column] != HIDDEN
            (marked if was_marked else opened)[letter] = player.look(cell)
    for letter in opened.keys() & marked.keys():
        came = f"an opened {letter!r} still looks marked:\n{player.screen_text}"
        expect(opened[letter] == marked[letter], came, "no mark on an opened cell")


def letters(player: ScreenPlayer) -> Iterator[tuple[Cell, str]]:
    for row, line in enumerate(player.cells):
        for column, letter in enumerate(line):
            yield Cell(column, row), letter


def reveals_until_lost(player: ScreenPlayer) -> Iterator[tuple[list[str], Cell]]:
    """Reveal every hidden cell; the field before each reveal, and the cell, unless it lost."""
    path: list[Packet] = []
    for row in player.rows_of_walk():
        for cell, step in row:
            path += step
            before = player.cells
            if before[cell.row][cell.column] not in OPENED:
                player.do(*path, REVEAL)
                path = []
                if player.has_lost:
                    return
                yield before, cell


def expect_flood(player: ScreenPlayer, before: Sequence[str], first: Cell) -> None:
    """See that what appeared is what a flood to four neighbours reaches, no less and no more."""
    after = player.cells
    reached: set[Cell] = set()
    waiting = [first]
    while waiting:
        cell = waiting.pop()
        column, row = cell
        if not player.field.size.has(cell) or cell in reached or before[row][column] in OPENED:
            continue
        reached.add(cell)
        if after[row][column] == EMPTY:
            waiting += [Cell(column + right, row + down) for right, down in FOUR_SIDES]
    appeared = {
        Cell(column, row)
        for row, line in enumerate(before)
        for column, shown in enumerate(line)
        if shown not in OPENED and after[row][column] in OPENED
    }
    name = f"column {first.column + 1}, row {first.row + 1}"
    came = f"a reveal of {name} opened {len(appeared)} cells:\n{player.screen_text}"
    expect(appeared == reached, came, f"{len(reached)} cells: the flood goes to four neighbours")


@check("The game: REVEAL of a revealed cell does nothing.")
def revealing_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    player = one_revealed(server)
    expect_no_change(player, REVEAL)


@check("The game: TOGGLE_BOMB_MARK on a revealed cell does nothing.")
def marking_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    player = one_revealed(server)
    expect_no_change(player, MARK)


def one_revealed(server: ServerUnderTest) -> ScreenPlayer:
    """Reveal the first cell in a game that goes on."""
    player = server.player()
    for _ in range(_MOST_GAMES):
        player.start(20, 10, 1)
        player.do(REVEAL)
        if not player.has_lost:
            return player
    came = f"{_MOST_GAMES} games lost by the first reveal"
    raise DeviationError(came, "mines in 5 % of the cells")


@check("The game: Nor does REVEAL of a marked one.")
def revealing_a_marked_cell_does_nothing(server: ServerUnderTest) -> None:
    player = server.game(20, 10, 1)
    player.do(RIGHT, MARK)
    expect_no_change(player, REVEAL)


@check("The game: The game is won when all mines are marked and nothing else.")
def marking_the_only_mine_wins(server: ServerUnderTest) -> None:
    player = server.game(1, 1, 1)
    player.do(MARK)
    # A won game ignores what would lose it or take the mark away.
    expect_no_change(player, *COMMANDS)
    player.start(2, 1, 1)


@check("The game: Opening every other cell does not win it.")
def opening_every_safe_cell_does_not_win(server: ServerUnderTest) -> None:
    player = server.player()
    for _ in range(_MOST_SMALL_GAMES):
        player.start(2, 1, 1)
        player.do(REVEAL)
        if not player.has_lost:
            player.do(RIGHT)
            before = player.shot
            player.do(MARK)
            came = f"the game is over, for the last cell takes no mark:\n{player.screen_text}"
            expect(not player.shot.is_like(before), came, "a game that waits for its mine's mark")
            return
    came = f"{_MOST_SMALL_GAMES} games of 2x1 lost by the first reveal"
    raise DeviationError(came, "one mine in two cells")


@check("The game: The game is won when all mines are marked and nothing else.")
def marking_exactly_the_mines_wins(server: ServerUnderTest) -> None:
    player = server.game(_SMALL.columns, _SMALL.rows, 1)
    mines = mines_that_debug_mode_shows(player, _SMALL_MINES)
    walk = [step for row in player.rows_of_walk() for step in row]
    wrong = next(at for at, (cell, _) in enumerate(walk) if cell not in mines)
    last = max(at for at, (cell, _) in enumerate(walk) if cell in mines)
    for at, (cell, path) in enumerate(walk[: last + 1]):
        if path:
            player.do(*path)
        if at == wrong or cell in mines:
            expect_change(player, MARK)
    # With a mark too many the game runs on, until that mark goes.
    way = [packet for _, path in walk[wrong + 1 : last + 1] for packet in path]
    if way:
        player.do(*[_OPPOSITE[packet] for packet in reversed(way)])
    expect_change(player, MARK)
    expect_no_change(player, *COMMANDS)


def mines_that_debug_mode_shows(player: ScreenPlayer, count: int) -> set[Cell]:
    """Return the cells with mines; the field is then as it was."""
    plain = player.picture
    player.do(DEBUG)
    if player.picture == plain:
        raise NotApplicableError("debug mode shows nothing")
    cells = [cell for row in player.rows_of_walk() for cell, _ in row]
    mines = {cell for cell in cells if MINE in {look.data for look in player.look(cell)}}
    player.do(DEBUG)
    if len(mines) != count:
        raise NotApplicableError("debug mode does not show which cells hold mines")
    return mines


@check("The game: REVEAL of a mine loses the game, and the whole field is shown.")
def revealing_the_only_mine_loses_and_shows_it(server: ServerUnderTest) -> None:
    player = server.game(1, 1, 3)
    player.do(REVEAL)
    expect(
        player.cells == [MINE], f"this screen:\n{player.screen_text}", f"{MINE} in the only cell"
    )


@check("The game: After its end only START and QUIT do anything.")
def after_a_loss_only_start_and_quit_do_anything(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 3)
    player.reveal_until_lost()
    expect_no_change(player, *COMMANDS)
    player.start(9, 9, 1)
    player.connection.expect_no_more()


@check("The game: On a lost field both a mark and the mine under it can be seen.")
def on_a_lost_field_marks_can_be_told_apart(server: ServerUnderTest) -> None:
    player = server.game(30, 16, 3)
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
    player.do(*[packet for _, path in first for packet in (*path, MARK)])
    for row in rows:
        for cell, path in row:
            # A flood may take marks away.
            marks = player.cells[0]
            player.do(*path, REVEAL)
            if player.has_lost:
                return {Cell(at, 0) for at, mark in enumerate(marks) if mark not in OPENED}, cell
    raise DeviationError(f"no mine was met:\n{player.screen_text}", "mines in 45 % of the cells")


@check("Version 1: debug mode, which shows the mines, goes on or off")
def debug_mode_shows_mines_and_hides_them_again(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    plain, text = player.shot, player.screen.text
    player.do(DEBUG)
    if player.picture == plain.picture:
        came = f"nothing new on the screen:\n{player.screen_text}"
        expect(player.screen.text != text, came, "the mines, or a word that they are not shown")
        raise NotApplicableError("the server forbids debug mode")
    letters = {look.data for row in player.picture for look in row}
    expect(MINE in letters, f"this screen:\n{player.screen_text}", f"mines, shown as {MINE}")
    player.do(DEBUG)
    expect_same(player, plain, "than before debug mode")
