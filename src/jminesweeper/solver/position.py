"""One position: its certain cells, the counts of its components, and the chances that follow.

All answers of the solver begin here. It sees what a player sees, and it ignores flags, since those
may be wrong. During a game a position is kept up to date.

The mine count joins the components with the cells that no number sees. If the components take m
mines together, the u unseen cells share the rest in C(u, rest) ways. So the weight of m mines in
one component is the sum, over all the others' mines, of their layouts times that binomial. Up to a
fair size everything is integers. Beyond it one more mine here or there hardly changes what is left
for the others: every mine then weighs the same odds, those that give the known number on average.

`Analysis` is what programs see of it: the chances of all cells, exact while they can be counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, fsum, sqrt
from statistics import fmean
from typing import NamedTuple

from jminesweeper.core.errors import check_kind
from jminesweeper.core.grid import Cell, Place, Size, bits
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.components import (
    Component,
    Counts,
    TooManyStatesError,
    build,
    count_layouts,
)
from jminesweeper.solver.knowledge import (
    MINE,
    SAFE,
    Deadline,
    ImpossiblePositionError,
    Knowledge,
    check_running,
    never,
)

_MOST_EXACT = 160
_SETTLED = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """The weights that the total mine count gives to each component's own count."""

    weights: Sequence[Sequence[float]]
    """Per component, by mines above its fewest: what all others contribute."""
    total: float
    """The weight of all layouts: how many there are, where the weights are exact."""
    unseen_mined: float
    """The weight of the layouts in which one given unseen cell is a mine."""
    exact: bool


def join(parts: Sequence[Counts], unseen: int, mines: int) -> Balance:
    """Weigh the components of a position against each other and the unseen cells."""
    spare = mines - sum([part.fewest for part in parts])
    spread = sum([len(part.layouts) - 1 for part in parts])
    if spare < 0 or spare - spread > unseen:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    if spread <= _MOST_EXACT:
        return _join_exactly(parts, unseen, spare, spread)
    odds = _find_odds(parts, unseen, spare)
    weights = [[odds**mines for mines in range(len(part.layouts))] for part in parts]
    return Balance(weights, 1.0, odds / (1 + odds), exact=False)


