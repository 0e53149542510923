"""Keeping a known player's game: what to write to the store after each action.

Revisions go up by one with each write, so a session knows the next one without waiting for the
answer and any number of writes may be under way. When one fails the store has fallen behind:
from then on the whole game is put, until a put that nothing is under way behind has succeeded.
"""

from __future__ import annotations

from typing import Final

from jminesweeper.core import Cell, CoreError, Game
from jminesweeper.session.play import Play
from jminesweeper.session.requests import Rebuild
from jminesweeper.session.titles import parse_header
from jminesweeper.store.ports import (
    Append,
    Finish,
    FinishedGame,
    Holding,
    Operation,
    PutRunning,
    Record,
    RunningGame,
    StoreError,
    pack_entries,
    unpack_entries,
)

MOST_IDLE_WRITES: Final = 100
"""How often cursor and clock are written by themselves before the game is put anew: each append
stays in the store beside the game, and a cursor may wander for hours."""


class Keeper:
    """The right to write one player's running game, until somebody else claims it."""

    __slots__ = (
        "_code",
        "_entries",
        "_header",
        "_idle_writes",
        "_owner",
        "_player",
        "_revision",
        "_under_way",
        "is_behind",
    )

    def __init__(self, player: str, owner: str, holding: Holding) -> None:
        self._player = player
        self._owner = owner
        self._revision = holding.revision
        kept = holding.game
        self._code, self._header = (kept.code, kept.header) if kept else ("", "")
        self._entries = len(unpack_entries(kept.entries)) if kept else 0
        # Nobody knows how many idle writes the claimed game lies under: the next one sweeps.
        self._idle_writes = max(MOST_IDLE_WRITES, self._entries) if kept else 0
        self._under_way = 0
        self.is_behind = False

    def keeps(self, play: Play) -> bool:
        """Whether the store has this game, begun just like this."""
        return self._code == play.code and self._header == play.header

    def write(self, play: Play, now_ms: int) -> PutRunning | Append:
        """Bring the store up to date with the game."""
        operation: PutRunning | Append
        is_idle = len(play.game.log) == self._entries
        if self.is_behind or not self.keeps(play) or (is_idle and self._is_buried):
            operation = PutRunning(self._player, self._owner, running_game(play, now_ms))
            self._idle_writes = 0
        else:
            operation = self._append(play, now_ms)
            self._idle_writes += is_idle
        self._under_way += 1
        self._revision += 1
        self._code, self._header = play.code, play.header
        self._entries = len(play.game.log)
        return operation

    def finish(
        self, play: Play, finished: FinishedGame, now_ms: int
    ) -> tuple[Operation[object], ...]:
        """Bring the store up to date with a game that has ended."""
        last = self.write(play, now_ms)
        if isinstance(last, Append):
            return (Finish(last, finished),)
        return last, Record(finished)

    def settle(self, answer: object) -> None:
        """Take note of how a write went; writes are answered in their order."""
        self._under_way -= 1
        if isinstance(answer, StoreError):
            self.is_behind = True
        elif self.is_behind and not self._under_way and isinstance(answer, int):
            self.is_behind = False
            self._revision = answer

    @property
    def _is_buried(self) -> bool:
        """Whether more was appended without an action than the game has actions."""
        return self._idle_writes >= max(MOST_IDLE_WRITES, self._entries)

    def _append(self, play: Play, now_ms: int) -> Append:
        return Append(
            self._player,
            self._owner,
            self._revision,
            pack_entries(play.game.log.entries[self._entries :]),
            play.elapsed_ms(now_ms),
            play.cursor,
            play.is_paused,
        )


def running_game(play: Play, now_ms: int) -> RunningGame:
    """Write a game down as it stands."""
    return RunningGame(
        play.code,
        play.header,
        pack_entries(play.game.log.entries),
        play.elapsed_ms(now_ms),
        play.cursor,
        play.is_paused,
    )


def rebuild(request: Rebuild) -> Play | None:
    """Resume a game, or find that it cannot be read; takes seconds for the longest of games."""
    try:
        return resume(request.kept)
    except CoreError:
        return None


def resume(kept: RunningGame) -> Play:
    """Go on with a game that was written down; NotationError or another CoreError if it is none."""
    setup, title = parse_header(kept.header)
    play = Play(Game.replay(setup, unpack_entries(kept.entries)), title, kept.code)
    play.set_clock(kept.clock_ms)
    play.move_to(*Cell(*kept.cursor))
    play.is_paused = kept.is_paused
    return play
