"""Checks of the field in version 1 before a cell is revealed: sizes, START, cursor and marks."""

from __future__ import annotations

from itertools import product
from typing import Final

from jminesweeper.check.player import MINE, OPENED, TURNED, ScreenPlayer, Shot
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Checks, DeviationError, NotApplicableError, expect
from jminesweeper.check.wire import DOWN, LEFT, MARK, RIGHT, UP, Packet, start
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

check = Checks[ServerUnderTest]()


def expect_same(player: ScreenPlayer, before: Shot, after: str) -> None:
    """Expect the field to look as it did before."""
    shown, wanted = player.shot.beside(before)
    came = f"another field {after}:\n{shown}"
    expect(player.shot.is_like(before), came, f"the same field as before:\n{wanted}")


def expect_no_change(player: ScreenPlayer, *packets: Packet) -> None:
    """Expect each of these packets to leave the field as it is."""
    for packet in packets:
        before = player.shot
        player.do(packet)
        expect_same(player, before, f"after {packet}")


def expect_change(player: ScreenPlayer, *packets: Packet) -> None:
    before = player.shot
    player.do(*packets)
    came = f"the field looks the same as before:\n{player.screen_text}"
    expect(not player.shot.is_like(before), came, "something that shows")


@check("7 START: START with 20, 10, 1 begins a field that is 20 cells wide and 10 high")
def start_names_columns_before_rows(server: ServerUnderTest) -> None:
    player = server.player()
    player.do(start(5, 3, 1))
    is_swapped = not player.find_field(Size(5, 3)) and player.find_field(Size(3, 5))
    came = f"columns and rows swapped, a field of 3x5:\n{player.screen_text}"
    expect(not is_swapped, came, "a field of 5x3 for START 5x3")


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
        expect(right < 80 and bottom < 24, came, "a field within 80 columns and 24 rows")


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
        for cell in player.marked():
            came = f"in {game} the first mark in column {cell.column + 1}, row {cell.row + 1}"
            kept = ", where the cursor was in the game before" if cell == (1, 1) else ""
            expect(cell == (0, 0), f"{came}{kept}:\n{player.screen_text}", "it at the top left")
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
        for cell in player.marked():
            came = f"the cursor in column {cell.column + 1}, row {cell.row + 1}"
            due = f"column {there.column + 1}, row {there.row + 1} after MOVE_RIGHT, MOVE_DOWN"
            expect(cell == there, f"{came}:\n{player.screen_text}", f"{due} and {move}")


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
    player = server.game(5, 4, 1)
    expect_no_change(player, LEFT, UP)
    expect_change(player, *[RIGHT] * 4)
    expect_no_change(player, RIGHT)
    expect_change(player, *[DOWN] * 3)
    expect_no_change(player, DOWN)


@check("What stock clients need: leaves the terminal's cursor on the selected cell")
def the_terminals_cursor_is_on_the_selected_cell(server: ServerUnderTest) -> None:
    for columns in (5, 45):
        player = server.game(columns, 3, 1)
        steps = [step for row in player.rows_of_walk() for step in row]
        expect_cursor_on(player, steps[0][0])
        moves = player.watch(*[packet for _, path in steps for packet in path])
        for (cell, _), _ in zip(steps[1:], moves, strict=True):
            expect_cursor_on(player, cell)


def expect_cursor_on(player: ScreenPlayer, cell: Cell) -> None:
    """Expect the cursor of the terminal on a cell, or between it and the next one."""
    left, row = player.field.at(cell)
    cursor = player.screen.cursor
    came = f"the cursor at column {cursor.column + 1}, row {cursor.row + 1} of the screen"
    expected = f"it at the selected cell, at column {left + 1}, row {row + 1}"
    is_on_it = abs(cursor.column - left) < player.field.across and cursor.row == row
    if not is_on_it:
        raise DeviationError(f"{came}:\n{player.screen_text}", expected)


@check("The game: A mark has a look of its own, and a second one takes it away.")
def a_mark_shows_and_a_second_one_takes_it_away(server: ServerUnderTest) -> None:
    player = server.game(20, 10, 1)
    player.do(RIGHT, DOWN)
    unmarked = player.shot
    expect_change(player, MARK)
    mark = player.letter(Cell(1, 1))
    expect(mark not in _MEANINGFUL, f"a mark that looks like this: {mark!r}", "a look of its own")
    player.do(MARK)
    expect_same(player, unmarked, "after two marks")
