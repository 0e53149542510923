"""A game as a person sees it: characters, cursor, flood, win and loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from jminesweeper.protocol import Command, Start
from tests.conformance.player import BOMB, EMPTY, HIDDEN, Player

EVERYTHING_BUT_START_AND_QUIT = [
    Command.MOVE_RIGHT,
    Command.MOVE_DOWN,
    Command.MOVE_LEFT,
    Command.MOVE_UP,
    Command.REVEAL,
    Command.TOGGLE_BOMB_MARK,
    Command.TOGGLE_DEBUG_MODE,
]


def around(cells: list[str], column: int, row: int) -> Iterator[str]:
    """The up to eight neighbours of a cell."""
    for beside, below in product((-1, 0, 1), repeat=2):
        x, y = column + beside, row + below
        if (beside or below) and 0 <= y < len(cells) and 0 <= x < len(cells[y]):
            yield cells[y][x]


def assert_field_is_true(cells: list[str]) -> None:
    """Every digit of a fully shown field counts the bombs around it."""
    for row, line in enumerate(cells):
        for column, shown in enumerate(line):
            if shown != BOMB:
                bombs = sum(beside == BOMB for beside in around(cells, column, row))
                assert shown == (str(bombs) if bombs else EMPTY), (column, row, cells)


@pytest.mark.requirement(
    "J:Minesweeper gameplay rules",
    "J:reveal bomb",
    "J:lose",
    "J:character B",
    "J:character .",
    "J:character digit",
    "J:level EASY",
    "J:level MEDIUM",
    "J:level HARD",
)
@pytest.mark.parametrize(("level", "bombs"), [(1, 10), (2, 50), (3, 90)])
def test_a_lost_game_shows_the_whole_field_with_the_bombs_of_its_level(
    player: Player, level: int, bombs: int
) -> None:
    player.start(20, 10, level)
    player.reveal_until_lost()
    assert player.all_cells.count(BOMB) == bombs
    assert_field_is_true(player.cells)


@pytest.mark.requirement("J:flood fill", "J:reveal number")
def test_an_empty_cell_is_shown_with_what_is_above_below_left_and_right(player: Player) -> None:
    player.start(20, 10, 1)
    seen_empty = False
    for column, row in player.walk():
        before = player.cells
        if before[row][column] == HIDDEN:
            player.do(Command.REVEAL)
        if player.has_lost:
            break
        seen_empty = seen_empty or EMPTY in player.all_cells
        assert_flood_showed_what_it_reaches(before, player.cells, (column, row))
    assert seen_empty


def assert_flood_showed_what_it_reaches(
    before: list[str], after: list[str], start: tuple[int, int]
) -> None:
    """What appeared is what a flood to four neighbours reaches: no cell less, and none more."""
    columns, rows = range(len(after[0])), range(len(after))
    reached: set[tuple[int, int]] = set()
    waiting = [start]
    while waiting:
        column, row = waiting.pop()
        is_on_the_field = column in columns and row in rows
        if not is_on_the_field or (column, row) in reached or before[row][column] != HIDDEN:
            continue
        reached.add((column, row))
        if after[row][column] == EMPTY:
            waiting += [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    appeared = {
        (column, row)
        for column in columns
        for row in rows
        if before[row][column] == HIDDEN != after[row][column]
    }
    assert appeared == reached


@pytest.mark.requirement("J:reveal revealed")
def test_revealing_a_revealed_cell_does_nothing(player: Player) -> None:
    player.start(20, 10, 1)
    for column, row in player.walk():
        if player.cells[row][column] == HIDDEN:
            player.do(Command.REVEAL)
        if player.has_lost:
            player.start(20, 10, 1)
            continue
        before = player.field_picture
        player.do(Command.REVEAL)
        assert player.field_picture == before
        return


@pytest.mark.requirement("J:packet TOGGLE_BOMB_MARK")
def test_a_mark_shows_and_a_second_one_takes_it_away(player: Player) -> None:
    player.start(20, 10, 1)
    player.do(Command.MOVE_RIGHT, Command.MOVE_DOWN)
    unmarked = player.field_picture
    player.do(Command.TOGGLE_BOMB_MARK)
    assert player.field_picture != unmarked
    player.do(Command.TOGGLE_BOMB_MARK)
    assert player.field_picture == unmarked


def test_a_mark_looks_like_no_other_cell(player: Player) -> None:
    player.start(20, 10, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    assert player.cells[0][0] not in "?.B12345678 "


@pytest.mark.requirement(
    "J:packet MOVE_LEFT", "J:packet MOVE_RIGHT", "J:packet MOVE_UP", "J:packet MOVE_DOWN"
)
@pytest.mark.parametrize(
    ("there", "back"),
    [(Command.MOVE_RIGHT, Command.MOVE_LEFT), (Command.MOVE_DOWN, Command.MOVE_UP)],
)
def test_a_move_shows_and_the_opposite_one_undoes_it(
    player: Player, there: Command, back: Command
) -> None:
    player.start(20, 10, 1)
    home = player.field_picture
    player.do(there)
    assert player.field_picture != home
    player.do(back)
    assert player.field_picture == home


@pytest.mark.parametrize("columns", [5, 45])
def test_the_cursor_of_the_terminal_is_on_or_beside_the_selected_cell(
    new_player: Callable[..., Player], columns: int
) -> None:
    player = new_player(200)
    player.start(columns, 4, 1)
    for column, row in player.walk():
        lattice, cursor = player.lattice, player.terminal.cursor
        beside = lattice.left + column * lattice.column_step - cursor.column
        assert 0 <= beside < max(lattice.column_step, 1)
        assert cursor.row == lattice.screen_rows[row]


@pytest.mark.parametrize(
    ("inwards", "outwards"),
    [
        ([], Command.MOVE_LEFT),
        ([], Command.MOVE_UP),
        ([Command.MOVE_RIGHT] * 4, Command.MOVE_RIGHT),
        ([Command.MOVE_DOWN] * 3, Command.MOVE_DOWN),
    ],
)
def test_the_cursor_stops_at_the_edge(
    player: Player, inwards: list[Command], outwards: Command
) -> None:
    player.start(5, 4, 1)
    player.do(*inwards)
    before = player.field_picture
    player.do(outwards)
    assert player.field_picture == before


@pytest.mark.requirement("J:win", "J:terminal state", "J:incompatible command")
def test_marking_the_only_bomb_wins_and_the_game_is_over(player: Player) -> None:
    player.start(1, 1, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    won = player.field_picture
    for command in EVERYTHING_BUT_START_AND_QUIT:
        player.do(command)
        assert player.field_picture == won
    player.start(2, 1, 1)


@pytest.mark.requirement("J:lose", "J:reveal bomb", "J:character B")
def test_revealing_the_only_bomb_loses_and_shows_it(player: Player) -> None:
    player.start(1, 1, 3)
    player.do(Command.REVEAL)
    assert player.cells == [BOMB]


@pytest.mark.requirement("J:terminal state", "J:incompatible command")
def test_after_a_loss_only_start_and_quit_do_anything(player: Player) -> None:
    player.start(9, 9, 3)
    player.reveal_until_lost()
    lost = player.field_picture
    for command in EVERYTHING_BUT_START_AND_QUIT:
        player.do(command)
        assert player.field_picture == lost
    player.start(9, 9, 1)
    player.peer.send(Command.QUIT)
    assert player.peer.receive_until_closed() == []


@pytest.mark.requirement("J:lost field")
def test_on_a_lost_field_a_marked_bomb_an_unmarked_one_and_the_fatal_one_look_different(
    player: Player,
) -> None:
    player.start(30, 16, 3)
    fatal = mark_the_first_row_and_lose(player)
    marked = {(column, 0) for column in range(30)}
    bombs = {
        (column, row)
        for row, line in enumerate(player.cells)
        for column, shown in enumerate(line)
        if shown == BOMB
    }
    looks = [
        {player.look(*cell) for cell in cells}
        for cells in (bombs & marked, bombs - marked - {fatal}, {fatal})
    ]
    assert all(looks)
    assert len(set.union(*looks)) == sum(map(len, looks))


def mark_the_first_row_and_lose(player: Player) -> tuple[int, int]:
    """The cell that was stepped on."""
    for column, row in player.walk():
        player.do(Command.REVEAL if row else Command.TOGGLE_BOMB_MARK)
        if player.has_lost:
            return column, row
    raise AssertionError("no bomb was met")


@pytest.mark.requirement("J:packet TOGGLE_DEBUG_MODE")
def test_debug_mode_shows_bombs_and_hides_them_again(player: Player) -> None:
    player.start(9, 9, 1)
    plain = player.field_picture
    player.do(Command.TOGGLE_DEBUG_MODE)
    if player.field_picture == plain:
        pytest.skip("the server forbids debug mode")
    assert any(BOMB in player.terminal.lines[row] for row in player.lattice.screen_rows)
    player.do(Command.TOGGLE_DEBUG_MODE)
    assert player.field_picture == plain


@pytest.mark.requirement("J:many clients", "U:several clients")
def test_two_players_have_a_game_each(new_player: Callable[..., Player]) -> None:
    ada, bob = new_player(), new_player()
    ada.start(9, 9, 1)
    bob.start(5, 4, 1)
    ada.do(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    before = ada.field_picture
    bob.do(Command.TOGGLE_BOMB_MARK, Command.MOVE_DOWN, Start(3, 3, 1), Command.REVEAL)
    bob.peer.send(Command.QUIT)
    assert bob.peer.receive_until_closed() == []
    ada.do(Command.MOVE_LEFT, Command.MOVE_RIGHT)
    assert ada.field_picture == before
