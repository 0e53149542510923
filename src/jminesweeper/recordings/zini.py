"""ZiNi: how few clicks clear a board, where flags and chords are used.

The least number is hard to find, so players compare boards by what a greedy player who knows every
mine needs (G.ZiNi). The *premium* of a safe cell is what flagging the mines around it and chording
there saves::

    premium = 3BV that the chord opens - mines around without a flag - 1, and - 1 if it is covered

The 3BV that a chord opens are the covered lone cells around it, itself included, and the covered
openings it touches. While a premium is not negative, the first cell with the highest one is opened,
the mines around it are flagged, and it is chorded; otherwise the first covered zero or lone cell is
opened. Each click counts one.

Which cell is the first decides ties, and so changes the result. *8-way* ZiNi is the lowest of the
eight results for reading by rows or by columns, from either end of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import product

from jminesweeper.core.flood import flood
from jminesweeper.core.grid import indices, lowest
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Rules, Spread
from jminesweeper.recordings.figures import split_by_opening


def zini_results(field: Minefield, rules: Rules) -> Iterator[int]:
    """Give the results of the eight orders one by one: on a large board each takes its time."""
    board = _Board(field, rules)
    for by_columns, from_right, from_below in product((False, True), repeat=3):
        ranks = _ranks(field, by_columns, from_right, from_below)
        yield _Greedy(board, ranks).clear()


def zini(field: Minefield, rules: Rules) -> int:
    """Count the clicks of the best of the eight orders."""
    return min(zini_results(field, rules))


class _Board:
    """The board as the greedy player sees it. Cells are the numbers of their bits."""

    def __init__(self, field: Minefield, rules: Rules) -> None:
        grid = field.grid
        zeros, lone = split_by_opening(field, rules)
        self.lone = frozenset(indices(lone))
        self.safe = indices(field.safe)
        self.openers = indices(zeros | lone)
        near = {index: grid.around(index) for index in indices(grid.mask)}
        self.safe_near = {
            index: indices((1 << index | around) & field.safe) for index, around in near.items()
        }
        self.mines_near = {index: indices(near[index] & field.mines) for index in self.safe}
        self.opened: list[Sequence[int]] = []
        """The cells of each opening."""
        self.touched: list[Sequence[int]] = []
        """The cells beside which each opening has a zero, or on one."""
        self.opening_of: dict[int, int] = {}
        """The opening of each zero."""
        while zeros:
            diagonal = rules.spread is Spread.EIGHT
            part = flood(grid, lowest(zeros), zeros, diagonal=diagonal)
            border = grid.neighbours(part) if diagonal else grid.beside(part)
            self.opening_of.update(dict.fromkeys(indices(part), len(self.opened)))
            self.opened.append(indices((part | border) & field.safe))
            self.touched.append(indices((part | grid.neighbours(part)) & field.safe))
            zeros ^= part

    def premiums(self) -> dict[int, int]:
        """Return the premium of each cell before the first click."""
        premiums = {
            index: len(self.lone.intersection(self.safe_near[index])) - len(mines) - 2
            for index, mines in self.mines_near.items()
        }
        for touched in self.touched:
            for index in touched:
                premiums[index] += 1
        return premiums


class _Greedy:
    """The greedy player on a board; `ranks` says which cell comes first."""

    def __init__(self, board: _Board, ranks: Sequence[int]) -> None:
        self._board = board
        self._ranks = ranks
        self._covered = set(board.safe)
        self._flagged: set[int] = set()
        self._premiums: dict[int, int] = {}
        # Entries whose premium has changed since are skipped.
        self._best: list[tuple[int, int, int]] = []
        for index, premium in board.premiums().items():
            self._set_premium(index, premium)

    def clear(self) -> int:
        """Clear the board, and count the clicks."""
        openers = iter(sorted(self._board.openers, key=self._ranks.__getitem__))
        clicks = 0
        while self._covered:
            best = self._take_best()
            if best is None:
                self._open(next(index for index in openers if index in self._covered))
                clicks += 1
            else:
                clicks += self._solve(best)
        return clicks

    def _take_best(self) -> int | None:
        while self._best:
            negative, _, index = heappop(self._best)
            if self._premiums[index] == -negative:
                return index
        return None

    def _solve(self, index: int) -> int:
        """Open a cell, flag the mines around it, and chord; count these clicks."""
        clicks = 1
        if index in self._covered:
            self._open(index)
            clicks += 1
        for mine in self._board.mines_near[index]:
            if mine not in self._flagged:
                self._flagged.add(mine)
                self._change(self._board.safe_near[mine], 1)
                clicks += 1
        for each in self._board.safe_near[index]:
            if each in self._covered:
                self._open(each)
        return clicks

    def _open(self, index: int) -> None:
        board = self._board
        opening = board.opening_of.get(index)
        if opening is None:
            self._uncover(index)
            return
        for each in board.opened[opening]:
            if each in self._covered:
                self._uncover(each)
        self._change(board.touched[opening], -1)

    def _uncover(self, index: int) -> None:
        self._covered.remove(index)
        self._change((index,), 1)
        if index in self._board.lone:
            self._change(self._board.safe_near[index], -1)

    def _change(self, cells: Iterable[int], by: int) -> None:
        for index in cells:
            self._set_premium(index, self._premiums[index] + by)

    def _set_premium(self, index: int, premium: int) -> None:
        self._premiums[index] = premium
        if premium >= 0:
            heappush(self._best, (-premium, self._ranks[index], index))


def _ranks(field: Minefield, by_columns: bool, from_right: bool, from_below: bool) -> Sequence[int]:
    """Give each cell its place in one of the eight orders."""
    size, stride = field.size, field.grid.stride
    ranks = []
    for row, column in product(range(size.rows), range(stride)):
        across = size.columns - 1 - column if from_right else column
        down = size.rows - 1 - row if from_below else row
        ranks.append(across * size.rows + down if by_columns else down * size.columns + across)
    return ranks
