"""A server under test, and a player that plays there by what the screen shows.

The protocol says which characters a field has, but not where it is, how far apart its cells are,
how a mark looks, or whether keys that are typed ahead are answered. One short game tells, and how
far away the server is: `ServerUnderTest.learn`. From then on checks ask for games. Each reply holds
the whole screen, so each is looked at by itself, and of many keys at once only the last.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from jminesweeper.check.painted import HIDDEN, FieldPlace, Look, PaintedScreen, find_field
from jminesweeper.check.suite import (
    ANSWERS,
    MOST_ANSWER_S,
    RESTARTED_S,
    SECOND_PATIENCE,
    SUITE_S,
    Budget,
    DeviationError,
    NoConnectionError,
    ServerClosedError,
    SilenceError,
    TimeSpentError,
    Transcript,
    expect,
)
from jminesweeper.check.wire import (
    DOWN,
    LEFT,
    MARK,
    REVEAL,
    RIGHT,
    SOCKETS,
    START,
    UP,
    CheckedConnection,
    Packet,
    Peer,
    ServerNetwork,
    Version1,
    start,
)
from jminesweeper.client.address import Address
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.protocol.vocabulary import announced_version

MINE: Final = "B"
EMPTY: Final = "."
OPENED: Final = f"{EMPTY}12345678"
STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    LEFT: (-1, 0),
    RIGHT: (1, 0),
    UP: (0, -1),
    DOWN: (0, 1),
}
TURNED: Final[Mapping[Packet, Packet]] = {LEFT: UP, UP: LEFT, RIGHT: DOWN, DOWN: RIGHT}
"""Moves on a server that swaps columns and rows throughout."""
MOST_LINES: Final = 40
FIRST_START: Final = start(9, 4, 1)
IDLE_S: Final = 1.2
"""Time that a player who does nothing is left alone."""
MOST_GAMES: Final = 8
KEYS_AT_ONCE: Final = 64
TIMES_TO_START: Final = 3.0
"""A server may take longer to start than to answer."""
RETRY_S: Final = 0.02

Picture: TypeAlias = tuple[tuple[Look, ...], ...]
C = TypeVar("C", bound=CheckedConnection[Any])


@lru_cache(maxsize=64)
def painted(frame: bytes, size: Size) -> PaintedScreen:
    """Paint a frame on a screen of its own; many frames come more than once."""
    return PaintedScreen.showing(frame, size)


def place_of(cell: Cell) -> str:
    """Name a cell as a person counts."""
    return f"column {cell.column + 1}, row {cell.row + 1}"


@dataclass(frozen=True, slots=True)
class Habits:
    """Differences between servers that all may be right; None is what could not be learnt."""

    version: int = 1
    field: FieldPlace | None = None
    """The place of the field of the first game."""
    mark: str | None = None
    keys_at_once: int = 1
    answer_s: float = 0.0
    """The time of an answer, most of it on its way."""
    swaps_sizes: bool = False
    """START 9x4 shows 4x9: a fault that has a check, and is made up for in all others."""
    swaps_moves: bool = False
    """MOVE_RIGHT goes down, and so on."""
    keeps_cursor: bool = False
    """A new game begins with its cursor elsewhere, such as where it was in the last one."""
    quit_answers: int | None = 0
    """Answers to QUIT, of which there ought to be none; None if it does not even close."""

    def facts(self) -> dict[str, str]:
        """Return what was learnt, in words."""
        facts = {"version": str(self.version)}
        if self.field:
            facts["cell_step"] = f"{self.field.across}x{self.field.down}"
        if self.mark:
            facts["mark"] = self.mark
        if self.answer_s:
            facts["answer"] = f"{1000 * self.answer_s:.0f} ms"
        return facts


class ServerProcess:
    """A command that runs a server, or starts one; each start ends what the last one began."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.stop()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class ServerUnderTest:
    """Connections to one server, all ended after each check.

    With a process the server is started anew for a connection that is alone: for servers that have
    one player only, and end with him.
    """

    def __init__(
        self,
        address: Address,
        budget: Budget | None = None,
        process: ServerProcess | None = None,
        network: ServerNetwork = SOCKETS,
    ) -> None:
        """Check a server within a budget; without one, as long as its distance takes."""
        self.address = address
        self.transcript = Transcript()
        self.habits = Habits()
        self.first_error: DeviationError | None = None
        """The deviation that kept the first game from being learnt from."""
        self.network = network
        self._grows = budget is None
        seconds = RESTARTED_S if process else SUITE_S
        self.budget = budget or Budget(seconds, clock=network.now)
        self._process = process
        self._connections: list[CheckedConnection[Any]] = []

    @property
    def is_restarted(self) -> bool:
        """True if each connection meets a server of its own."""
        return self._process is not None

    # Connections

    def connect(self, name: str = "") -> CheckedConnection[Packet]:
        """Open a connection; its name tells it from others in the transcript."""
        return self._open(
            lambda: CheckedConnection(
                Version1(is_server=True),
                self.address,
                self.transcript,
                self.budget.patience,
                name=name,
                network=self.network,
                quit_answers=self.habits.quit_answers,
            )
        )

    def peer(self, name: str = "") -> Peer:
        """Open one that speaks version 2."""
        return self._open(
            lambda: Peer(
                self.address,
                self.transcript,
                self.budget.patience,
                name=name,
                network=self.network,
                quit_answers=self.habits.quit_answers,
            )
        )

    def _open(self, connect: Callable[[], C]) -> C:
        end_s = self.network.now()
        if self._process is not None and not any(each.is_open for each in self._connections):
            self._process.start()
            end_s += self.budget.patience(TIMES_TO_START)
        while True:
            try:
                connection = connect()
            except NoConnectionError:
                if self.network.now() >= end_s:
                    raise
                self.network.sleep(RETRY_S)
            else:
                self._connections.append(connection)
                return connection

    def lost_game(self, columns: int, rows: int, level: int) -> ScreenPlayer:
        """Lose a game on a connection of its own.

        Where opening every safe cell wins, which another clause is about, a mine may be met last.
        """
        for _ in range(MOST_GAMES - 1):
            player = self.game(columns, rows, level)
            try:
                player.lose()
            except DeviationError:
                if not any(HIDDEN in row for row in player.cells):
                    raise
            else:
                return player
        player = self.game(columns, rows, level)
        player.lose()
        return player

    def hang_up(self) -> None:
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    def close(self) -> None:
        self.hang_up()
        if self._process is not None:
            self._process.stop()

    # Games

    def player(self, name: str = "") -> ScreenPlayer:
        return ScreenPlayer(self.connect(name), self.habits)

    def game(self, columns: int, rows: int, level: int) -> ScreenPlayer:
        """Start a game on a connection of its own, the only one."""
        self.hang_up()
        player = self.player()
        player.start(columns, rows, level)
        return player

    def games(
        self, columns: int, rows: int, level: int, due: str, most: int = MOST_GAMES
    ) -> Iterator[ScreenPlayer]:
        """Start one game after the other; it is a deviation if none shows what is due.

        A server may deal the same board each time, so each player is to begin elsewhere: from
        `player.first_cell`.
        """
        player = self.game(columns, rows, level)
        for number in range(most):
            player.game_number = number
            yield player
            try:
                # On one connection, for each may have the same boards; and after a loss, for
                # START within a game is another clause.
                player.lose()
                player.start(columns, rows, level)
            except ServerClosedError:
                player = self.game(columns, rows, level)
        came = f"{most} games of {columns}x{rows} at level {level}, and nothing of the kind"
        raise DeviationError(came, due)

    # The first game

    def learn(self) -> Habits:
        """Play a little, and remember how this server does it; each failure has its check."""
        try:
            try:
                self._play_first_game()
            except SilenceError:
                # It may have been busy with something else, its own start included.
                self.hang_up()
                self.budget.multiply_patience(SECOND_PATIENCE)
                try:
                    self._play_first_game()
                finally:
                    self.budget.multiply_patience(1 / SECOND_PATIENCE)
        except NoConnectionError:
            raise
        except DeviationError as error:
            self.first_error = error
        except TimeSpentError:
            pass
        finally:
            self.hang_up()
        if self._grows:
            self.budget.extend(ANSWERS * min(self.habits.answer_s, MOST_ANSWER_S))
        return self.habits

    def _play_first_game(self) -> None:
        player = self.player()
        before_s = self.network.now()
        frame = player.do(FIRST_START)
        answer_s = self.network.now() - before_s
        self.habits = Habits(version=announced_version(frame), answer_s=answer_s)
        with suppress(DeviationError, TimeSpentError):
            for size, is_swapped in ((Size(9, 4), False), (Size(4, 9), True)):
                if player.find_field(size):
                    self.habits = replace(self.habits, field=player.field, swaps_sizes=is_swapped)
                    break
            before_s = self.network.now()
            player.do(RIGHT)
            answer_s = max(answer_s, self.network.now() - before_s)
            self.habits = replace(self.habits, answer_s=answer_s)
            if self.habits.field:
                player.do(MARK)
                for marked in player.marked()[:1]:
                    mark, swaps_moves = player.letter(marked), marked == Cell(0, 1)
                    self.habits = replace(self.habits, mark=mark, swaps_moves=swaps_moves)
            player.connection.send(*[RIGHT] * 3)
            for _ in range(3):
                player.connection.receive_screen()
            self.habits = replace(self.habits, keys_at_once=KEYS_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Shot:
    """The field and the cursor as they were on the screen at one time."""

    picture: Picture
    cursor: Cell
    text: str

    def is_like(self, other: Shot) -> bool:
        """Compare the field and the cursor; the rest of the screen does not count."""
        return self.picture == other.picture and self.cursor == other.cursor

    def expect_like(self, other: Shot, came: str, expected: str) -> None:
        """Expect this to be like another one; else both are described, so that one can see it."""
        shown, wanted = self.text, other.text
        if shown == wanted:
            if self.cursor != other.cursor:
                shown, wanted = self._with_cursor(), other._with_cursor()
            else:
                shown = f"in other colours:\n{shown}"
        expect(self.is_like(other), f"{came}:\n{shown}", f"{expected}:\n{wanted}")

    def _with_cursor(self) -> str:
        """Write the screen with brackets around the cursor of the terminal."""
        column, row = self.cursor
        lines = self.text.splitlines()
        lines += [""] * (row + 1 - len(lines))
        line = f"{lines[row]:<{column + 1}}"
        lines[row] = f"{line[:column]}[{line[column]}]{line[column + 1 :]}"
        return "\n".join(["(the cursor between brackets)", *lines])


class ScreenPlayer:
    """Plays by what the screen shows; sends so many keys before it reads the answers."""

    def __init__(self, connection: CheckedConnection[Packet], habits: Habits) -> None:
        self.connection = connection
        self.screen = PaintedScreen()
        self.game_number = 0
        """Number of the game among several, from 0."""
        self._habits = habits
        self._field: FieldPlace | None = None
        self._size = Size(20, 20)
        self._cells: list[str] | None = None
        self._at = Cell(0, 0)
        """The cell that the cursor is on, by the moves that were sent."""
        self._planned: list[Packet] = []
        self._planned_at = self._at

    def expect(self, holds: bool, came: str, expected: str) -> None:
        """Raise a deviation with the screen unless a condition holds."""
        expect(holds, f"{came}:\n{self.screen_text}", expected)

    # What it does

    def do(self, *packets: Packet) -> bytes:
        """Send packets, and look at the last of their screens."""
        frames: list[bytes] = []
        try:
            frames.extend(self._frames(packets))
        finally:
            if frames:
                self.show(frames[-1])
        return frames[-1]

    def send(self, *packets: Packet) -> None:
        """Send packets together, moves in the directions that this server gives them."""
        for packet in packets:
            if packet in STEPS:
                (right, down), (column, row) = STEPS[packet], self._at
                column = min(max(column + right, 0), self._size.columns - 1)
                self._at = Cell(column, min(max(row + down, 0), self._size.rows - 1))
            elif packet.kind == START:
                self._at = Cell(0, 0)
        turned = TURNED if self._habits.swaps_moves else {}
        self.connection.send(*[turned.get(packet, packet) for packet in packets])

    def show(self, frame: bytes) -> None:
        """Look at a screen that came otherwise."""
        self.screen = painted(frame, self._size)
        self._cells = None

    def watch(self, *packets: Packet) -> Iterator[None]:
        """Send packets, and look at each of their screens in turn."""
        for frame in self._frames(packets):
            self.show(frame)
            yield

    def _frames(self, packets: Sequence[Packet]) -> Iterator[bytes]:
        at_once = self._habits.keys_at_once
        for first in range(0, len(packets), at_once):
            together = packets[first : first + at_once]
            self.connection.expect_nothing_unasked()
            self.send(*together)
            for packet in together:
                yield self.connection.receive_screen(f"one SCREEN_CONTENT for {packet}")

    def start(self, columns: int, rows: int, level: int) -> None:
        """Start a game; its field must be on the screen, all hidden."""
        self._size = Size(columns, rows)
        asked = (rows, columns) if self._habits.swaps_sizes else (columns, rows)
        self.do(start(*asked, level))
        is_found = self.find_field(self._size)
        self.expect(is_found, "this screen", f"a field of {columns}x{rows} `?`")
        if self._habits.keeps_cursor:
            self.do(*[LEFT] * columns, *[UP] * rows)

    def find_field(self, size: Size) -> bool:
        """Find a covered field of this size on the screen."""
        self._size = size
        self._field = find_field(self.screen, size, self._habits.field)
        self._cells = None
        return self._field is not None

    def way_to(self, there: Cell) -> list[Packet]:
        """Return the moves from where the cursor is."""
        return way(self._at, there)

    def plan(self, there: Cell, *packets: Packet) -> None:
        """Note packets that are to be sent on a cell."""
        moves = way(self._planned_at if self._planned else self._at, there)
        self._planned += [*moves, *packets]
        self._planned_at = there

    def do_planned(self) -> None:
        """Send all packets that were noted."""
        planned, self._planned = self._planned, []
        if planned:
            self.do(*planned)

    def go(self, there: Cell) -> None:
        """Take the cursor to a cell."""
        if moves := self.way_to(there):
            self.do(*moves)

    def lose(self) -> None:
        """Reveal row after row until a mine is met; what a server does after it does not count."""
        if self.has_lost():
            return
        self.go(Cell(0, 0))
        walk, columns = self.walk(), self._size.columns
        for first in range(0, len(walk), columns):
            row = walk[first : first + columns]
            try:
                self.do(*[packet for _, path in row for packet in (*path, REVEAL)])
            except ServerClosedError:
                if not self.has_lost():
                    raise
            if self.has_lost():
                return
        came = f"every cell was revealed, and no {MINE} appears"
        self.expect(False, came, f"a lost game that shows its mines as {MINE}")

    # What it sees

    @property
    def field(self) -> FieldPlace:
        if self._field is None:
            raise DeviationError("no field", "a game that was started")
        return self._field

    @property
    def screen_text(self) -> str:
        return "\n".join(self.screen.text.splitlines()[:MOST_LINES])

    @property
    def cells(self) -> list[str]:
        """The first character of every cell, a string for each row of the field."""
        if self._cells is None:
            self._cells = list(self.field.rows(self.screen.lines))
        return self._cells

    def letter(self, cell: Cell) -> str:
        return self.cells[cell.row][cell.column]

    def letters(self) -> Sequence[tuple[Cell, str]]:
        """Return all cells in reading order, each with its first character."""
        return [
            (Cell(column, row), letter)
            for row, letters in enumerate(self.cells)
            for column, letter in enumerate(letters)
        ]

    def marked(self) -> list[Cell]:
        """Return the cells of a running game that look neither hidden nor opened."""
        return [cell for cell, letter in self.letters() if letter not in f"{HIDDEN}{OPENED}"]

    def has_lost(self) -> bool:
        return any(MINE in row for row in self.cells)

    @property
    def picture(self) -> Picture:
        """The field as it looks, its colours and what is around its cells included."""
        field = self.field
        first = max(field.left - 1, 0)
        columns = range(first, field.left + field.size.columns * field.across + 1)
        end = field.top + field.size.rows * field.down
        return tuple(self.screen.look(row, columns) for row in range(field.top, end))

    @property
    def shot(self) -> Shot:
        lines = list(self.screen.lines)
        return Shot(self.picture, self.screen.cursor, "\n".join(lines[:MOST_LINES]))

    def look(self, cell: Cell) -> tuple[Look, ...]:
        """Return everything that is painted for one cell."""
        column, row = self.field.at(cell)
        return self.screen.look(row, range(column, column + self.field.across))

    def comparable(self, framed: Cell) -> set[Cell]:
        """Return the cells whose looks differ by nothing but what they show.

        The cursor may frame its cell, and the last of a row may have the field's edge beside it.
        """
        last = self._size.columns - (self.field.across > 1)
        return {
            cell
            for cell, _ in self.letters()
            if cell.column < last
            and (cell.row != framed.row or abs(cell.column - framed.column) > 1)
        }

    # Where its cells are

    def walk(self) -> Sequence[tuple[Cell, Sequence[Packet]]]:
        """Take the cursor from the top left over every cell, to and fro.

        Each cell comes with the packets that take the cursor there from the last one.
        """
        columns, rows = self._size.columns, self._size.rows
        cells = [
            Cell(column, row)
            for row in range(rows)
            for column in range(columns)[:: -1 if row % 2 else 1]
        ]
        return [
            (cell, way(before, cell))
            for before, cell in zip([Cell(0, 0), *cells], cells, strict=False)
        ]

    @property
    def first_cell(self) -> Cell:
        """The cell to begin with: in each of several games on one board another one."""
        index = self.game_number * 37 % self._size.cells
        return Cell(index % self._size.columns, index // self._size.columns)

    def cells_from_first(self) -> list[Cell]:
        """Return all cells on one way over the field, the first cell first."""
        cells = [cell for cell, _ in self.walk()]
        first = cells.index(self.first_cell)
        return cells[first:] + cells[:first]

    def around(self, cell: Cell) -> Sequence[Cell]:
        """Return the up to eight neighbours of a cell."""
        return Grid.of(self._size).neighbours_of(cell)

    def beside(self, cell: Cell) -> Iterator[Cell]:
        """Return the up to four cells above, below, left and right of a cell."""
        grid = Grid.of(self._size)
        return grid.cells(grid.beside(grid.bit(cell)))


def way(here: Cell, there: Cell) -> list[Packet]:
    """Return the moves from one cell to another."""
    right, down = there.column - here.column, there.row - here.row
    # A list that is taken less than once is empty.
    return [RIGHT] * right + [LEFT] * -right + [DOWN] * down + [UP] * -down
