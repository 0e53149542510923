"""Checks of the game in version 1: fields, marks and the cursor, then reveals, loss and win.

Each builds upon those before it: where a mark goes tells where the cursor is, a cursor that goes
its way takes a player over all cells, and a lost field tells where the mines were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from jminesweeper.check.painted import HIDDEN, Look
from jminesweeper.check.replies import (
    COMMANDS,
    GAME,
    HEADER_BYTES,
    a_new_field_is_hidden,
    debug_mode_is_answered_with_one_screen,
    frames_stand_on_their_own,
    start_names_columns_before_rows,
)
from jminesweeper.check.server import (
    EMPTY,
    MINE,
    MOST_GAMES,
    OPENED,
    TURNED,
    ScreenPlayer,
    ServerUnderTest,
    Shot,
    place_of,
)
from jminesweeper.check.suite import AdviceError, Checklist, NotApplicableError
from jminesweeper.check.wire import (
    DEBUG,
    DOWN,
    LEFT,
    MARK,
    QUIT,
    REVEAL,
    RIGHT,
    UP,
    Packet,
    encode,
    start,
)
from jminesweeper.core.grid import Cell, Size

OTHER_SIZES: Final = (
    (1, 1),
    (2, 1),
    (1, 2),
    (40, 5),
    (41, 5),
    (255, 1),
    (1, 255),
    (255, 255),
)
LARGEST_FRAME: Final = 95_227
MEANINGFUL: Final = f"{MINE}{OPENED} "
BAD_STARTS: Final = (
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
"""Mines of each level, rounded half up, and at least one."""
FLOODS: Final = 3
TOSSES: Final = 32
"""A coin tossed so often does not come up tails every time."""

check = Checklist[ServerUnderTest]()


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


def expect_marks(player: ScreenPlayer, came: str, after: str, *there: Cell) -> None:
    """Expect marks in these cells, and nowhere else."""
    marked = player.marked()
    places = " and ".join(map(place_of, marked)) or "no cell that can be seen"
    expected = " and ".join(map(place_of, there))
    player.expect(marked == sorted(there, key=by_row), f"{came} in {places}", expected + after)


def by_row(cell: Cell) -> tuple[int, int]:
    return cell.row, cell.column


# Fields


@check("The game: All cells of a new field are hidden.", needs=[a_new_field_is_hidden])
def fields_of_all_sizes_can_be_played(server: ServerUnderTest) -> None:
    for (columns, rows), level in product(OTHER_SIZES, (1, 2, 3)):
        if level == 1 or columns * rows < 1_000:
            server.game(columns, rows, level)


@check(
    "What stock clients need: Over loopback up to 95,227 bytes arrive whole",
    needs=[fields_of_all_sizes_can_be_played],
)
def the_largest_frames_arrive_whole(server: ServerUnderTest) -> None:
    connection = server.connect()
    longest = 0
    for level in (1, 2, 3):
        for packet in (start(255, 255, level), RIGHT, DOWN, LEFT, UP, REVEAL, MARK):
            longest = max(longest, len(connection.ask(packet)) + HEADER_BYTES)
    if longest > LARGEST_FRAME:
        raise AdviceError(
            f"{longest} bytes for a field of 255x255",
            f"at most {LARGEST_FRAME} bytes: stock clients read no more of one reply",
        )


@check(
    "The game: A field of 30x16 fits a terminal of 80x24.",
    needs=[a_new_field_is_hidden, start_names_columns_before_rows],
)
def usual_fields_fit_80x24(server: ServerUnderTest) -> None:
    for columns, rows in ((20, 10), (30, 16)):
        player = server.game(columns, rows, 1)
        right, bottom = player.field.at(Cell(columns - 1, rows - 1))
        came = f"a field of {columns}x{rows} that reaches to column {right + 1}, row {bottom + 1}"
        player.expect(right < 80 and bottom < 24, came, "a field within 80 columns and 24 rows")


@check(
    "Replies: START within a game gives that game up and begins another.",
    needs=[a_new_field_is_hidden],
)
def a_start_within_a_game_begins_another(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    player.do(MARK)
    player.start(5, 4, 2)


@check(
    "Replies: START with a size or level out of range changes nothing",
    needs=[frames_stand_on_their_own, a_start_within_a_game_begins_another],
)
def a_start_out_of_range_changes_nothing(server: ServerUnderTest) -> None:
    for bad in BAD_STARTS:
        player = server.game(9, 9, 1)
        player.do(RIGHT, MARK)
        expect_no_change(player, bad)


# Marks and the cursor


@check(
    "The game: A mark has a look of its own, and a second one takes it away.",
    needs=[frames_stand_on_their_own, a_new_field_is_hidden],
)
def a_mark_shows_and_a_second_one_takes_it_away(server: ServerUnderTest) -> None:
    player = server.game(20, 10, 1)
    unmarked = player.shot
    expect_change(player, MARK)
    marks = [(cell, letter) for cell, letter in player.letters() if letter != HIDDEN]
    player.expect(bool(marks), "no cell that looks otherwise", "a mark instead of `?`")
    for _, mark in marks:
        came = f"a mark that looks like this: {mark!r}"
        player.expect(mark not in MEANINGFUL, came, "a look of its own")
    player.expect(len(marks) == 1, f"{len(marks)} cells that look marked", "one mark")
    player.do(MARK)
    expect_same(player, unmarked, "after two marks")


@check(
    "Replies: The cursor starts at the top-left cell, in every game.",
    needs=[a_mark_shows_and_a_second_one_takes_it_away, a_start_within_a_game_begins_another],
)
def a_new_game_has_its_cursor_at_the_top_left(server: ServerUnderTest) -> None:
    player = server.player()
    for game in ("the first game", "a second game"):
        player.do(start(9, 9, 2))
        if not player.find_field(Size(9, 9)):
            raise NotApplicableError(f"{game} does not begin")
        player.do(MARK)
        marked = player.marked()
        # The other checks make up for it.
        server.habits = replace(server.habits, keeps_cursor=marked != [Cell(0, 0)])
        kept = ", where the cursor was in the game before:" if marked == [Cell(1, 1)] else ""
        expect_marks(player, f"in {game}{kept} the first mark", "", Cell(0, 0))
        player.do(RIGHT, DOWN)


@check(
    "Version 1: the cursor goes one cell to the right",
    needs=[a_mark_shows_and_a_second_one_takes_it_away],
)
def every_move_goes_its_way(server: ServerUnderTest) -> None:
    # A server that swaps columns and rows throughout has failed one check already.
    turned = TURNED if server.habits.swaps_sizes and server.habits.swaps_moves else {}
    ways = {RIGHT: Cell(2, 1), DOWN: Cell(1, 2), LEFT: Cell(0, 1), UP: Cell(1, 0)}
    for move, there in ways.items():
        player = server.game(5, 4, 2)
        for packet in (RIGHT, DOWN, move, MARK):
            player.show(player.connection.ask(turned.get(packet, packet)))
        expect_marks(player, "the cursor", f" after MOVE_RIGHT, MOVE_DOWN and {move}", there)


@check(
    "The game: The selected cell can be seen.",
    needs=[every_move_goes_its_way],
)
def a_move_shows_and_the_opposite_one_undoes_it(server: ServerUnderTest) -> None:
    for there, back in ((RIGHT, LEFT), (DOWN, UP)):
        player = server.game(20, 10, 1)
        home = player.shot
        expect_change(player, there)
        player.do(back)
        expect_same(player, home, f"after {there} and {back}")


@check("Replies: A move at the edge does nothing.", needs=[every_move_goes_its_way])
def the_cursor_stops_at_the_edges(server: ServerUnderTest) -> None:
    for moves, corner in (((LEFT, UP), Cell(0, 0)), ((RIGHT, DOWN) * 5, Cell(4, 3))):
        player = server.game(5, 4, 2)
        player.do(*moves, MARK)
        expect_marks(player, "the cursor", " after moves beyond the edges", corner)
    walls = {
        LEFT: (Cell(0, 2), RIGHT, Cell(1, 2)),
        RIGHT: (Cell(4, 1), LEFT, Cell(3, 1)),
        UP: (Cell(2, 0), DOWN, Cell(2, 1)),
        DOWN: (Cell(2, 3), UP, Cell(2, 2)),
    }
    for move, (wall, back, beside) in walls.items():
        player = server.game(5, 4, 2)
        player.go(wall)
        player.do(move, move, MARK)
        expect_marks(player, "the cursor", f" after two times {move} at that edge", wall)
        player.do(back, MARK)
        after = f": one step back from an edge after two times {move}"
        expect_marks(player, "marks", after, wall, beside)


@check(
    "What stock clients need: leaves the terminal's cursor on the selected cell",
    needs=[a_move_shows_and_the_opposite_one_undoes_it],
)
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


# Several players


@check(
    "Replies: Every connection has a game of its own.",
    needs=[every_move_goes_its_way],
)
def two_players_have_a_game_each(server: ServerUnderTest) -> None:
    ada, bob = server.player("Ada"), server.player("Bob")
    ada.start(9, 9, 1)
    bob.start(5, 4, 1)
    ada.do(RIGHT, MARK)
    before = ada.shot
    bob.do(MARK, DOWN, REVEAL)
    bob.connection.send(QUIT)
    ada.do(LEFT, RIGHT)
    ada.shot.expect_like(before, "Ada's screen after Bob has played", "what she saw before")


@check(
    "What stock clients need: on Ctrl-C they vanish without QUIT",
    needs=[two_players_have_a_game_each],
)
def a_client_that_vanishes_disturbs_nobody(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    vanishing = server.connect()
    vanishing.send_bytes(encode(GAME)[:6])
    vanishing.close()
    other.ask(RIGHT)


# A lost game


@check(
    "7 START: 1 easy, 5 % of the cells are mines; 2 medium, 25 %; 3 hard, 45 %",
    needs=[every_move_goes_its_way],
)
def a_lost_game_shows_the_mines_of_its_level(server: ServerUnderTest) -> None:
    for (columns, rows), counts in MINES.items():
        for level, mines in enumerate(counts, 1):
            player = server.lost_game(columns, rows, level)
            shown = sum(row.count(MINE) for row in player.cells)
            came = f"{shown} mines on {columns}x{rows} at level {level}"
            player.expect(shown == mines, came, f"{mines} mines")


@check(
    "The game: REVEAL of a mine loses the game, and the whole field is shown.",
    needs=[fields_of_all_sizes_can_be_played, a_lost_game_shows_the_mines_of_its_level],
)
def revealing_the_only_mine_loses_and_shows_it(server: ServerUnderTest) -> None:
    player = server.game(1, 1, 3)
    player.do(REVEAL)
    player.expect(player.cells == [MINE], "this screen", f"{MINE} in the only cell")


@check(
    "9 SCREEN_CONTENT: digits for the number of mines in the eight cells around",
    needs=[a_lost_game_shows_the_mines_of_its_level],
)
def every_number_counts_the_mines_around_it(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        player = server.lost_game(20, 10, level)
        for cell, shown in player.letters():
            mines = sum(player.letter(beside) == MINE for beside in player.around(cell))
            right = str(mines) if mines else EMPTY
            came = f"{shown!r} in {place_of(cell)}"
            player.expect(shown in {right, MINE}, came, f"{right!r}: {mines} mines are around it")


@check(
    "The game: After its end only START and QUIT do anything.",
    needs=[debug_mode_is_answered_with_one_screen, a_lost_game_shows_the_mines_of_its_level],
)
def after_a_loss_only_start_and_quit_do_anything(server: ServerUnderTest) -> None:
    player = server.lost_game(9, 9, 3)
    expect_no_change(player, *COMMANDS)
    player.start(9, 9, 1)
    player.connection.expect_no_more()


@check(
    "The game: On a lost field both a mark and the mine under it can be seen.",
    needs=[
        a_mark_shows_and_a_second_one_takes_it_away,
        a_lost_game_shows_the_mines_of_its_level,
    ],
)
def on_a_lost_field_marks_can_be_told_apart(server: ServerUnderTest) -> None:
    player = server.game(30, 16, 3)
    cells = [cell for cell, _ in player.letters()]
    columns = player.field.size.columns
    # On a board that is not shuffled mines may be at one end.
    for cell in (*cells[:columns], *cells[-columns:]):
        player.plan(cell, MARK)
    player.do_planned()
    marked, fatal = set(player.marked()), Cell(0, 0)
    for cell in cells[columns:-columns]:
        player.do(*player.way_to(cell), REVEAL)
        fatal = cell
        if player.has_lost():
            break
        # A flood may take marks away.
        marked = set(player.marked())
    player.expect(player.has_lost(), "no mine was met", "mines in 45 % of the cells")
    comparable = player.comparable(fatal)
    marked &= comparable
    looks_of_unmarked = {player.look(cell) for cell in comparable - marked}
    looks_of_marked = {player.look(cell) for cell in marked}
    came = "a marked cell looks like one without a mark"
    can_be_seen = looks_of_marked.isdisjoint(looks_of_unmarked)
    player.expect(can_be_seen, came, "marks that can still be seen")
    expected = "a mine under a mark that can be seen, and where none is"
    player.expect(len(looks_of_marked) > 1, "all marked cells look the same", expected)


# Reveals


@check(
    "The game: a cell with none around opens the cells above, below, left and right of it",
    needs=[
        every_number_counts_the_mines_around_it,
        after_a_loss_only_start_and_quit_do_anything,
    ],
)
def an_empty_cell_opens_what_is_above_below_left_and_right(server: ServerUnderTest) -> None:
    floods = 0
    for player in server.games(20, 10, 1, f"{FLOODS} cells with no mine around"):
        for before, cell in reveals_until_lost(player):
            floods += player.letter(cell) == EMPTY
            expect_flood(player, before, cell)
            if floods == FLOODS:
                return


def reveals_until_lost(player: ScreenPlayer) -> Iterator[tuple[list[str], Cell]]:
    """Reveal every hidden cell; the field before each reveal, and the cell, unless it lost."""
    for cell in player.cells_from_first():
        before = player.cells
        if before[cell.row][cell.column] not in OPENED:
            player.do(*player.way_to(cell), REVEAL)
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


@check(
    "The game: It takes marks away there.",
    needs=[
        a_mark_shows_and_a_second_one_takes_it_away,
        an_empty_cell_opens_what_is_above_below_left_and_right,
    ],
)
def a_flood_opens_marked_cells_and_takes_their_marks_away(server: ServerUnderTest) -> None:
    for player in server.games(20, 10, 1, "a cell with no mine around"):
        # Every second cell is marked, but not the last one, on which the cursor then is.
        *others, last = player.cells_from_first()
        for cell in others:
            if (cell.column + cell.row - last.column - last.row) % 2:
                player.plan(cell, MARK)
        player.plan(last)
        player.do_planned()
        before = player.cells
        player.do(REVEAL)
        if not player.has_lost() and player.letter(last) == EMPTY:
            expect_marks_gone(player, before, last)
            return


def expect_marks_gone(player: ScreenPlayer, before: Sequence[str], first: Cell) -> None:
    """See that the flood opened what was marked, and that nothing of the marks is left."""
    opened: dict[str, tuple[Look, ...]] = {}
    marked: dict[str, tuple[Look, ...]] = {}
    comparable = player.comparable(first)
    for cell, letter in player.letters():
        for beside in player.beside(cell) if letter == EMPTY else ():
            came = f"{place_of(beside)} keeps its mark"
            is_opened = player.letter(beside) in OPENED
            player.expect(is_opened, came, "it opened by its neighbour")
        if letter in OPENED and cell in comparable:
            was_marked = before[cell.row][cell.column] != HIDDEN
            (marked if was_marked else opened)[letter] = player.look(cell)
    for letter in opened.keys() & marked.keys():
        came = f"an opened {letter!r} still looks marked"
        player.expect(opened[letter] == marked[letter], came, "no mark on an opened cell")


@check(
    "The game: REVEAL of a revealed cell does nothing.",
    needs=[after_a_loss_only_start_and_quit_do_anything],
)
def revealing_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    player = one_revealed(server)
    expect_no_change(player, REVEAL)
    for cell, letter in player.letters():
        hidden = sum(player.letter(each) == HIDDEN for each in player.around(cell))
        # Of those that are safe there is one, whatever a server does about the mines.
        if letter in OPENED[1:] and hidden > int(letter):
            player.go(cell)
            expect_no_change(player, REVEAL)
            return


@check(
    "The game: TOGGLE_BOMB_MARK on a revealed cell does nothing.",
    needs=[after_a_loss_only_start_and_quit_do_anything],
)
def marking_a_revealed_cell_does_nothing(server: ServerUnderTest) -> None:
    expect_no_change(one_revealed(server), MARK)


def one_revealed(server: ServerUnderTest) -> ScreenPlayer:
    """Reveal one cell in a game that goes on."""
    return next(
        player
        for player in server.games(20, 10, 1, "a first reveal that does not lose")
        if player.do(*player.way_to(player.first_cell), REVEAL) and not player.has_lost()
    )


@check(
    "The game: Nor does REVEAL of a marked one.",
    needs=[a_mark_shows_and_a_second_one_takes_it_away, a_lost_game_shows_the_mines_of_its_level],
)
def revealing_a_marked_cell_does_nothing(server: ServerUnderTest) -> None:
    player = server.game(20, 10, 1)
    player.do(RIGHT, MARK)
    expect_no_change(player, REVEAL)


@check(
    "The game: REVEAL of a revealed cell does nothing.",
    needs=[
        a_mark_shows_and_a_second_one_takes_it_away,
        revealing_a_revealed_cell_does_nothing,
        every_number_counts_the_mines_around_it,
    ],
)
def revealing_a_number_that_has_its_marks_does_nothing(server: ServerUnderTest) -> None:
    games = server.games(20, 10, 1, "a number, its mines, and another hidden cell beside it")
    for _, player in zip(range(MOST_GAMES), games, strict=False):
        for _ in reveals_until_lost(player):
            for number, mines in settled_numbers(player):
                for mine in mines:
                    player.plan(mine, MARK)
                player.plan(number)
                player.do_planned()
                expect_no_change(player, REVEAL)
                return
    raise NotApplicableError("no number has its mines, and another hidden cell beside it")


def settled_numbers(player: ScreenPlayer) -> Iterator[tuple[Cell, Sequence[Cell]]]:
    """Find numbers whose mines are proved by others, with a hidden cell beside that is none."""
    hidden_around = {
        cell: [each for each in player.around(cell) if player.letter(each) == HIDDEN]
        for cell, letter in player.letters()
        if letter in OPENED
    }
    proved = {
        mine
        for cell, hidden in hidden_around.items()
        if player.letter(cell) == str(len(hidden))
        for mine in hidden
    }
    for cell, hidden in hidden_around.items():
        mines = [each for each in hidden if each in proved]
        if player.letter(cell) == str(len(mines)) and len(mines) < len(hidden):
            yield cell, mines


# Debug mode, and a win


@check(
    "Version 1: debug mode, which shows the mines, goes on or off",
    needs=[debug_mode_is_answered_with_one_screen, a_lost_game_shows_the_mines_of_its_level],
)
def debug_mode_shows_mines_and_hides_them_again(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    mines = mines_of_debug_mode(player)
    player.lose()
    lost = {cell for cell, letter in player.letters() if letter == MINE}
    # The first reveal may have moved one away.
    is_same = len(lost ^ mines) <= 2
    player.expect(is_same, "mines elsewhere after a loss", "mines where debug mode had them")


def mines_of_debug_mode(player: ScreenPlayer) -> set[Cell]:
    """Return the cells with mines on a field of 9x9; it is then as it was."""
    plain, text = player.shot, player.screen.text
    looks = {cell: player.look(cell) for cell, _ in player.letters()}
    player.do(DEBUG)
    if player.picture == plain.picture:
        says_so = player.screen.text != text
        expected = "the mines, or a word that they are not shown"
        player.expect(says_so, "nothing new on the screen", expected)
        raise NotApplicableError("the server forbids debug mode")
    mines = {cell for cell in looks if MINE in {each.data for each in player.look(cell)}}
    player.expect(bool(mines), "this screen", f"mines, shown as {MINE}")
    count = MINES[9, 9][0]
    player.expect(len(mines) == count, f"{len(mines)} mines in debug mode", f"{count} mines")
    for cell, look in looks.items():
        came = f"another look of {place_of(cell)}"
        # Beside a mine a cursor that frames its cell may look otherwise as well.
        is_framed = cell.row == 0 and cell.column <= 1
        is_same = is_framed or cell in mines or player.look(cell) == look
        player.expect(is_same, came, "the look it had: it holds no mine")
    player.do(DEBUG)
    expect_same(player, plain, "than before debug mode")
    return mines


@check(
    "The game: The game is won when all mines are marked and nothing else.",
    needs=[
        fields_of_all_sizes_can_be_played,
        a_mark_shows_and_a_second_one_takes_it_away,
        after_a_loss_only_start_and_quit_do_anything,
    ],
)
def marking_the_only_mine_wins(server: ServerUnderTest) -> None:
    player = server.game(1, 1, 1)
    player.do(MARK)
    # A won game ignores what would lose it or take the mark away.
    expect_no_change(player, *COMMANDS)
    player.start(2, 1, 1)


@check(
    "The game: Opening every other cell does not win it.",
    needs=[fields_of_all_sizes_can_be_played, after_a_loss_only_start_and_quit_do_anything],
)
def opening_every_safe_cell_does_not_win(server: ServerUnderTest) -> None:
    for player in server.games(2, 1, 1, "a first reveal that does not lose", TOSSES):
        opened = player.first_cell
        player.do(*player.way_to(opened), REVEAL)
        if not player.has_lost():
            player.go(Cell(1 - opened.column, 0))
            before = player.shot
            player.do(MARK)
            came = "the game is over, for the last cell takes no mark"
            is_running = not player.shot.is_like(before)
            player.expect(is_running, came, "a game that waits for its mine's mark")
            return


@check(
    "The game: The game is won when all mines are marked and nothing else.",
    needs=[marking_the_only_mine_wins, debug_mode_shows_mines_and_hides_them_again],
)
def marking_exactly_the_mines_wins(server: ServerUnderTest) -> None:
    player = server.game(9, 9, 1)
    mines = sorted(mines_of_debug_mode(player), key=by_row)
    wrong = next(cell for cell, _ in player.letters() if cell not in mines)
    # With a mark too many the game runs on, until that mark goes.
    for cell in (mines[0], wrong, *mines[1:], wrong):
        player.go(cell)
        expect_change(player, MARK)
    expect_no_change(player, *COMMANDS)
