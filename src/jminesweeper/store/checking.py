"""Checks of a store's content: logs that replay to what was recorded, counts that add up.

They look only at values, so they are the same for every backend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.store.statistics import CategorySums, Result
from jminesweeper.store.transfer import PlayerData, Tally
from jminesweeper.store.values import unpack_entries


def check_player(data: PlayerData) -> Iterator[str]:
    """List everything that is wrong with a player's games, a sentence each."""
    if data.running is not None and _replay(data.running.setup, data.running.entries) is None:
        yield f"The running game {data.running.code} of {data.player.id} cannot be played."
    for save in data.saves:
        if _replay(save.game.setup, save.game.entries) is None:
            yield f"The saved game {save.name!r} of {data.player.id} cannot be played."
    for game in data.games:
        status = _replay(game.setup, game.entries)
        if status is None:
            yield f"The finished game {game.code} cannot be played."
        elif status is not game.status:
            yield f"The finished game {game.code} is {game.status.value}, but its log is not."
    yield from _check_counts(data)


def check_totals(totals: Tally, players: Counter[Status]) -> Iterator[str]:
    """List what is counted for players and missing in the totals."""
    counted = count_results(totals)
    for status, games in players.items():
        if counted[status] < games:
            yield f"Players have {games} games {status.value}, all together {counted[status]}."


def count_results(tally: Tally) -> Counter[Status]:
    """Count games by how they ended, over all categories."""
    counts: Counter[Status] = Counter()
    for sums in tally.values():
        counts.update(_by_status(sums))
    return counts


def _check_counts(data: PlayerData) -> Iterator[str]:
    """Check that the sums count every stored game; they also count dropped ones."""
    kept: dict[Variant | None, Counter[Status]] = {}
    for result in map(Result.of, data.games):
        line = result.category if result.category in data.tally else None
        kept.setdefault(line, Counter())[result.status] += 1
    counted = {line: _by_status(sums) for line, sums in data.tally.items()}
    for line, counts in kept.items():
        known = counted.get(line, Counter())
        if any(known[status] < games for status, games in counts.items()):
            yield f"The statistics of {data.player.id} count fewer games than there are."
            return


def _by_status(sums: CategorySums) -> Counter[Status]:
    return Counter(
        {Status.WON: sums.won, Status.LOST: sums.lost, Status.TERMINATED: sums.terminated}
    )


def _replay(setup: Setup, entries: bytes) -> Status | None:
    """Replay a log; None if it does not fit the board."""
    try:
        return Game.replay(setup, unpack_entries(entries)).status
    except CoreError:
        return None
