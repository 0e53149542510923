"""Checks of the game in version 1: the field, the cursor, marks, flood, win and loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from jminesweeper.check.deviation import DeviationError, NotApplicableError, expect
from jminesweeper.check.player import BOMB, EMPTY, HIDDEN, ScreenPlayer
from jminesweeper.check.replies import COMMANDS_OF_VERSION_1
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.core import Cell
from jminesweeper.protocol import Command, Packet, Start

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
BOMBS_OF_LEVELS: Final = ((1, 10), (2, 50), (3, 90))
"""On a field of 20x10."""
_OPENED: Final = f"{EMPTY}12345678"
_MEANINGFUL: Final = f"{BOMB}{_OPENED} "
_FLOODS: Final = 3
_MOST_GAMES: Final = 8
_BAD_STARTS: Final = (
    Start(0, 9, 1),
    Start(9, 0, 1),
    Start(0, 0, 0),
    Start(9, 9, 0),
    Start(9, 9, 4),
    Start(9, 9, 255),
)


def a_new_field_is_hidden(server: ServerUnderTest) -> None:
    player = server.player()
    for (columns, rows), level in product(SIZES, (1, 2, 3)):
        if level == 1 or columns * rows < 1_000:
            player.start(columns, rows, level)


def usual_fields_fit_80x24(server: ServerUnderTest) -> None:
    player = server.player()
    for columns, rows in ((20, 10), (30, 16)):
        player.start(columns, rows, 1)
        field = player.field
        right = field.left + (columns - 1) * field.across
        bottom = field.top + (rows - 1) * field.down
        came = f"a field of {columns}x{rows} that reaches to column {right + 1}, row {bottom + 1}"
        expect(right < 80 and bottom < 24, came, "a field within 80 columns and 24 rows")


def a_start_out_of_range_changes_nothing(server: ServerUnderTest) -> None:
    for start in _BAD_STARTS:
        player = server.player()
        player.do(start)
        player.start(9, 9, 1)
        player.do(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
        expect_no_change(player, start)


def expect_no_change(player: ScreenPlayer, *packets: Packet) -> None:
    """See each of these packets leave the field as it is."""
    for packet in packets:
        before, text = player.picture_and_cursor, player.screen_text
        player.do(packet)
        came = f"the field changed:\n{player.screen_text}"
        expect(player.picture_and_cursor == before, came, f"the same field as before:\n{text}")


def expect_change(player: ScreenPlayer, *packets: Packet) -> None:
    before = player.picture_and_cursor
    player.do(*packets)
    came = f"the field looks the same as before:\n{player.screen_text}"
    expect(player.picture_and_cursor != before, came, "something that shows")


def a_start_within_a_game_begins_another(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(9, 9, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    player.start(5, 4, 2)


def a_move_shows_and_the_opposite_one_undoes_it(server: ServerUnderTest) -> None:
    for there, back in (
        (Command.MOVE_RIGHT, Command.MOVE_LEFT),
        (Command.MOVE_DOWN, Command.MOVE_UP),
    ):
        player = server.player()
        player.start(20, 10, 1)
        home, text = player.picture_and_cursor, player.screen_text
        expect_change(player, there)
        player.do(back)
        came = f"another field than before both moves:\n{player.screen_text}"
        expect(player.picture_and_cursor == home, came, f"the same field:\n{text}")


def the_cursor_starts_at_the_top_left_and_stops_at_the_edges(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(5, 4, 1)
    expect_no_change(player, Command.MOVE_LEFT, Command.MOVE_UP)
    expect_change(player, *[Command.MOVE_RIGHT] * 4)
    expect_no_change(player, Command.MOVE_RIGHT)
    expect_change(player, *[Command.MOVE_DOWN] * 3)
    expect_no_change(player, Command.MOVE_DOWN)


def the_terminals_cursor_is_on_the_selected_cell(server: ServerUnderTest) -> None:
    for columns in (5, 45):
        player = server.player()
        player.start(columns, 3, 1)
        steps = [step for row in player.rows_of_walk() for step in row]
        expect_cursor_on(player, steps[0][0])
        moves = player.watch(*[packet for _, path in steps for packet in path])
        for (cell, _), _ in zip(steps[1:], moves, strict=True):
            expect_cursor_on(player, cell)


def expect_cursor_on(player: ScreenPlayer, cell: Cell) -> None:
    """See the cursor of the terminal on a cell, or between it and the next one."""
    field, screen = player.field, player.screen
    left = field.left + cell.column * field.across
    row = field.top + cell.row * field.down
    came = f"the cursor at column {screen.column + 1}, row {screen.row + 1} of the screen"
    expected = f"it at the selected cell, at column {left + 1}, row {row + 1}"
    is_on_it = left - field.across < screen.column < left + field.across and screen.row == row
    expect(is_on_it, f"{came}:\n{player.screen_text}", expected)


def a_mark_shows_and_a_second_one_takes_it_away(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(20, 10, 1)
    player.do(Command.MOVE_RIGHT, Command.MOVE_DOWN)
    unmarked, text = player.picture_and_cursor, player.screen_text
    expect_change(player, Command.TOGGLE_BOMB_MARK)
    mark = player.cells[1][1]
    expect(mark not in _MEANINGFUL, f"a mark that looks like this: {mark!r}", "a look of its own")
    player.do(Command.TOGGLE_BOMB_MARK)
    came = f"another field than before both marks:\n{player.screen_text}"
    expect(player.picture_and_cursor == unmarked, came, f"the same field:\n{text}")


def a_lost_game_shows_the_bombs_of_its_level(server: ServerUnderTest) -> None:
    for level, bombs in BOMBS_OF_LEVELS:
        player = server.player()
        player.start(20, 10, level)
        player.reveal_until_lost()
        shown = sum(row.count(BOMB) for row in player.cells)
        came = f"{shown} bombs on 20x10 at level {level}:\n{player.screen_text}"
        expect(shown == bombs, came, f"{bombs} bombs")


def every_number_counts_the_bombs_around_it(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        player = server.player()
        player.start(20, 10, level)
        player.reveal_until_lost()
        cells, text = player.cells, player.screen_text
        for row, line in enumerate(cells):
            for column, shown in enumerate(line):
                bombs = sum(beside == BOMB for beside in around(cells, column, row))
                right = str(bombs) if bombs else EMPTY
                came = f"{shown!r} in column {column + 1}, row {row + 1}:\n{text}"
                expect(shown in {right, BOMB}, came, f"{right!r}: {bombs} bombs are around it")


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
        f"{_MOST_GAMES} games lost by the first reveal", "bombs in 5 % of the cells"
    )


def marking_the_only_bomb_wins(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(1, 1, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    # A won game ignores what would lose it or take the mark away.
    expect_no_change(player, *COMMANDS_OF_VERSION_1)
    player.start(2, 1, 1)


def revealing_the_only_bomb_loses_and_shows_it(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(1, 1, 3)
    player.do(Command.REVEAL)
    expect(
        player.cells == [BOMB], f"this screen:\n{player.screen_text}", f"{BOMB} in the only cell"
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
        len(looks_of_marked) > 1, came, "a bomb under a mark that can be seen, and where none is"
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
                return {Cell(at, 0) for at, mark in enumerate(marks) if mark not in _OPENED}, cell
    raise DeviationError(f"no bomb was met:\n{player.screen_text}", "bombs in 45 % of the cells")


def debug_mode_shows_bombs_and_hides_them_again(server: ServerUnderTest) -> None:
    player = server.player()
    player.start(9, 9, 1)
    plain, text = player.picture, player.screen_text
    player.do(Command.TOGGLE_DEBUG_MODE)
    if player.picture == plain:
        raise NotApplicableError("the server forbids debug mode")
    letters = {letter for row in player.picture for letter, _ in row}
    expect(BOMB in letters, f"this screen:\n{player.screen_text}", f"bombs, shown as {BOMB}")
    player.do(Command.TOGGLE_DEBUG_MODE)
    came = f"another field than before debug mode:\n{player.screen_text}"
    expect(player.picture == plain, came, f"the same field:\n{text}")


PLAY_CHECKS: Final = (
    ProtocolCheck(a_new_field_is_hidden, "The game: All cells of a new field are hidden."),
    ProtocolCheck(usual_fields_fit_80x24, "The game: A field of 30x16 fits a terminal of 80x24."),
    ProtocolCheck(
        a_start_out_of_range_changes_nothing,
        "Replies: START with a size or level out of range changes nothing",
    ),
    ProtocolCheck(
        a_start_within_a_game_begins_another,
        "Replies: START within a game gives that game up and begins another.",
    ),
    ProtocolCheck(
        a_move_shows_and_the_opposite_one_undoes_it, "The game: The selected cell can be seen."
    ),
    ProtocolCheck(
        the_cursor_starts_at_the_top_left_and_stops_at_the_edges,
        "Replies: A move at the edge does nothing. The cursor starts at the top-left cell.",
    ),
    ProtocolCheck(
        the_terminals_cursor_is_on_the_selected_cell,
        "What stock clients need: leaves the terminal's cursor on the selected cell",
    ),
    ProtocolCheck(
        a_mark_shows_and_a_second_one_takes_it_away,
        "The game: A mark has a look of its own, and a second one takes it away.",
    ),
    ProtocolCheck(
        a_lost_game_shows_the_bombs_of_its_level,
        "7 START: 1 easy, 5 % of the cells are bombs; 2 medium, 25 %; 3 hard, 45 %",
    ),
    ProtocolCheck(
        every_number_counts_the_bombs_around_it,
        "9 SCREEN_CONTENT: digits for the number of bombs in the eight cells around",
    ),
    ProtocolCheck(
        an_empty_cell_opens_what_is_above_below_left_and_right,
        "The game: a cell with none around opens the cells above, below, left and right of it",
    ),
    ProtocolCheck(
        revealing_a_revealed_cell_does_nothing, "The game: REVEAL of a revealed cell does nothing."
    ),
    ProtocolCheck(
        marking_the_only_bomb_wins,
        "The game: The game is won when all bombs are marked and nothing else.",
    ),
    ProtocolCheck(
        revealing_the_only_bomb_loses_and_shows_it,
        "The game: REVEAL of a bomb loses the game, and the whole field is shown.",
    ),
    ProtocolCheck(
        after_a_loss_only_start_and_quit_do_anything,
        "The game: After its end only START and QUIT do anything.",
    ),
    ProtocolCheck(
        on_a_lost_field_marks_can_be_told_apart,
        "The game: On a lost field both a mark and the bomb under it can be seen.",
    ),
    ProtocolCheck(
        debug_mode_shows_bombs_and_hides_them_again,
        "Version 1: debug mode, which shows the bombs, goes on or off",
    ),
)
