"""Reviews of games that ended: the luck of a win, and the puzzles that a game leaves.

A worker reviews a game; what it found is recorded here. The luck of a ranked win stands beside its
time, so it must come, and once. The commit that counts such a win puts it on a board, and the one
that records its review takes it off and checks the game's document. So whoever was asked for the
review may die before it comes: a server finds the win there later, and has it reviewed again.
A review that comes twice changes nothing. Games that rank nowhere are on no board: of them only the
puzzles count, and a game whose review never came has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    review_of,
)
from jminesweeper.records.limits import MAX_OWN_BEST
from jminesweeper.records.players import is_forgotten
from jminesweeper.records.puzzles import add_puzzles
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
