"""Checks of the game in version 1: fields, cursor and marks, then reveals, win and loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Final

from jminesweeper.check.painted import HIDDEN, Look
from jminesweeper.check.player import EMPTY, MINE, OPENED, TURNED, ScreenPlayer, Shot, place_of
from jminesweeper.check.replies import COMMANDS
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Checks, DeviationError, NotApplicableError
from jminesweeper.check.wire import DEBUG, DOWN, LEFT, MARK, REVEAL, RIGHT, UP, Packet, start
from jminesweeper.core.grid import Cell, Size

SIZES: Final = (
    (1, 1),
    (2, 1),
    (1, 2),
    (9, 9),
    (20, 10),
    (30, 16),
    (40, 5),
    (41, 5),
    (255, 1),
    (1, 255),
    (255, 255),
)
_MEANINGFUL: Final = f"{MINE}{OPENED} "
_BAD_STARTS: Final = (
    start(0, 9, 1),
    start(9, 0, 1),
    start(0, 0, 0),
    start(9, 9, 0),
    start(9, 9, 4),
    start(9, 9, 255),
)
MINES: Final[Mapping[tuple[int, int], tuple[int, int, int]]] = {
    (20, 10): (10, 50, 90),
    # 4.05, 20.25 and 36.45; 0.75, 3.75 and 6.75; 0.5, 2.5 and 4.5.
    (9, 9): (4, 20, 36),
    (5, 3): (1, 4, 7),
    (10, 1): (1, 3, 5),
}
"""How many there are at each level, rounded half up, and at least one."""
_FLOODS: Final = 3
_TOSSES: Final = 32
"""A coin tossed so often does not come up tails every time."""

check = Checks[ServerUnderTest]()


def expect_same(player: ScreenPlayer, before: Shot, after: str) -> None:
    """Expect the field to look as it did before."""
    player.shot.expect_like(before, f"another field {after}", "the same field as before")


def expect_no_change(player: ScreenPlayer, *packets: Packet) -> None:
    """Expect each of these packets to leave the field as it is."""
    for packet in packets:
        before = player.shot
        player.do(packet)
        expect_same(player, before, f"after {packet}")


def expect_change(player: ScreenPlayer, *packets: Packet) -> None:
    before = player.shot
    player.do(*packets)
    changed = not player.shot.is_like(before)
    player.expect(changed, "the field looks the same as before", "something that shows")


def expect_mark(player: ScreenPlayer, there: Cell, came: str = "the mark", after: str = "") -> None:
    """Expect the mark in this cell; that marks show at all has a check of its own."""
    for cell in player.marked():
        player.expect(cell == there, f"{came} in {place_of(cell)}", f"{place_of(there)}{after}")


@check("7 START: START with 20, 10, 1 begins a field that is 20 cells wide and 10 high")
def start_names_columns_before_rows(server: ServerUnderTest) -> None:
    player = server.player()
    player.do(start(5, 3, 1))
    is_swapped = not player.find_field(Size(5, 3)) and player.find_field(Size(3, 5))
    came = "columns and rows swapped, a field of 3x5"
    player.expect(not is_swapped, came, "a field of 5x3 for START 5x3")


@check("The game: All cells of a new field are hidden.")
def a_new_field_is_hidden(server: ServerUnderTest) -> None:
    for (columns, rows), level in product(SIZES, (1, 2, 3)):
        if level == 1 or columns * rows < 1_000:
            server.game(columns, rows, level)


@check("The game: A field of 30x16 fits a terminal of 80x24.")
def usual_fields_fit_80x24(server: ServerUnderTest) -> None:
    for columns, rows in ((20, 10), (30, 16)):
        player = server.game(columns, rows, 1)
        right, bottom = player.field.at(Cell(columns - 1, rows - 1))
        came = f"a field of {columns}x{rows} that reaches to column {right + 1}, row {bottom + 1}"
        player.expect(right < 80 and bottom < 24, came, "a field within 80 columns and 24 rows")


@check("Replies: START with a size or level out of range changes nothing")
def a_start_out_of_range_changes_nothing(server: ServerUnderTest) -> None:
    for bad in _BAD_STARTS:
        player = server.game(9, 9, 1)
        player.do(RIGHT, MARK)
        expect_no_change(player, bad)


@check("Replies: START within a game gives that game up and begins another.")
def a_start_within_a_game_begins_another(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    player.do(MARK)
    player.start(5, 4, 2)


@check("Replies: The cursor starts at the top-left cell, in every game.")
def a_new_game_has_its_cursor_at_the_top_left(server: ServerUnderTest) -> None:
    player = server.player()
    for game in ("the first game", "a second game"):
        player.do(start(9, 9, 1))
        if not player.find_field(Size(9, 9)):
            raise NotApplicableError(f"{game} does not begin")
        player.do(MARK)
        keeps_cursor = player.marked() == [Cell(1, 1)]
        # The other checks make up for it.
        server.habits = replace(server.habits, keeps_cursor=keeps_cursor)
        kept = ", where the cursor was in the game before:" if keeps_cursor else ""
        expect_mark(player, Cell(0, 0), f"in {game}{kept} the first mark")
        player.do(RIGHT, DOWN)


@check("Version 1: the cursor goes one cell to the right")
def every_move_goes_its_way(server: ServerUnderTest) -> None:
    # Whoever swaps columns and rows throughout has failed one check already.
    turned = TURNED if server.habits.swaps_sizes and server.habits.swaps_moves else {}
    ways = {RIGHT: Cell(2, 1), DOWN: Cell(1, 2), LEFT: Cell(0, 1), UP: Cell(1, 0)}
    for move, there in ways.items():
        player = server.game(5, 4, 1)
        for packet in (RIGHT, DOWN, move, MARK):
            player.show(player.connection.ask(turned.get(packet, packet)))
        expect_mark(player, there, "the cursor", f" after MOVE_RIGHT, MOVE_DOWN and {move}")


@check("The game: The selected cell can be seen.")
def a_move_shows_and_the_opposite_one_undoes_it(server: ServerUnderTest) -> None:
    for there, back in ((RIGHT, LEFT), (DOWN, UP)):
        player = server.game(20, 10, 1)
        home = player.shot
        expect_change(player, there)
        player.do(back)
        expect_same(player, home, f"after {there} and {back}")


@check("Replies: A move at the edge does nothing.")
def the_cursor_stops_at_the_edges(server: ServerUnderTest) -> None:
    for moves, corner in (((LEFT, UP), Cell(0, 0)), ((RIGHT, DOWN) * 5, Cell(4, 3))):
        player = server.game(5, 4, 1)
        player.do(*moves, MARK)
        expect_mark(player, corner, "the cursor", " after moves beyond the edges")


@check("What stock clients need: leaves the terminal's cursor on the selected cell")
def the_terminals_cursor_is_on_the_selected_cell(server: ServerUnderTest) -> None:
    for columns in (5, 45):
        player = server.game(columns, 3, 1)
        (first, _), *steps = player.walk()
        expect_cursor_on(player, first)
        moves = player.watch(*[packet for _, path in steps for packet in path])
        for (cell, _), _ in zip(steps, moves, strict=True):
            expect_cursor_on(player, cell)


def expect_cursor_on(player: ScreenPlayer, cell: Cell) -> None:
    """Expect the cursor of the terminal on a cell, or between it and the next one."""
    left, row = player.field.at(cell)
    cursor = player.screen.cursor
    came = f"the cursor at column {cursor.column + 1}, row {cursor.row + 1} of the screen"
    expected = f"it at the selected cell, at column {left + 1}, row {row + 1}"
    is_on_it = abs(cursor.column - left) < player.field.across and cursor.row == row
    player.expect(is_on_it, came, expected)


@check("The game: A mark has a look of its own, and a second one takes it away.")
def a_mark_shows_and_a_second_one_takes_it_away(server: ServerUnderTest) -> None:
    player = server.game(20, 10, 1)
    player.do(RIGHT, DOWN)
    unmarked = player.shot
    expect_change(player, MARK)
    mark = player.letter(Cell(1, 1))
    came = f"a mark that looks like this: {mark!r}"
    player.expect(mark not in _MEANINGFUL, came, "a look of its own")
    player.do(MARK)
    expect_same(player, unmarked, "after two marks")


@check("7 START: 1 easy, 5 % of the cells are mines; 2 medium, 25 %; 3 hard, 45 %")
def a_lost_game_shows_the_mines_of_its_level(server: ServerUnderTest) -> None:
    for (columns, rows), counts in MINES.items():
        for level, mines in enumerate(counts, 1):
            player = server.game(columns, rows, level)
            player.lose()
            shown = sum(row.count(MINE) for row in player.cells)
            came = f"{shown} mines on {columns}x{rows} at level {level}"
            player.expect(shown == mines, came, f"{mines} mines")


@check("9 SCREEN_CONTENT: digits for the number of mines in the eight cells around")
def every_number_counts_the_mines_around_it(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        player = server.game(20, 10, level)
        player.lose()
        for cell, shown in player.letters():
            mines = sum(player.letter(beside) == MINE for beside in player.around(cell))
            right = str(mines) if mines else EMPTY
            came = f"{shown!r} in {place_of(cell)}"
            player.expect(shown in {right, MINE}, came, f"{right!r}: {mines} mines are around it")


@check("The game: a cell with none around opens the cells above, below, left and right of it")
def an_empty_cell_opens_what_is_above_below_left_and_right(server: ServerUnderTest) -> None:
    floods = 0
    for player in server.games(20, 10, 1, f"{_FLOODS} cells with no mine around"):
        for before, cell in reveals_until_lost(player):
            floods += player.letter(cell) == EMPTY
            expect_flood(player, before, cell)
            if floods == _FLOODS:
                return


def reveals_until_lost(player: ScreenPlayer) -> Iterator[tuple[list[str], Cell]]:
    """Reveal every hidden cell; the field before each reveal, and the cell, unless it lost."""
    path: list[Packet] = []
    for cell, step in player.walk():
        path += step
        before = player.cells
        if before[cell.row][cell.column] not in OPENED:
            player.do(*path, REVEAL)
            path = []
            if player.has_lost():
                return
            yield before, cell


def expect_flood(player: ScreenPlayer, before: Sequence[str], first: Cell) -> None:
    """See that what appeared is what a flood to four neighbours reaches, no less and no more."""
    reached: set[Cell] = set()
    waiting = [first]
    while waiting:
        cell = waiting.pop()
        if cell in reached or before[cell.row][cell.column] in OPENED:
            continue
        reached.add(cell)
        if player.letter(cell) == EMPTY:
            waiting += player.beside(cell)
    appeared = {
        cell
        for cell, shown in player.letters()
        if shown in OPENED and before[cell.row][cell.column] not in OPENED
    }
    came = f"a reveal of {place_of(first)} opened {len(appeared)} cells"
    expected = f"{len(reached)} cells: the flood goes to four neighbours"
    player.expect(appeared == reached, came, expected)


@check("The game: It takes marks away there.")
def a_flood_opens_marked_cells_and_takes_their_marks_away(server: ServerUnderTest) -> None:
    expect_marks_unlike_mines(server)
    for player in server.games(20, 10, 1, "a cell with no mine around"):
        # Every second cell is marked, but not the last one, on which the cursor then is.
        walk = player.walk()
        last, _ = walk[-1]
        marks = [(*path, *[MARK] * (1 - sum(cell) % 2)) for cell, path in walk]
        player.do(*[packet for packets in marks for packet in packets])
        before = player.cells
        player.do(REVEAL)
        if not player.has_lost() and player.letter(last) == EMPTY:
            expect_marks_gone(player, before, last)
            return


def expect_marks_unlike_mines(server: ServerUnderTest) -> None:
    """Skip what cannot be seen otherwise; that marks have a look of their own is another clause."""
    if server.habits.mark == MINE:
        raise NotApplicableError("marks look like mines")


def expect_marks_gone(player: ScreenPlayer, before: Sequence[str], first: Cell) -> None:
    """See that the flood opened what was marked, and that nothing of the marks is left."""
    opened: dict[str, tuple[Look, ...]] = {}
    marked: dict[str, tuple[Look, ...]] = {}
    for cell, letter in player.letters():
        for beside in player.beside(cell) if letter == EMPTY else ():
            came = f"{place_of(beside)} keeps its mark"
            is_opened = player.letter(beside) in OPENED
            player.expect(is_opened, came, "it opened by its neighbour")
        # The cursor may frame the cell that it is on.
        if letter in OPENED and (abs(cell.column - first.column) > 1 or cell.row != first.row):
            was_marked = before[cell.row][cell.column] != HIDDEN
            (marked if was_marked else opened)[letter] = player.look(cell)
    for letter in opened.keys() & marked.keys():
        came = f"an opened {letter!r} still looks marked"
        player.expect(opened[letter] == marked[letter], came, "no mark on an opened cell")


@check("The game: REVEAL of a revealed cell does nothing.")
def revealing_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    expect_no_change(one_revealed(server), REVEAL)


@check("The game: TOGGLE_BOMB_MARK on a revealed cell does nothing.")
def marking_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    expect_no_change(one_revealed(server), MARK)


def one_revealed(server: ServerUnderTest) -> ScreenPlayer:
    """Reveal the first cell in a game that goes on."""
    return next(
        player
        for player in server.games(20, 10, 1, "a first reveal that does not lose")
        if player.do(REVEAL) and not player.has_lost()
    )


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
    for player in server.games(2, 1, 1, "a first reveal that does not lose", _TOSSES):
        player.do(REVEAL)
        if not player.has_lost():
            player.do(RIGHT)
            before = player.shot
            player.do(MARK)
            came = "the game is over, for the last cell takes no mark"
            is_running = not player.shot.is_like(before)
            player.expect(is_running, came, "a game that waits for its mine's mark")
            return


@check("The game: The game is won when all mines are marked and nothing else.")
def marking_exactly_the_mines_wins(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    mines = mines_that_debug_mode_shows(player, MINES[9, 9][0])
    wrong = next(cell for cell, _ in player.letters() if cell not in mines)
    # With a mark too many the game runs on, until that mark goes.
    for here, there in pairwise((Cell(0, 0), wrong, *mines, wrong)):
        player.go(here, there)
        expect_change(player, MARK)
    expect_no_change(player, *COMMANDS)


def mines_that_debug_mode_shows(player: ScreenPlayer, count: int) -> list[Cell]:
    """Return the cells with mines; the field is then as it was."""
    plain = player.picture
    player.do(DEBUG)
    if player.picture == plain:
        raise NotApplicableError("debug mode shows nothing")
    cells = [cell for cell, _ in player.letters()]
    mines = [cell for cell in cells if MINE in {look.data for look in player.look(cell)}]
    player.do(DEBUG)
    if len(mines) != count:
        raise NotApplicableError("debug mode does not show which cells hold mines")
    return mines


@check("The game: REVEAL of a mine loses the game, and the whole field is shown.")
def revealing_the_only_mine_loses_and_shows_it(server: ServerUnderTest) -> None:
    player = server.game(1, 1, 3)
    player.do(REVEAL)
    player.expect(player.cells == [MINE], "this screen", f"{MINE} in the only cell")


@check("The game: After its end only START and QUIT do anything.")
def after_a_loss_only_start_and_quit_do_anything(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 3)
    player.lose()
    expect_no_change(player, *COMMANDS)
    player.start(9, 9, 1)
    player.connection.expect_no_more()


@check("The game: On a lost field both a mark and the mine under it can be seen.")
def on_a_lost_field_marks_can_be_told_apart(server: ServerUnderTest) -> None:
    expect_marks_unlike_mines(server)
    player = server.game(30, 16, 3)
    marked, fatal = mark_the_first_row_and_lose(player)
    # The cursor may frame the cell that it is on.
    framed = {fatal, Cell(fatal.column - 1, fatal.row), Cell(fatal.column + 1, fatal.row)}
    cells = {cell for cell, _ in player.letters()}
    looks_of_unmarked = {player.look(cell) for cell in cells - marked - framed}
    looks_of_marked = {player.look(cell) for cell in marked - framed}
    came = "a marked cell looks like one without a mark"
    can_be_seen = looks_of_marked.isdisjoint(looks_of_unmarked)
    player.expect(can_be_seen, came, "marks that can still be seen")
    expected = "a mine under a mark that can be seen, and where none is"
    player.expect(len(looks_of_marked) > 1, "all marked cells look the same", expected)


def mark_the_first_row_and_lose(player: ScreenPlayer) -> tuple[set[Cell], Cell]:
    """Return the cells that are still marked then, and the one that was stepped on."""
    walk, columns = player.walk(), player.field.size.columns
    player.do(*[packet for _, path in walk[:columns] for packet in (*path, MARK)])
    for cell, path in walk[columns:]:
        # A flood may take marks away.
        marks = player.cells[0]
        player.do(*path, REVEAL)
        if player.has_lost():
            return {Cell(at, 0) for at, mark in enumerate(marks) if mark not in OPENED}, cell
    raise DeviationError(f"no mine was met:\n{player.screen_text}", "mines in 45 % of the cells")


@check("Version 1: debug mode, which shows the mines, goes on or off")
def debug_mode_shows_mines_and_hides_them_again(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    plain, text = player.shot, player.screen.text
    player.do(DEBUG)
    if player.picture == plain.picture:
        says_so = player.screen.text != text
        expected = "the mines, or a word that they are not shown"
        player.expect(says_so, "nothing new on the screen", expected)
        raise NotApplicableError("the server forbids debug mode")
    letters = {look.data for row in player.picture for look in row}
    player.expect(MINE in letters, "this screen", f"mines, shown as {MINE}")
    player.do(DEBUG)
    expect_same(player, plain, "than before debug mode")
