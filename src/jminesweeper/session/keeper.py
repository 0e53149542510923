"""Keeping a known player's game: what to write to the store after each action.

Revisions go up by one with each write, so a session knows the next one without waiting for the
answer and any number of writes may be under way. When one fails the store has fallen behind:
from then on the whole game is put, until a put that nothing is under way behind has succeeded.
"""

from __future__ import annotations

from jminesweeper.core import Cell, Game, NotationError, Setup, format_setup, parse_setup
from jminesweeper.session.play import Play, Title
from jminesweeper.store.ports import (
    Append,
    Holding,
    PutRunning,
    RunningGame,
    StoreError,
    pack_entries,
    unpack_entries,
)

_PLAY = "\nplay "


class Keeper:
    """The store's side of one session, which may write until somebody else claims the game."""

    __slots__ = ("_code", "_entries", "_revision", "_under_way", "is_behind", "owner", "player")

    def __init__(self, player: str, owner: str, holding: Holding | None) -> None:
        self.player = player
        self.owner = owner
        self._revision = holding.revision if holding else 0
        self._code = holding.game.code if holding and holding.game else ""
        self._entries = len(holding.game.entries) // 8 if holding and holding.game else 0
        self._under_way = 0
        self.is_behind = holding is None

    def keeps(self, play: Play) -> bool:
        """Whether the store has this game."""
        return self._code == play.code

    def write(self, play: Play, now_ms: int) -> PutRunning | Append:
        """Bring the store up to date with the game."""
        self._under_way += 1
        if self.is_behind or not self.keeps(play):
            operation = self._put(play, now_ms)
        else:
            operation = self._append(play, now_ms)
        self._revision += 1
        self._code = play.code
        self._entries = len(play.game.log)
        return operation

    def settle(self, answer: object) -> None:
        """Take note of how a write went; writes are answered in their order."""
        self._under_way -= 1
        if isinstance(answer, StoreError):
            self.is_behind = True
        elif self.is_behind and not self._under_way and isinstance(answer, int):
            self.is_behind = False
            self._revision = answer

    def _put(self, play: Play, now_ms: int) -> PutRunning | Append:
        return PutRunning(self.player, self.owner, running_game(play, now_ms))

    def _append(self, play: Play, now_ms: int) -> Append:
        return Append(
            self.player,
            self.owner,
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
        format_header(play),
        pack_entries(play.game.log.entries),
        play.elapsed_ms(now_ms),
        play.cursor,
        play.is_paused,
    )


def resume(kept: RunningGame) -> Play:
    """Go on with a game that was written down; NotationError or another CoreError if it is none."""
    setup, title = parse_header(kept.header)
    game = Game.replay(setup, unpack_entries(kept.entries))
    play = Play(game, title, kept.code)
    play.set_clock(kept.clock_ms)
    play.move_to(*Cell(*kept.cursor))
    play.is_paused = kept.is_paused
    return play


def format_header(play: Play) -> str:
    """Write down what was decided before the first action, in lines."""
    title = play.title
    marks = (("repeat", title.is_repeat), ("no-guess", title.is_no_guess))
    words = [title.board, title.daily or "-", *(mark for mark, is_set in marks if is_set)]
    return f"{format_setup(play.game.setup)}{_PLAY}{' '.join(words)}"


def parse_header(text: str) -> tuple[Setup, Title]:
    setup, _, line = text.partition(_PLAY)
    match line.split():
        case [board, daily, *marks]:
            day = "" if daily == "-" else daily
            return parse_setup(setup), Title(board, day, "repeat" in marks, "no-guess" in marks)
        case _:
            raise NotationError("a kept game needs a line that says what it is played as")
