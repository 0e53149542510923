"""Games set aside: a game that a new one replaces is kept as an automatic save.

Only the player ends a game that was played. Setting a game aside happens at once, in memory;
storing it is a dialog, because the store has to be asked which of the player's automatic saves is
the oldest. If the store fails, it is asked again later.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from jminesweeper.core.view import Status
from jminesweeper.session.match import Match
from jminesweeper.session.menus import Layer
from jminesweeper.session.others import Aside
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Question
from jminesweeper.session.talks import STAY, Flow
from jminesweeper.store import (
    DropSave,
    FindGame,
    FindSave,
    FinishedGame,
    ListSaves,
    PutSave,
    RunningGame,
    SaveLabel,
    StoreError,
)

AUTOMATIC_SAVES: Final = ("auto 1", "auto 2", "auto 3")
RETRY_AFTER_MS: Final = 5_000


def store_asides(player: Player, free: str = "") -> Flow:
    """Store what was set aside, the first under the name `free` if there is one."""
    player.others.are_due = False
    if not player.lease.is_held:
        return STAY
    try:
        for aside in [*player.others.asides.values()]:
            labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
            name, free = free or (yield from _place_for(player, aside, labels)), ""
            player.lease.introduce(player.now_ms)
            yield PutSave(player.lease.player, name, aside.game, aside.at_s, aside.opened_share)
            player.others.asides.pop(aside.game.code, None)
    except StoreError:
        if player.retry_at_ms is None:
            player.retry_at_ms = player.now_ms + RETRY_AFTER_MS
    return STAY


def _place_for(
    player: Player, aside: Aside, labels: Sequence[SaveLabel]
) -> Generator[Question | Layer, Any, str]:
    """Choose a name: that of the same game's save, else a free one, else the oldest's."""
    taken = {label.name: label for label in labels if label.name in AUTOMATIC_SAVES}
    for name, label in taken.items():
        if _looks_like(label, aside):
            kept: RunningGame | None = yield FindSave(player.lease.player, name)
            if kept is not None and kept.code == aside.game.code:
                return name
    free = [name for name in AUTOMATIC_SAVES if name not in taken]
    return free[0] if free else min(taken, key=lambda name: (taken[name].saved_at_s, name))


def _looks_like(label: SaveLabel, aside: Aside) -> bool:
    """Whether a save may be this very game, kept before and not played since."""
    figures = (label.variant, label.clock_ms, label.opened_share)
    return figures == (aside.game.setup.variant, aside.game.clock_ms, aside.opened_share)


def drop_copies(player: Player, kept: RunningGame) -> Flow:
    """Drop the automatic saves of a game that was set aside, but is resumed after all."""
    try:
        labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
        for label in labels:
            is_alike = label.variant.category == kept.setup.variant.category
            if label.name in AUTOMATIC_SAVES and is_alike:
                save: RunningGame | None = yield FindSave(player.lease.player, label.name)
                if save is not None and save.code == kept.code:
                    yield DropSave(player.lease.player, label.name)
    except StoreError:
        pass  # They are still there the next time.
    return STAY


def is_still_unfinished(player: Player, match: Match) -> Flow:
    """Whether a kept game was neither finished nor resumed since."""
    if player.match is not None and player.match.code == match.code:
        return False
    finished: FinishedGame | None = yield FindGame(match.code)
    return finished is None or finished.status is Status.TERMINATED
