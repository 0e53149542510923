"""The ladder: a rating for each of the classic boards, moved by races between known players.

The model is that of Plackett and Luce as Weng and Lin rate by it ("A Bayesian Approximation Method
for Online Ranking", 2011, algorithm 4). A player's strength is a normal distribution. A ranking is
a row of choices: first who comes first of all, then who of the others comes next, and so on. After
each of them everybody who could have been chosen moves: the less expected the choice, the further.

A rating moves in the very commit that notes the result of a round, so exactly once. It tells how a
player did against the opponents that they met; it cannot tell that a race was arranged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

from jminesweeper.core.variant import CUSTOM, Variant, board_name
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Flow,
    PlayerDocument,
    format_number,
    read_document,
    reading_values,
)
from jminesweeper.store.port import NO_END, Check, Document, Found, Part, Place, Put, Read

MEAN: Final = 25.0
DEVIATION: Final = MEAN / 3
_PERFORMANCE: Final = MEAN / 6
"""Deviation of a player's performance from the strength, from race to race."""
_DRIFT: Final = MEAN / 300
"""Deviation by which a strength changes between two races."""
_LEAST: Final = 0.0001
"""Least share of its variance that a rating keeps in one race."""
PROVISIONAL: Final = 10
"""Number of races after which a rating is no longer provisional."""
_SCALE: Final = 60
"""A newcomer has 1500 points."""
_HIGHEST: Final = 99_999
MOST_RANKED: Final = 50


class Rating(NamedTuple):
    """The estimated strength of a player on one board."""

    mean: float = MEAN
    deviation: float = DEVIATION
    races: int = 0

    @property
    def points(self) -> int:
        return min(max(0, round(_SCALE * self.mean)), _HIGHEST)

    @property
    def is_provisional(self) -> bool:
        return self.races < PROVISIONAL

    @property
    def label(self) -> str:
        """The points, with a question mark while they are provisional."""
        return f"{self.points}{'?' if self.is_provisional else ''}"

    def place(self, player: str) -> str:
        """Return the text that sorts the ladder, the strongest first."""
        return f"{format_number(_HIGHEST - self.points)}|{player}"


def rate(ranked: Sequence[Rating]) -> Sequence[Rating]:
    """Return the ratings after a race, in the order of its places."""
    variances = [rating.deviation**2 + _DRIFT**2 for rating in ranked]
    means = [rating.mean for rating in ranked]
    return [
        Rating(rating.mean + gain, sqrt(variance * max(1 - loss, _LEAST)), rating.races + 1)
        for rating, variance, (gain, loss) in zip(
            ranked, variances, updates(means, variances), strict=True
        )
    ]


def updates(means: Sequence[float], variances: Sequence[float]) -> Sequence[tuple[float, float]]:
    """Return each player's gain of the mean and lost share of the variance, by place."""
    spread = sqrt(sum(variance + _PERFORMANCE**2 for variance in variances))
    # Only differences count, and large strengths must not overflow.
    weights = [exp((mean - max(means)) / spread) for mean in means]
    left = [sum(weights[place:]) for place in range(len(weights))]
    moved = []
    for place, (weight, variance) in enumerate(zip(weights, variances, strict=True)):
        chances = [weight / left[choice] for choice in range(place + 1)]
        gain = 1 - sum(chances)
        loss = sum(chance * (1 - chance) for chance in chances)
        moved.append((gain * variance / spread, loss * (sqrt(variance) / spread) ** 3))
    return moved


# In the store


def board_of(variant: Variant) -> str:
    """Name the board for which a race is rated; empty if it is none of the classic ones."""
    board = board_name(variant.size, variant.mine_count)
    return board if board == variant.board != CUSTOM else ""


def format_ratings(ratings: Mapping[str, Rating]) -> str:
    return json.dumps(ratings, separators=(",", ":"))


@reading_values()
def parse_ratings(body: str) -> Mapping[str, Rating]:
    known = json.loads(body) if body else {}
    return {
        board: Rating(float(mean), float(deviation), int(races))
        for board, (mean, deviation, races) in known.items()
    }


class RatingChange(NamedTuple):
    """A player's rating before a race and after it, and the parts of the commit that stores it."""

    before: Rating
    after: Rating
    check: Check
    put: Put
    places: Sequence[Place]


def move(board: str, ranked: Mapping[str, Document]) -> Mapping[str, RatingChange]:
    """Move the ratings of players by a race; their documents come in the order of places."""
    known = {player: parse_ratings(each.body) for player, each in ranked.items()}
    before = [ratings.get(board, Rating()) for ratings in known.values()]
    moves = {}
    for player, old, new in zip(ranked, before, rate(before), strict=True):
        key, name = keys.ladder_key(player), keys.ladder_board(board)
        body = format_ratings({**known[player], board: new})
        places = []
        if not old.is_provisional and old.place(player) != new.place(player):
            places.append(Place(name, old.place(player), is_gone=True))
        if not new.is_provisional:
            places.append(Place(name, new.place(player)))
        check = Check(key, ranked[player].version)
        moves[player] = RatingChange(old, new, check, Put(key, body, NO_END), places)
    return moves


def read_ratings(player: str) -> Flow[Mapping[str, str]]:
    """Read a player's ratings by board, as they are shown."""
    found = yield from read_document(keys.ladder_key(player))
    return {board: rating.label for board, rating in parse_ratings(found.body).items()}


class Standing(NamedTuple):
    """A line of the ladder."""

    name: str
    points: int
    races: int


def read_ladder(board: str, limit: int = MOST_RANKED) -> Flow[Sequence[Standing]]:
    """Read the strongest players on a board, except those whose rating is provisional."""
    found: Found = yield Read(parts=(Part(keys.ladder_board(board), limit),))
    players = [text.partition("|")[2] for text in found.parts[0]]
    documents = [keys.player_key(player) for player in players]
    ratings = [keys.ladder_key(player) for player in players]
    found = yield Read((*documents, *ratings))
    names = [PlayerDocument.parse_name(each.body) for each in found.documents[: len(players)]]
    rated = [parse_ratings(each.body) for each in found.documents[len(players) :]]
    return [
        Standing(name, ratings[board].points, ratings[board].races)
        for name, ratings in zip(names, rated, strict=True)
        if board in ratings
    ]


def places_of(player: str, body: str) -> Sequence[Place]:
    """Return the places of a player on the ladder, to be removed."""
    return [
        Place(keys.ladder_board(board), rating.place(player), is_gone=True)
        for board, rating in parse_ratings(body).items()
        if not rating.is_provisional
    ]