def _join_exactly(parts: Sequence[Counts], unseen: int, spare: int, spread: int) -> Balance:
    """Sum over all ways to share the mines out, before each component and after it."""
    layouts = [part.layouts for part in parts]
    before = [[1]]
    for ways in layouts:
        taken = before[-1]
        joint = [0] * (len(taken) + len(ways) - 1)
        for used, way in enumerate(taken):
            for mines, more in enumerate(ways):
                joint[used + mines] += way * more
        before.append(joint)
    # In how many ways the unseen cells take the mines that 0 to `spread` others leave. One binomial
    # of a large board takes 10 ms: each further one follows from it.
    most = min(spare, unseen)
    choices, rest = comb(unseen, most), [0] * (spread + 1)
    for left in range(most, max(-1, spare - spread - 1), -1):
        rest[spare - left] = choices
        choices = choices * left // (unseen - left + 1)
    after = rest
    weights: list[list[int]] = []
    for taken, ways in zip(reversed(before[:-1]), reversed(layouts), strict=True):
        weights.append(_weigh(taken, after, len(ways)))
        after = _weigh(ways, after, len(taken))
    weights.reverse()
    total = after[0]
    if not total:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    mined = [ways * (spare - used) // max(1, unseen) for used, ways in enumerate(rest)]
    return Balance(weights, total, _weigh(before[-1], mined, 1)[0], exact=True)


def _weigh(ways: Sequence[int], weights: Sequence[int], length: int) -> list[int]:
    """Weigh each number of mines by the ways in which another part goes with it."""
    terms = [(used, way) for used, way in enumerate(ways) if way]
    return [sum([way * weights[used + mines] for used, way in terms]) for mines in range(length)]


def _find_odds(parts: Sequence[Counts], unseen: int, spare: int) -> float:
    """Find the odds of a mine under which the expected number of mines is the known one."""
    totals = [sum(part.layouts) for part in parts]
    shares = [
        [ways / total for ways in part.layouts] for part, total in zip(parts, totals, strict=True)
    ]
    low, high = 1e-6, 1e6
    while high / low > 1 + _SETTLED:
        odds = sqrt(low * high)
        expected = unseen * odds / (1 + odds)
        for share in shares:
            weight = mean = 0.0
            power = 1.0
            for mines, part in enumerate(share):
                weight += part * power
                mean += part * power * mines
                power *= odds
            expected += mean / weight
        if expected < spare:
            low = odds
        else:
            high = odds
    return sqrt(low * high)


DEFAULT_STATE_LIMIT = 300_000
"""The budget of a position, measured in states: every board has an answer in bounded time."""

UNSEEN = -1
_LEAST_IN_ESTIMATES = 1e-3
"""An estimated chance is never nearer to certainty than this."""

_NO_BOARD = Size(1, 1)


class Position:
    """Everything that a player can know of one board."""

    def __init__(self, size: Size, mine_count: int, state_limit: int = DEFAULT_STATE_LIMIT) -> None:
        self.state_limit = state_limit
        self.knowledge = Knowledge(size, mine_count)

    @staticmethod
    def of(view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT) -> Position:
        """Draw every conclusion from a view that looks at one or two numbers."""
        position = Position(_NO_BOARD, 1, state_limit)
        position.update(view)
        position.knowledge.deduce_all()
        if not 0 <= position.knowledge.mines_left <= position.knowledge.unknown_left:
            raise ImpossiblePositionError("the number of mines does not fit the clues")
        return position

    def update(self, view: PlayerView) -> None:
        """Process what became visible; after an undo, or on another board, start over."""
        check_kind("view", view, PlayerView, "a PlayerView, such as game.view")
        known = self.knowledge
        is_same = (known.grid, known.mine_count) == (view.grid, view.mine_count)
        if not is_same or known.visible & ~view.visible or known.hit & ~view.known:
            self.knowledge = Knowledge(view.size, view.mine_count)
        self.knowledge.update(view)

    def within(self, window: int) -> Position:
        """Return a copy that ignores the numbers outside a window.

        What follows from some of the numbers follows from all of them.
        """
        copy = Position(self.knowledge.grid.size, self.knowledge.mine_count, self.state_limit)
        copy.knowledge = self.knowledge.within(window)
        return copy

    def components(self) -> list[Component]:
        """Find the numbers that depend on each other."""
        met = set[int]()
        found: list[Component] = []
        for number, room in enumerate(self.knowledge.room):
            if room and number not in met:
                found.append(build(self.knowledge, number))
                met.update(found[-1].numbers)
        return found

    def assess(self, deadline: Deadline = never) -> Assessment:
        """Count every component, estimate what exceeds the budget, and weigh them together."""
        known, found = self.knowledge, self.components()
        counts = self._count(found, deadline)
        counted = [(each, counts[each]) for each in found if each in counts]
        beyond = [each for each in found if each not in counts]
        # An estimate takes for each box the mean of what its numbers need of their cells.
        need, room = known.need, known.room
        estimated = [
            (each, [fmean([need[n] / room[n] for n in box.numbers]) for box in each.boxes])
            for each in beyond
        ]
        mines = known.mines_left
        unseen = known.unknown_left - sum([len(component.cells) for component in found])
        for component, chances in estimated:
            shares = zip(chances, component.boxes, strict=True)
            mines -= round(fsum([chance * len(box.cells) for chance, box in shares]))
        if estimated:
            # An estimated number of mines must not make the rest impossible.
            least = sum([each.fewest for _, each in counted])
            mines = max(least, min(mines, least + unseen))
        balance = join([each for _, each in counted], unseen, mines)
        return Assessment(known, counted, estimated, balance, deadline)

    def settle(self, deadline: Deadline = never) -> Assessment:
        """Count until a cell is known to be safe, or nothing more is certain."""
        while True:
            assessment = self.assess(deadline)
            if not assessment.mark_certain() or self.knowledge.has_safe():
                return assessment
            self.knowledge.deduce_all()

    def _count(
        self, components: Sequence[Component], deadline: Deadline
    ) -> Mapping[Component, Counts]:
        """Count as many components as the budget allows, the smallest first."""
        counts: dict[Component, Counts] = {}
        budget = self.state_limit
        for component in sorted(components, key=lambda each: len(each.steps)):
            try:
                counts[component] = count_layouts(component, budget, deadline)
            except TooManyStatesError:
                # The following ones are no smaller.
                break
            budget -= counts[component].cost
        return counts


class Group(NamedTuple):
    """Cells with the same chance of a mine."""

    chance: float
    owner: int
    """The place of their component among those counted, or else UNSEEN."""
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Assessment:
    """The components of a position with their counts, under the mine count of the board."""

    knowledge: Knowledge
    counted: Sequence[tuple[Component, Counts]]
    estimated: Sequence[tuple[Component, Sequence[float]]]
    """Components over the budget, each with the chance of a mine in each of its boxes."""
    balance: Balance
    deadline: Deadline

    @property
    def exact(self) -> bool:
        """True if every layout was counted, in integers."""
        return self.balance.exact and not self.estimated

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """The unknown cells that no shown number sees."""
        components = [component for component, _ in (*self.counted, *self.estimated)]
        seen = {cell for component in components for cell in component.cells}
        return tuple([cell for cell in self.knowledge.unknown() if cell not in seen])

    @property
    def unseen_chance(self) -> float:
        return self.balance.unseen_mined / self.balance.total

    def certain(self) -> tuple[list[int], list[int]]:
        """Return the cells that are safe in every layout, and the cells that are mines.

        Where the mine count is weighed by odds, or some of it estimated, only the clues make things
        certain.
        """
        safe: list[int] = []
        mines: list[int] = []
        for (component, counts), weights in zip(self.counted, self.balance.weights, strict=True):
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                if not any(mined) or (self.exact and not dot(mined, weights)):
                    safe.extend(box.cells)
                elif mined == counts.layouts or (
                    self.exact and dot(mined, weights) == self.balance.total
                ):
                    mines.extend(box.cells)
        if self.exact and not self.balance.unseen_mined:
            safe.extend(self.unseen)
        return safe, mines

    def mark_certain(self) -> bool:
        """Record what counting made certain; return whether there was anything."""
        safe, mines = self.certain()
        self.knowledge.mark_mines(mines)
        self.knowledge.mark_safe(safe)
        return bool(safe or mines)

    @cached_property
    def groups(self) -> list[Group]:
        """All unknown cells by their chances, the safest first."""
        return sorted(self._boxes)

    @cached_property
    def _boxes(self) -> list[Group]:
        found: list[Group] = []
        for owner, (component, counts) in enumerate(self.counted):
            chances = self._chances(counts, self.balance.weights[owner])
            found += _grouped(component, chances, owner)
        for component, shares in self.estimated:
            found += _grouped(component, shares, UNSEEN)
        if self.unseen:
            found.append(Group(self.unseen_chance, UNSEEN, self.unseen))
        if self.estimated:
            # Where some is estimated no figure is a certainty.
            return [group._replace(chance=uncertain(group.chance)) for group in found]
        return found

    def _chances(self, counts: Counts, weights: Sequence[float]) -> list[float]:
        """Return the chance of a mine in each box of a counted component."""
        if self.balance.exact:
            return [dot(mined, weights) / self.balance.total for mined in counts.mined]
        # Counts of large components do not fit into floats, shares do.
        layouts = sum(counts.layouts)

        def weigh(ways: Sequence[int]) -> float:
            # Python's own sum of floats differs from version to version.
            pairs = zip(ways, weights, strict=True)
            return fsum([way / layouts * weight for way, weight in pairs])

        norm = weigh(counts.layouts)
        return [weigh(mined) / norm for mined in counts.mined]

    @cached_property
    def chance(self) -> dict[int, float]:
        return {cell: group.chance for group in self._boxes for cell in group.cells}

    @cached_property
    def owner(self) -> dict[int, int]:
        """The owner of each unknown cell, as in its group."""
        return {cell: group.owner for group in self._boxes for cell in group.cells}

    @property
    def lowest(self) -> float:
        return self.groups[0].chance


def dot(counts: Sequence[float], weights: Sequence[float]) -> float:
    return sum([count * each for count, each in zip(counts, weights, strict=True) if count])


def uncertain(chance: float) -> float:
    return min(1 - _LEAST_IN_ESTIMATES, max(_LEAST_IN_ESTIMATES, chance))


def _grouped(component: Component, chances: Sequence[float], owner: int) -> list[Group]:
    return [
        Group(chance, owner, box.cells)
        for box, chance in zip(component.boxes, chances, strict=True)
    ]


class Analysis:
    """Everything that can be known about one position."""

    def __init__(self, view: PlayerView, assessment: Assessment) -> None:
        self._grid = view.grid
        self._assessment = assessment

    def __repr__(self) -> str:
        counted = "estimated" if self.layouts is None else f"{self.layouts} layouts"
        sure = f"{self.safe.bit_count()} safe, {self.mines.bit_count()} mines"
        return f"<Analysis {self._grid.size}, {counted}, {sure}>"

    def _repr_html_(self) -> str:
        """Draw the chances in a notebook, in percent, the safest cells green."""
        columns, rows = self._grid.size.columns, self._grid.size.rows
        cells = [
            "".join(
                _html(self.by_index.get(row * self._grid.stride + column))
                for column in range(columns)
            )
            for row in range(rows)
        ]
        lines = "".join(f"<tr>{line}</tr>" for line in cells)
        return f'<table style="font: 0.8em monospace">{lines}</table>'

    @property
    def exact(self) -> bool:
        """True unless the figures are estimates, on a large board."""
        return self._assessment.exact

    @property
    def layouts(self) -> int | None:
        """Number of layouts that agree with the position; None if it was too large to count."""
        return int(self._assessment.balance.total) if self.exact else None

    @cached_property
    def chances(self) -> Mapping[Cell, Fraction]:
        """The chance of a mine in each cell that is not visible, in reading order."""
        return {self._grid.cell(index): chance for index, chance in sorted(self.by_index.items())}

    def chance(self, cell: Place) -> Fraction:
        """Return the chance of a mine in one cell: 0 if it is visible."""
        return self.by_index.get(self._grid.index(cell), Fraction(0))

    @cached_property
    def safe(self) -> int:
        """The covered cells that hold no mine in any layout."""
        return self._certain(Fraction(0))

    @cached_property
    def mines(self) -> int:
        """The covered cells that hold a mine in every layout."""
        return self._certain(Fraction(1))

    def _certain(self, chance: Fraction) -> int:
        index = self._grid.index
        return bits(index(cell) for cell, each in self.chances.items() if each == chance)

    @cached_property
    def by_index(self) -> Mapping[int, Fraction]:
        """The same by the numbers of the cells, in no order."""
        status = self._assessment.knowledge.status
        settled = {SAFE: Fraction(0), MINE: Fraction(1)}
        chances = {index: settled[each] for index, each in enumerate(status) if each in settled}
        # The cells that one or two numbers do not settle.
        assessment, balance = self._assessment, self._assessment.balance
        if not assessment.exact:
            # Only what the clues alone make certain is, although the rest is estimated.
            estimates = assessment.chance.items()
            chances |= {cell: Fraction(uncertain(chance)) for cell, chance in estimates}
            safe, mines = assessment.certain()
            return chances | dict.fromkeys(safe, Fraction(0)) | dict.fromkeys(mines, Fraction(1))
        total = Fraction(balance.total)
        chances |= dict.fromkeys(assessment.unseen, Fraction(balance.unseen_mined) / total)
        for (component, counts), weights in zip(assessment.counted, balance.weights, strict=True):
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                chances |= dict.fromkeys(box.cells, Fraction(dot(mined, weights)) / total)
        return chances


def _html(chance: Fraction | None) -> str:
    if chance is None:
        return "<td></td>"
    hue = round(120 * (1 - float(chance)))
    style = f"background: hsl({hue} 70% 80%); color: #000; text-align: right"
    return f'<td style="{style}">{round(100 * float(chance))}</td>'


def analyse(
    view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT, deadline: Deadline = never
) -> Analysis:
    """Work out the chance of a mine in every covered cell of a running game.

    Raises `ImpossiblePositionError` when no layout agrees with the view, `OutOfTimeError` when the
    deadline passes, and `GameOverError` once the game has ended.
    """
    check_running(view)
    return Analysis(view, Position.of(view, state_limit).assess(deadline))
