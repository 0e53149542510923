"""What is stored of a player's games: the running one at every action, each at its end.

A player with a key holds a *lease*: the right to write the running game, until another connection
claims it. The first action of a game stores it whole; each later one appends its log entry at the
next revision. Revisions go up by one with each of these writes, so the next one is known without
waiting for an answer, and any number may be in flight. After a failed write the store is behind:
each write stores the whole game, until one succeeds with no other in flight. Cursor, clock and
pause are notes: at most one a second, and no reply waits for them. An answer to a write of an
earlier lease says nothing about this one.

A player without a key plays from memory, and only the result is stored, in the totals. So does a
player whom a failing store cannot let in; results wait here until they can be recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from jminesweeper.core.generator import RandomBits
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.figures import figures_by_name
from jminesweeper.session.match import Match
from jminesweeper.session.reply import Outbound
from jminesweeper.store import (
    Append,
    ConfirmHold,
    Entrance,
    FencedError,
    Finish,
    FinishedGame,
    Note,
    Operation,
    PutPlayer,
    PutRunning,
    Record,
    StoreError,
    TakenCodeError,
    UnknownPlayerError,
    game_code,
    pack_entries,
    unpack_entries,
)

MOST_UNRECORDED: Final = 20
NOTE_EVERY_MS: Final = 1_000

Standing: TypeAlias = tuple[int, Cell, bool]
"""What a note holds: clock, cursor and whether the game is paused."""


class Lease:
    """The store's side of one player's games."""

    __slots__ = (
        "_code",
        "_config",
        "_entries",
        "_is_known",
        "_name",
        "_next_note_ms",
        "_noted",
        "_out",
        "_owner",
        "_revision",
        "_settings",
        "_setup",
        "_tokens",
        "_under_way",
        "_unrecorded",
        "is_behind",
        "is_held",
        "player",
    )

    def __init__(self, config: SessionConfig, tokens: RandomBits, out: Outbound) -> None:
        self._config = config
        self._tokens = tokens
        self._out = out
        self._unrecorded: dict[str, FinishedGame] = {}
        self.player = ""
        """Who plays; empty for a player without a key."""
        self.is_held = False
        self._forget_game()

    def _forget_game(self) -> None:
        self._is_known = False
        """Whether the store has the player's name and settings."""
        self._name = ""
        self._settings: Mapping[str, str] = {}
        self._owner = ""
        self._code = ""
        self._setup: Setup | None = None
        self._entries = 0
        self._revision = 0
        self._under_way = 0
        self._noted: Standing | None = None
        self._next_note_ms = 0
        self.is_behind = False

    # Who plays

    def grant(self, entrance: Entrance, owner: str) -> None:
        """Keep the games of this player from now on."""
        self.name_player(entrance.player.id)
        self._forget_game()
        self.is_held = True
        self._is_known = entrance.is_known
        self._name = entrance.player.name
        self._settings = entrance.player.settings
        self._owner = owner
        self._revision = entrance.revision
        if (game := entrance.game) is not None:
            self._code, self._setup = game.code, game.setup
            self._entries = len(unpack_entries(game.entries))
            self._noted = (game.clock_ms, game.cursor, game.is_paused)

    def name_player(self, player: str) -> None:
        """Know who plays; nothing can be stored for them before `grant`."""
        if player != self.player:
            # Only the store knows as which player this device plays; results move to that one.
            games = self._unrecorded.items() if player else ()
            self._unrecorded = {code: replace(game, player=player) for code, game in games}
        self.player, self.is_held = player, False

    def end(self) -> None:
        """Forget the player: another connection writes the game now."""
        self.name_player("")
        self._forget_game()

    @property
    def is_saved(self) -> bool:
        """Whether every change is stored, by the answers so far."""
        if self.is_held:
            return not (self.is_behind or self._unrecorded)
        return not self.player

    def is_kept_aside(self, match: Match) -> bool:
        """Whether a game that is replaced is worth keeping, and can be kept."""
        is_known = bool(self.player) and self._config.has_store
        return is_known and match.is_touched and not match.is_over

    def new_code(self) -> str:
        """Draw a public code for a game that will be stored."""
        return game_code(self._tokens) if self.player else ""

    # Writing

    def keep(self, match: Match, cursor: Cell, now_ms: int) -> None:
        """Store what was done before it is shown, and record the game if it has ended."""
        if match.game.status is not ONGOING:
            self._out.count_game()
            self._record(match, cursor, now_ms)
        elif self.is_held:
            self._out.write(self._write(match, cursor, now_ms))
            if self._unrecorded and not self.is_behind:
                self._record_late()

    def note(self, match: Match, cursor: Cell, now_ms: int, *, is_paused: bool) -> None:
        """Note cursor, clock and pause, if they changed and a second has passed.

        Results that wait go first: they may have no other chance to be stored.
        """
        if self._unrecorded and self.is_held and self._is_known and not self.is_behind:
            self._record_late()
        if now_ms >= self._next_note_ms:
            self._note(match, cursor, now_ms, is_paused=is_paused)

    def part(self, match: Match | None, cursor: Cell, now_ms: int, *, is_paused: bool) -> None:
        """Store what the player leaves behind: the running game, if any, and late results."""
        if self.is_held:
            if match is not None:
                self._note(match, cursor, now_ms, is_paused=is_paused)
            self._record_late()

    def record(self, match: Match, now_ms: int) -> None:
        """Record a game that the store knows, but not as the running one."""
        self._out.write(Record(self._finished(match, now_ms)))

    def introduce(self, now_ms: int) -> None:
        """Store the player before anything else of theirs, unless the store knows them."""
        if self.is_held and not self._is_known:
            self._out.write(self._put_player(now_ms))

    def put_settings(self, settings: Mapping[str, str], now_ms: int) -> None:
        """Store the settings of a player."""
        self._settings = settings
        if self.is_held:
            self._out.note(self._put_player(now_ms))

    def put_board(self, settings: Mapping[str, str], now_ms: int) -> None:
        """Store what was played last; a new player is stored with the first game."""
        if self._is_known:
            self.put_settings(settings, now_ms)
        else:
            self._settings = settings

    @property
    def name(self) -> str:
        """The player's name; empty if there is none."""
        return self._name

    def put_name(self, name: str, now_ms: int) -> None:
        """Store a new name for the player."""
        self._name = name
        self.put_settings(self._settings, now_ms)

    def confirm(self) -> None:
        """Ask the store whether the game is still this player's to write."""
        if self.is_held:
            self._out.note(ConfirmHold(self.player, self._owner))

    def settle(self, operation: Operation[object], answer: object) -> None:
        """Process the answer to a write or a note; answers come in order."""
        match operation:
            case Append() | PutRunning() | Finish() if self.covers(operation):
                self._settle_write(answer)
            case Note() if isinstance(answer, StoreError):
                self._noted = None
            case PutPlayer() if isinstance(answer, StoreError):
                self._is_known = False
            case _:
                pass
        if isinstance(operation, Finish | Record):
            self._settle_record(operation.game, answer)
        if isinstance(answer, UnknownPlayerError) and self.covers(operation):
            self.is_held = False

    def covers(self, operation: Operation[object]) -> bool:
        """Whether this lease is what a write or a note relied on."""
        if isinstance(operation, Finish):
            return operation.last.owner == self._owner
        if isinstance(operation, Append | PutRunning | Note | ConfirmHold):
            return operation.owner == self._owner
        return False

    def _write(self, match: Match, cursor: Cell, now_ms: int) -> PutRunning | Append:
        """Bring the store up to date with the game."""
        operation: PutRunning | Append
        self.introduce(now_ms)
        if self.is_behind or not self._has(match):
            operation = PutRunning(
                self.player,
                self._owner,
                match.written(cursor, now_ms, self._config.epoch_ms(), is_paused=False),
            )
        else:
            operation = Append(
                self.player,
                self._owner,
                self._revision,
                pack_entries(match.game.log.entries[self._entries :]),
                match.elapsed_ms(now_ms),
                cursor,
            )
        self._under_way += 1
        self._revision += 1
        self._code, self._setup = match.code, match.game.setup
        self._entries = len(match.game.log)
        self._noted = (match.elapsed_ms(now_ms), cursor, False)
        self._next_note_ms = now_ms + NOTE_EVERY_MS
        return operation

    def _put_player(self, now_ms: int) -> PutPlayer:
        self._is_known = True
        at_s = self._config.seconds(now_ms)
        return PutPlayer(self.player, self._name, self._settings, at_s)

    def _has(self, match: Match) -> bool:
        """Whether the store has this game, set up just like this."""
        setup = match.game.setup
        return self._code == match.code and (self._setup is setup or self._setup == setup)

    def _note(self, match: Match, cursor: Cell, now_ms: int, *, is_paused: bool) -> None:
        standing = (match.elapsed_ms(now_ms), cursor, is_paused)
        if standing == self._noted or match.is_over or not self._has(match):
            return
        if self.is_behind:
            self._out.note(self._write(match, cursor, now_ms))
        self._out.note(Note(self.player, self._owner, *standing))
        self._noted, self._next_note_ms = standing, now_ms + NOTE_EVERY_MS

    def _settle_write(self, answer: object) -> None:
        self._under_way -= 1
        if isinstance(answer, StoreError):
            self.is_behind = True
        elif self.is_behind and not self._under_way and isinstance(answer, int):
            self.is_behind = False
            self._revision = answer

    # Recording

    def _record(self, match: Match, cursor: Cell, now_ms: int) -> None:
        if not self._config.has_store:
            return
        finished = self._finished(match, now_ms)
        if not self.player:
            self._out.note(Record(finished))
        elif not self.is_held:
            self._put_off(finished)
        else:
            last = self._write(match, cursor, now_ms)
            if isinstance(last, Append):
                self._out.write(Finish(last, finished))
            else:
                self._out.write(last, Record(finished))

    def _settle_record(self, game: FinishedGame, answer: object) -> None:
        if not isinstance(answer, StoreError):
            self._unrecorded.pop(game.code, None)
        elif game.player == self.player and not isinstance(answer, FencedError | TakenCodeError):
            self._put_off(game)

    def _put_off(self, game: FinishedGame) -> None:
        self._unrecorded[game.code] = game
        if len(self._unrecorded) > MOST_UNRECORDED:
            del self._unrecorded[next(iter(self._unrecorded))]

    def _record_late(self) -> None:
        """Record the games that could not be recorded when they ended."""
        games, self._unrecorded = self._unrecorded, {}
        for game in games.values():
            self._out.write(Record(game))

    def _finished(self, match: Match, now_ms: int) -> FinishedGame:
        game = match.game
        is_known = bool(self.player)
        return FinishedGame(
            code=match.code or game_code(self._tokens),
            setup=game.setup,
            status=game.status,
            time_ms=game.elapsed_ms,
            ended_at_s=self._config.seconds(now_ms),
            wall_ms=match.wall_ms(now_ms),
            player=self.player or None,
            entries=pack_entries(game.log.entries) if is_known else b"",
            is_assisted=game.assisted,
            figures=figures_by_name(game) if is_known else {},
        )
