"""Reviews of games that ended: the luck of a win, and the puzzles that a game leaves.

A worker reviews a game; what it found is recorded here. The luck of a ranked win stands beside its
time, so it must come, and once. The commit that counts such a win puts it on a board, and the one
that records its review takes it off and checks the game's document. So whoever was asked for the
review may die before it comes: a server finds the win there later, and has it reviewed again.
A review that comes twice changes nothing. Games that rank nowhere are on no board: of them only the
puzzles count, and a game whose review never came has none.

A puzzle is a position of a player's own game in which a guess was needless. It is a game's code and
a place in its log, so a puzzle is a few numbers, and goes with its game. One that was solved at
once does not come back. One that was missed comes back after a day, and if it is solved then, after
longer and longer times, until it was solved after all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Due,
    Flow,
    GameDocument,
    Leaderboard,
    Outcome,
    Win,
    format_entry,
    new_version,
    read_document,
    reading_values,
    review_of,
)
from jminesweeper.records.limits import MAX_OWN_BEST
from jminesweeper.records.players import is_forgotten
from jminesweeper.records.results import Draft, rank
from jminesweeper.store.port import DONE, Check, Found, Importance, Part, Place, Read

REVIEWED_AT_ONCE: Final = 20


class Verdict(NamedTuple):
    """The findings of a review of a game."""

    luck: float
    """The chance to survive the guesses that were forced."""
    needless: Sequence[int] = ()
    """The guesses where a safe cell could be found, by their places in the log."""
    is_exact: bool = True


def list_reviews(after: Due | None = None) -> Flow[Sequence[Due]]:
    """List ranked wins that are not reviewed, the earliest first."""
    part = Part(keys.REVIEWS, REVIEWED_AT_ONCE, after=after.format() if after is not None else "")
    found: Found = yield Read(parts=(part,))
    return [Due.parse(text) for text in found.parts[0]]


def drop_review(due: Due) -> Flow[None]:
    """Leave a win without its luck: it is gone, or nobody could review it."""
    draft = Draft([Place(keys.REVIEWS, due.format(), is_gone=True)])
    yield draft.commit(0)._replace(importance=Importance.LOW)


def record_review(
    code: str, length: int, verdict: Verdict, today: int, draw: RandomBits
) -> Flow[bool]:
    """Record the review of a game that ended at this length; return False if it has not yet."""
    while True:
        key = keys.game_key(code)
        found = yield from read_document(key)
        game = GameDocument.parse(found.body) if found.version else None
        outcome = game.outcome if game is not None else None
        if game is None or outcome is None or outcome.length < length:
            return False
        if outcome.length > length or game.is_shared or not any(game.seats):
            # Its end was undone, or it is not the game of one player.
            return True
        player = game.seats[0]
        asked: Found = yield Read((keys.player_key(player), keys.forgotten_key(player)))
        document, mark = asked.documents
        if is_forgotten(document, mark):
            # The game goes with its player.
            return True
        draft = Draft()
        draft.importance = Importance.NORMAL
        yield from add_puzzles(draft, player, code, verdict.needless, today)
        has_luck = game.is_ranked and not game.leaderboard.is_of_programs
        if has_luck and outcome.luck is None:
            after = outcome._replace(luck=verdict.luck, needless=len(verdict.needless))
            game = replace(game, outcome=after)
            due = review_of(code, outcome).format()
            draft.replace(key, found.version, game.format())
            draft.places.append(Place(keys.REVIEWS, due, is_gone=True))
            if verdict.is_exact and not verdict.needless:
                yield from _rank_clean(draft, code, game, after)
        if not draft.checks:
            return True
        draft.checks.append(Check(keys.forgotten_key(player), mark.version))
        if (yield draft.commit(new_version(draw))) is DONE:
            return True


def _rank_clean(draft: Draft, code: str, game: GameDocument, outcome: Outcome) -> Flow[None]:
    """Rank a win without a needless guess, if it is its player's fastest; only that one is kept."""
    player, variant = game.seats[0], game.variant
    if variant.daily is not None:
        return
    ordinary, board = Leaderboard(variant), Leaderboard(variant, is_clean=True)
    found: Found = yield Read(
        (keys.listed_key(player),),
        parts=(
            Part(keys.own_board(player, ordinary.format()), MAX_OWN_BEST),
            Part(keys.own_board(player, board.format()), 1),
        ),
    )
    best, clean = ({Win.parse(text).code for text in part} for part in found.parts)
    win = Win(outcome.wall_ms, outcome.ended_at_s, outcome.order, code, player)
    if not rank(draft, found.parts[1], board, win, best, most=1):
        return
    may_go, kept = keys.history_board(player), keys.kept_board(player)
    if code not in best and code not in clean:
        draft.list_game(player, format_entry(outcome.order, code), kept, was=may_go)
    draft.count_listed(player, found.documents[0])


# Puzzles

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
