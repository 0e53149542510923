"""Puzzles from a player's own games: positions in which a guess was needless.

A position is a game's code and a place in its log, so a puzzle is a few numbers, and goes with its
game. One that was solved at once does not come back. One that was missed comes back after a day,
and if it is solved then, after longer and longer times, until it was solved after all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records import keys
from jminesweeper.records.documents import Flow, new_version, read_document, reading_values
from jminesweeper.records.results import Draft
from jminesweeper.store.port import DONE

MAX_PUZZLES: Final = 200
"""Most puzzles of a player; beyond them solved ones are dropped first, then the oldest."""
MAX_OF_GAME: Final = 5
"""Most puzzles of one game: more of the same board teach nothing new."""
A_DAY: Final = 5
RETURN_DAYS: Final = (1, 3, 7, 21)
"""Days until a missed puzzle comes back, and until it does after each time it is solved."""
SOLVED: Final = len(RETURN_DAYS) + 1


class Puzzle(NamedTuple):
    """A position, and when it comes back."""

    code: str
    place: int
    """Number of the actions that lead to it."""
    due_day: int = 0
    """In days since 1970."""
    step: int = 0
    """0: new. 1: missed, and one more for each time it was solved since. `SOLVED`: done."""

    @property
    def is_solved(self) -> bool:
        return self.step >= SOLVED

    def after(self, today: int, *, is_right: bool) -> Puzzle:
        """Return the puzzle as it is after an answer."""
        step = 1 if not is_right else self.step + 1 if self.step else SOLVED
        days = 0 if step >= SOLVED else RETURN_DAYS[step - 1]
        return self._replace(step=step, due_day=today + days)


@dataclass(frozen=True, slots=True)
class PuzzleDocument:
    """A player's puzzles, the oldest first, and how many were answered on a day."""

    puzzles: tuple[Puzzle, ...] = ()
    day: int = 0
    answered: int = 0

    def due(self, today: int) -> Sequence[Puzzle]:
        """Return the puzzles to be solved today: repeated ones first, then new ones."""
        due = [each for each in self.puzzles if not each.is_solved and each.due_day <= today]
        return sorted(due, key=lambda each: (each.step == 0, each.due_day))

    def left(self, today: int) -> int:
        """Return how many of today's five puzzles are left and due."""
        answered = self.answered if self.day == today else 0
        return min(max(0, A_DAY - answered), len(self.due(today)))

    def with_new(self, code: str, places: Iterable[int], today: int) -> PuzzleDocument:
        """Add the positions of a game that are not known yet."""
        known = {(each.code, each.place) for each in self.puzzles}
        room = MAX_OF_GAME - sum(each.code == code for each in self.puzzles)
        new = [Puzzle(code, place, today) for place in places if (code, place) not in known]
        puzzles = [*self.puzzles, *new[: max(0, room)]]
        spare = max(0, len(puzzles) - MAX_PUZZLES)
        going = sorted(puzzles, key=lambda each: not each.is_solved)[:spare]
        return replace(self, puzzles=tuple(each for each in puzzles if each not in going))

    def answer(self, puzzle: Puzzle, today: int, *, is_right: bool) -> PuzzleDocument:
        """Note an answer; if the puzzle is gone, it counts for the day alone."""
        place, after = puzzle[:2], puzzle.after(today, is_right=is_right)
        puzzles = tuple(after if each[:2] == place else each for each in self.puzzles)
        answered = self.answered if self.day == today else 0
        return PuzzleDocument(puzzles, today, answered + 1)

    def without(self, puzzle: Puzzle) -> PuzzleDocument:
        puzzles = tuple(each for each in self.puzzles if each[:2] != puzzle[:2])
        return replace(self, puzzles=puzzles)

    def format(self) -> str:
        return json.dumps([self.day, self.answered, self.puzzles], separators=(",", ":"))

    @staticmethod
    @reading_values()
    def parse(body: str) -> PuzzleDocument:
        day, answered, rows = json.loads(body) if body else (0, 0, ())
        return PuzzleDocument(tuple(Puzzle(*row) for row in rows), day, answered)


def read_puzzles(player: str) -> Flow[PuzzleDocument]:
    found = yield from read_document(keys.puzzles_key(player))
    return PuzzleDocument.parse(found.body)


def add_puzzles(
    draft: Draft, player: str, code: str, places: Sequence[int], today: int
) -> Flow[None]:
    """Add the positions of a game to its player's puzzles, in a draft."""
    key = keys.puzzles_key(player)
    found = yield from read_document(key)
    before = PuzzleDocument.parse(found.body)
    after = before.with_new(code, places, today)
    if after != before:
        draft.replace(key, found.version, after.format())


def note_answer(
    player: str, puzzle: Puzzle, today: int, draw: RandomBits, *, is_right: bool
) -> Flow[PuzzleDocument]:
    """Store an answer to a puzzle, once; return the puzzles afterwards."""

    def answered(before: PuzzleDocument) -> PuzzleDocument:
        # Another device may have been faster.
        is_open = puzzle in before.puzzles
        return before.answer(puzzle, today, is_right=is_right) if is_open else before

    return (yield from _change(player, answered, draw))


def drop_puzzle(player: str, puzzle: Puzzle, draw: RandomBits) -> Flow[PuzzleDocument]:
    """Drop a puzzle whose game is gone; return the others."""
    return (yield from _change(player, lambda before: before.without(puzzle), draw))


def _change(
    player: str, edit: Callable[[PuzzleDocument], PuzzleDocument], draw: RandomBits
) -> Flow[PuzzleDocument]:
    """Store a player's puzzles as an edit leaves them; return them."""
    key = keys.puzzles_key(player)
    while True:
        found = yield from read_document(key)
        draft, before = Draft(), PuzzleDocument.parse(found.body)
        after = edit(before)
        draft.replace(key, found.version, after.format())
        if after == before or (yield draft.commit(new_version(draw))) is DONE:
            return after
