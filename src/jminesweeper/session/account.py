"""Who plays on a connection, as the store knows them, and which of their games waits.

A player without a key is nobody to the store, and plays from memory. So does one whom a failing
store could not let in: the store is asked again from time to time, and what was played meanwhile is
stored from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from jminesweeper.core.game import Game
from jminesweeper.core.generator import RandomBits
from jminesweeper.records.documents import GameDocument, Note
from jminesweeper.records.flows import Flow
from jminesweeper.records.games import Former
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import game_code
from jminesweeper.records.players import Held, put_player
from jminesweeper.session.match import Match
from jminesweeper.session.rival import Rival

RETRY_AFTER_MS: Final = 2_000
MOST_UNSTORED: Final = 20
"""Games that ended before the store could let their player in."""


class Waiting(NamedTuple):
    """The current game in the store, not resumed yet, and what was noted of it."""

    match: Match
    note: Note


class Wanted(NamedTuple):
    """A game that begins unless the waiting one is resumed."""

    board: str
    begin: Callable[[], Any]


class Account:
    """The player of one connection."""

    def __init__(self, draw: RandomBits) -> None:
        self._draw = draw
        self.address = ""
        """Where the player comes from."""
        self.greeted = self.wrong_codes = 0
        """On this connection: players who said HELLO, and wrong codes of devices."""
        self.wants_to_resume = False
        """The client asked for the game that waits."""
        self.forget()

    def forget(self) -> None:
        """Forget who plays here."""
        self.device = ""
        """The player by the key of this device; empty without a key."""
        self.name = ""
        self.held: Held | None = None
        """The player, once the store has let them in."""
        self.retry_at_ms: int | None = None
        """When to ask the store again."""
        self.waiting: Waiting | None = None
        """What the player is asked whether to resume."""
        self.wanted: Wanted | None = None
        self._left: list[Journal] = []
        """Of games that others replaced here."""
        self.unstored: list[Match] = []
        """Games that ended before the store let this player in."""

    def become(self, device: str, now_ms: int) -> None:
        """Ask the store again who plays here, as if with another key."""
        self.forget()
        self.device, self.retry_at_ms, self.wants_to_resume = device, now_ms, True

    def offer(self, waiting: Waiting) -> None:
        """Have the player asked whether to resume a game."""
        self.waiting, self.wanted = waiting, None

    @property
    def id(self) -> str:
        """The player; empty for one without a key."""
        return self.device if self.held is None else self.held.id

    @property
    def is_known(self) -> bool:
        """Whether what this player does is kept."""
        return bool(self.device)

    @property
    def is_in(self) -> bool:
        return self.held is not None

    def is_saved(self, match: Match | None) -> bool:
        """Whether every change is stored, or is about to be."""
        if self.held is None:
            return not self.device
        if any(each.journal is not None and not each.journal.is_saved for each in self.unstored):
            return False
        return match is None or match.journal is None or match.journal.is_saved

    def new_match(self, game: Game, code: str = "", rival: Rival | None = None) -> Match:
        """Make a match of a new game, which the store gets with its first action."""
        match = Match(game)
        match.owner, match.rival = self.device, rival
        self.keep(match, code)
        return match

    def keep(self, match: Match, code: str = "") -> None:
        """Store a match from now on, in place of the current game, if the player is known."""
        if (held := self.held) is None:
            return
        setup, rival = match.game.setup, match.rival or ()
        document = GameDocument(setup, (held.id,), match.begun_at_ms, rival=rival)
        code = code or game_code(self._draw)
        journal = Journal(code, document, match.game, held, self._draw)
        match.store_in(journal)
        if match.is_over and match.ended_at_ms:
            journal.note_end(match.ended_at_ms)

    def put_aside(self, match: Match, former: Former) -> None:
        """Make room in the store for another game."""
        if match.journal is not None:
            match.journal.put_aside(former)
            self._left = [each for each in self._left if not each.is_at_rest] + [match.journal]

    @property
    def is_moving(self) -> bool:
        """Whether the store may still name a game as the current one that was replaced here."""
        return any(not each.is_at_rest for each in self._left)

    def put(self, name: str, settings: Mapping[str, str], now_s: int) -> Flow[bool] | None:
        """Set name and settings; return what stores them, once the store has let the player in."""
        self.name = name
        if (held := self.held) is None:
            return None
        held.document = replace(held.document, name=name, settings=settings)
        return put_player(held, name, settings, now_s)
