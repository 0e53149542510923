"""Conclusions from the shown numbers by the two rules people use first.

A number whose mines are all known makes the rest of its neighbours safe, and one that needs all
its unknown neighbours makes them mines. When that is exhausted, two numbers that share cells are
compared: if one needs so many more mines than the other that they fill the cells only it sees,
those are mines and the cells only the other sees are safe (subsets are a special case).

The state is kept between moves: a reveal costs work for the numbers around it, not for the board.
Cells are bit numbers of the core's `Grid`, and neighbours are tables of them made once per size:
only a few cells change at a time, so a walk from cell to cell beats shifting the whole board.

The refusals that all of the solver shares come first, and its way to know that time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from jminesweeper.core.errors import SolverError, check_kind
from jminesweeper.core.grid import Cell, Grid, Size, indices, lowest
from jminesweeper.core.view import Layers, PlayerView, faces_of

Deadline = Callable[[], bool]
"""Says whether time is up. It is asked often, so it must be cheap."""


def never() -> bool:
    return False


class ImpossiblePositionError(SolverError):
    """No layout of the mines agrees with the clues that are shown."""

    __module__ = "jminesweeper"


class GameOverError(SolverError):
    """The game has ended: there is nothing left to find out or to do."""

    __module__ = "jminesweeper"


class OutOfTimeError(SolverError):
    """The deadline passed before there was an answer."""

    __module__ = "jminesweeper"


def check(deadline: Deadline) -> None:
    """Raise `OutOfTimeError` once time is up."""
    if deadline():
        raise OutOfTimeError("there is no answer in time")


def check_running(view: PlayerView) -> None:
    """Raise GameOverError if a view is of a game that has ended, ArgumentError if it is none."""
    check_kind("view", view, PlayerView, "a PlayerView, such as game.view")
    if view.status.is_over:
        raise GameOverError("the game is over")


UNKNOWN, SAFE, MINE, SHOWN, PADDING = range(5)


# Making it takes a fifth of a hint on an Expert board, and 0.1 s on the largest.
@lru_cache(maxsize=8)
def neighbour_table(grid: Grid) -> list[tuple[int, ...]]:
    """Return the neighbours of each cell by its index; the padding column has none."""
    stride, cells = grid.stride, indices(grid.mask)
    on_board = frozenset(cells)
    steps = (-stride - 1, -stride, 1 - stride, -1, 1, stride - 1, stride, stride + 1)
    table: list[tuple[int, ...]] = [()] * (stride * grid.size.rows)
    for index in cells:
        near = [index + step for step in steps]
        table[index] = tuple([each for each in near if each in on_board])
    return table


class Knowledge:
    """Certainties about every cell of one game so far."""

    def __init__(self, size: Size, mine_count: int) -> None:
        self.grid = Grid.of(size)
        self.neighbours = neighbour_table(self.grid)
        self.status = bytearray((bytes(size.columns) + bytes([PADDING])) * size.rows)
        """By index: UNKNOWN, SAFE (proved, not yet shown), MINE (proved), SHOWN or PADDING."""
        self.need = [0] * len(self.status)
        """Of a shown number: the mines it still needs among its unknown neighbours."""
        self.room = [0] * len(self.status)
        """Of a shown number: how many of its neighbours are unknown."""
        self.mine_count = mine_count
        self.mines_left = mine_count
        self.unknown_left = size.cells
        self.safe: list[int] = []
        """Cells proved safe, in the order of proof; some may be visible by now."""
        self.visible = 0
        self.hit = 0
        """The mines that were hit and did not end the game."""
        self._pending: list[int] = []
        self._pairs: set[int] = set()

    def update(self, view: PlayerView) -> None:
        """Process what became visible since the last call; ignore flags."""
        self.show(new_clues(view, self.visible))
        self.visible = view.visible
        if view.known != self.hit:
            self.mark_mines(indices(view.known & ~self.hit))
            self.hit = view.known

    def show(self, clues: list[tuple[int, int]]) -> None:
        """Process newly visible cells with their clues."""
        status, room = self.status, self.room
        neighbours, pending = self.neighbours, self._pending
        fresh = []
        for index, _ in clues:
            if status[index] == UNKNOWN:
                fresh.append(index)
            elif status[index] == MINE:
                raise ImpossiblePositionError("a cell that had to be a mine is visible")
            status[index] = SHOWN
        self.unknown_left -= len(fresh)
        for index in fresh:
            for near in neighbours[index]:
                # Only numbers shown earlier have room: those of this call get theirs below.
                if room[near]:
                    room[near] -= 1
                    pending.append(near)
        self._measure(clues)

    def _measure(self, clues: list[tuple[int, int]]) -> None:
        """Record what new numbers need; all cells shown together count by their final state."""
        status, need, room = self.status, self.need, self.room
        neighbours, pending = self.neighbours, self._pending
        for index, clue in clues:
            unknown = mines = 0
            for near in neighbours[index]:
                state = status[near]
                if state == UNKNOWN:
                    unknown += 1
                elif state == MINE:
                    mines += 1
            need[index] = clue - mines
            room[index] = unknown
            pending.append(index)

    def deduce(self) -> bool:
        """Draw conclusions until a cell is proved safe; return whether there is one."""
        self._apply_single_numbers()
        while not self.has_safe() and self._pairs:
            self._compare(self._pairs.pop())
            self._apply_single_numbers()
        return bool(self.safe)

    def deduce_all(self) -> None:
        """Draw every conclusion the two rules allow."""
        self._apply_single_numbers()
        while self._pairs:
            self._compare(self._pairs.pop())
            self._apply_single_numbers()

    def has_safe(self) -> bool:
        """Return True if a cell that is proved safe is still covered."""
        safe, status = self.safe, self.status
        while safe and status[safe[-1]] == SHOWN:
            safe.pop()
        return bool(safe)

    def take_safe(self) -> list[int]:
        """Return the covered cells that are proved safe, once."""
        status = self.status
        cells = [index for index in self.safe if status[index] == SAFE]
        self.safe.clear()
        return cells

    def mark_safe(self, cells: Iterable[int]) -> None:
        """Record cells as safe, proved here or elsewhere."""
        status, room = self.status, self.room
        neighbours, pending = self.neighbours, self._pending
        for index in cells:
            if status[index] != UNKNOWN:
                continue
            status[index] = SAFE
            self.unknown_left -= 1
            self.safe.append(index)
            for near in neighbours[index]:
                if room[near]:
                    room[near] -= 1
                    pending.append(near)

    def mark_mines(self, cells: Iterable[int]) -> None:
        """Record cells as mines, proved here or elsewhere."""
        status, room, need = self.status, self.room, self.need
        neighbours, pending = self.neighbours, self._pending
        for index in cells:
            if status[index] != UNKNOWN:
                continue
            status[index] = MINE
            self.unknown_left -= 1
            self.mines_left -= 1
            for near in neighbours[index]:
                if room[near]:
                    room[near] -= 1
                    need[near] -= 1
                    pending.append(near)

    def correct_clues(self, index: int, change: int) -> None:
        """Record that an unknown cell of a draft gained or lost a mine."""
        need, room, pending = self.need, self.room, self._pending
        for near in self.neighbours[index]:
            if room[near]:
                need[near] += change
                pending.append(near)

    def cells_that_are(self, status: int) -> int:
        digits = bytes(b"01"[each == status] for each in range(PADDING + 1))
        return int(self.status.translate(digits.ljust(256))[::-1], 2)

    def within(self, window: int) -> Knowledge:
        """Return a copy without the numbers outside a window."""
        copy = Knowledge(self.grid.size, self.mine_count)
        copy.mines_left = self.mines_left
        copy.status[:] = self.status
        copy.unknown_left = self.unknown_left
        copy.visible, copy.hit = self.visible, self.hit
        for index in indices(window & self.visible):
            copy.need[index] = self.need[index]
            copy.room[index] = self.room[index]
        return copy

    def unknown(self) -> list[int]:
        return [index for index, status in enumerate(self.status) if status == UNKNOWN]

    def unknown_around(self, index: int) -> list[int]:
        status = self.status
        return [near for near in self.neighbours[index] if status[near] == UNKNOWN]

    def _apply_single_numbers(self) -> None:
        pending, need, room = self._pending, self.need, self.room
        pairs = self._pairs
        while pending:
            index = pending.pop()
            unknown, mines = room[index], need[index]
            if not 0 <= mines <= unknown:
                raise ImpossiblePositionError("a number disagrees with the mines around it")
            if not unknown:
                continue
            if not mines:
                self.mark_safe(self.unknown_around(index))
            elif mines == unknown:
                self.mark_mines(self.unknown_around(index))
            else:
                pairs.add(index)

    def _compare(self, index: int) -> None:
        """Compare a number with each one that shares unknown cells with it."""
        need, room = self.need, self.room
        mines, unknown = need[index], room[index]
        if not 0 < mines < unknown:
            return
        status, neighbours = self.status, self.neighbours
        shared: dict[int, int] = {}
        for cell in neighbours[index]:
            if status[cell] == UNKNOWN:
                for near in neighbours[cell]:
                    if status[near] == SHOWN:
                        shared[near] = shared.get(near, 0) + 1
        del shared[index]
        for other, common in shared.items():
            surplus = mines - need[other]
            only_here, only_there = unknown - common, room[other] - common
            # The two see the same cells: nothing follows.
            if only_here + only_there == 0:
                continue
            if surplus == only_here:
                self._separate(index, other)
                return
            if -surplus == only_there:
                self._separate(other, index)
                return

    def _separate(self, fuller: int, other: int) -> None:
        here, there = self.unknown_around(fuller), self.unknown_around(other)
        # Both may be looked at again: other numbers near them have not been compared yet.
        self._pairs.update((fuller, other))
        self.mark_mines([cell for cell in here if cell not in there])
        self.mark_safe([cell for cell in there if cell not in here])


def new_clues(view: PlayerView, known: int) -> list[tuple[int, int]]:
    """Return the cells visible now and not in `known`, each with its clue."""
    clues = faces_of(view.grid, Layers(*view.clue_planes, 0, 0, 0, 0), range(view.size.rows))
    return [(index, clues[index]) for index in indices(view.visible & ~known)]


def nearest(grid: Grid, cells: int, place: Cell) -> Cell:
    """Return the cell of a set, not empty, that is fewest king's moves away from a place."""
    reached = grid.bit(place)
    while not reached & cells:
        reached |= grid.neighbours(reached)
    return grid.cell(lowest(reached & cells).bit_length() - 1)
