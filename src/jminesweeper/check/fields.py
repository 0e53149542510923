"""Checks of the field in version 1 before a cell is revealed: sizes, START, cursor and marks."""

from __future__ import annotations

from itertools import product
from typing import Final

from jminesweeper.check.deviation import expect
from jminesweeper.check.player import MINE, OPENED, ScreenPlayer
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Packet, Start
from jminesweeper.protocol.vocabulary import Command

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
    """Expect each of these packets to leave the field as it is."""
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
    """Expect the cursor of the terminal on a cell, or between it and the next one."""
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


FIELD_CHECKS: Final = (
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
)
