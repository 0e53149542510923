"""What becomes of a table's games beyond the session: kept while they run, recorded at their end.

Whoever plays without a key plays from memory, and only the result counts, in the totals. A player
with a key has a keeper once the store has let them in. What could not be recorded because the
store was out of order waits here and is recorded when it is back.
"""

from __future__ import annotations

from typing import Final

from jminesweeper.core import RandomBits, Status, format_setup
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Commit, Effects, Ended, Jot
from jminesweeper.session.keeper import Keeper
from jminesweeper.session.play import Play
from jminesweeper.session.summary import figures_by_name, seed_text
from jminesweeper.session.titles import category_of
from jminesweeper.store.ports import (
    Append,
    FencedError,
    Finish,
    FinishedGame,
    PutRunning,
    Record,
    StoreError,
    TakenCodeError,
    UnknownPlayerError,
    game_code,
    pack_entries,
)

MOST_UNRECORDED: Final = 20


class Ledger:
    """The store's side of one table. Every method returns what is to be stored."""

    __slots__ = ("_config", "_tokens", "_unrecorded", "keeper", "player")

    def __init__(self, config: SessionConfig, tokens: RandomBits) -> None:
        self._config = config
        self._tokens = tokens
        self._unrecorded: dict[str, FinishedGame] = {}
        self.player = ""
        """Who plays, or nobody that is known."""
        self.keeper: Keeper | None = None
        """The right to write the player's game, while the store has granted it."""

    @property
    def is_saved(self) -> bool:
        """Whether whatever ought to be kept is kept, as far as is known."""
        if self.keeper is None:
            return not self.player
        return not self.keeper.is_behind

    def admit(self, player: str, keeper: Keeper | None) -> None:
        """Keep the games of this player from now on; without a keeper as soon as there is one."""
        if player != self.player:
            self._unrecorded.clear()
        self.player, self.keeper = player, keeper

    def new_code(self) -> str:
        """Draw the public code of a game that is going to be kept."""
        return game_code(self._tokens) if self.player else ""

    def keep(self, play: Play, now_ms: int) -> Effects:
        """Have what was done stored before it is shown, and tell of the end if it was one."""
        keeper = self.keeper
        if play.game.status is Status.ONGOING:
            if keeper is None:
                return NO_EFFECTS
            late = self._late_records() if self.is_saved else ()
            return (Commit(keeper.write(play, now_ms)), *late)
        return (*self._record(play, now_ms), Ended(play.game.status, play.game.elapsed_ms))

    def jot(self, play: Play, now_ms: int) -> Effects:
        """Have the cursor and the clock stored of a game that is stored already."""
        keeper = self.keeper
        if keeper is None or not keeper.keeps(play):
            return NO_EFFECTS
        return (Jot(keeper.write(play, now_ms)),)

    def part(self, play: Play | None, now_ms: int) -> Effects:
        """Have stored what the player leaves behind: the game, if one runs, and late results."""
        if self.keeper is None:
            return NO_EFFECTS
        kept = NO_EFFECTS if play is None else self.jot(play, now_ms)
        return (*kept, *self._late_records())

    def record(self, play: Play, now_ms: int) -> Effects:
        """Have a game recorded that the store knows, but not as the one that is being played."""
        return (Commit(Record(self._finished(play, now_ms))),)

    def settle(self, operation: object, answer: object) -> None:
        """Take note of how a Commit or a Jot went."""
        if self.keeper is not None and isinstance(operation, Append | PutRunning | Finish):
            self.keeper.settle(answer)
        if isinstance(operation, Finish | Record):
            self._note_record(operation.game, answer)
        if isinstance(answer, UnknownPlayerError):
            self.keeper = None

    def _record(self, play: Play, now_ms: int) -> Effects:
        if not self._config.has_store:
            return NO_EFFECTS
        finished = self._finished(play, now_ms)
        if not self.player:
            return (Jot(Record(finished)),)
        if self.keeper is None:
            self._put_off(finished)
            return NO_EFFECTS
        operations = self.keeper.finish(play, finished, now_ms)
        return tuple(map(Commit, operations))

    def _note_record(self, game: FinishedGame, answer: object) -> None:
        if not isinstance(answer, StoreError):
            self._unrecorded.pop(game.code, None)
        elif game.player and not isinstance(answer, FencedError | TakenCodeError):
            self._put_off(game)

    def _put_off(self, game: FinishedGame) -> None:
        self._unrecorded[game.code] = game
        if len(self._unrecorded) > MOST_UNRECORDED:
            del self._unrecorded[next(iter(self._unrecorded))]

    def _late_records(self) -> Effects:
        """Record what could not be recorded when it was its time."""
        games, self._unrecorded = self._unrecorded, {}
        return tuple(Jot(Record(game)) for game in games.values())

    def _finished(self, play: Play, now_ms: int) -> FinishedGame:
        game, title = play.game, play.title
        is_known = bool(self.player)
        return FinishedGame(
            code=play.code or game_code(self._tokens),
            category=category_of(game.setup, title),
            size=game.setup.size,
            mine_count=game.setup.mine_count,
            status=game.status,
            time_ms=game.elapsed_ms,
            ended_at_s=self._config.seconds(now_ms),
            player=self.player or None,
            header=format_setup(game.setup) if is_known else "",
            entries=pack_entries(game.log.entries) if is_known else b"",
            seed=seed_text(game.setup),
            daily=title.daily,
            is_assisted=game.assisted,
            is_repeat=title.is_repeat,
            figures=figures_by_name(game) if is_known else {},
        )
