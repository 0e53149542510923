"""Who answers a session in tests: a store that can fail, and a solver that says its lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Hello
from jminesweeper.protocol.vocabulary import Feature
from jminesweeper.recordings.text import format_variant
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.match import Match
from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
    LaidBoard,
    LayBoard,
    Rebuild,
)
from jminesweeper.store import (
    Enter,
    Entrance,
    FindSave,
    FinishedGame,
    Job,
    ListGames,
    ListSaves,
    Operation,
    PutPlayer,
    PutRunning,
    PutSave,
    RunningGame,
    StoreError,
    pack_entries,
    player_id,
)
from jminesweeper.store.memory.backend import MemoryStore
from tests.unit.session.player import Player, same_seed

KEY = bytes(range(16))
ADA = player_id(KEY)
KNOWN = Hello(key=KEY, name="Ada", features=Feature.RESUME)
UNDECIDED = replace(KNOWN, features=Feature(0))
"""Somebody who did not say whether to resume what waits."""
LIVE = replace(KNOWN, features=Feature.LIVE | Feature.RESUME)
ANONYMOUS = Hello()
CONFIG = SessionConfig(has_store=True, has_solver=True, epoch_ms=lambda: 1_000_000_000_000)


class Backstage:
    """A memory store and a solver's lines; `fault` is what the store answers while it is set."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.fault: StoreError | None = None
        self._tokens = Random(1)
        self.operations: list[Any] = []
        self.questions: list[object] = []
        self.hints: deque[FoundHint | FoundOdds | FoundSolved | None] = deque()
        self.boards: deque[LaidBoard | None] = deque()
        self.analyses: deque[tuple[str, ...] | None] = deque()

    def answer(self, asked: Any) -> Any:
        match asked:
            case Operation():
                return self.submit(asked)
            case FindHint() | FindOdds() | FindSolved():
                self.questions.append(asked)
                return self.hints.popleft()
            case LayBoard():
                self.questions.append(asked)
                return self.boards.popleft()
            case Analyse():
                self.questions.append(asked)
                return self.analyses.popleft()
            case Rebuild():
                self.questions.append(asked)
                return Match.rebuild(asked)
            case _:
                raise AssertionError(asked)

    def submit(self, operation: Operation[Any]) -> Any:
        self.operations.append(operation)
        return self.look(operation) if self.fault is None else self.fault

    def player(
        self,
        config: SessionConfig = CONFIG,
        *,
        entropy: Callable[[int], int] = same_seed,
    ) -> Player:
        """Connect somebody, whose boards are foreseen and whose games have names of their own."""
        config = replace(config, tokens=self._tokens.getrandbits)
        return Player(config, entropy=entropy, answer=self.answer)

    def take_operations(self, *kinds: type) -> list[Any]:
        """Return what was asked of the store since the last time, of these kinds or of any."""
        taken, self.operations = self.operations, []
        return [one for one in taken if not kinds or isinstance(one, kinds)]

    def put(self, kept: RunningGame, key: bytes = KEY) -> None:
        """Let this game wait for a player."""
        player = player_id(key)
        self.submit(Enter(player, "", "before"))
        self.submit(PutRunning(player, "before", kept))

    def claim(self, key: bytes = KEY) -> Entrance:
        """Take the player's game over, as another server would; it is what is stored."""
        entrance = self.submit(Enter(player_id(key), "", f"probe {len(self.operations)}"))
        assert isinstance(entrance, Entrance)
        return entrance

    def look(self, operation: Operation[Any]) -> Any:
        """Ask the store behind the session's back; no fault is answered."""
        answers: list[object] = []
        self.store.submit([Job(operation, answers.append)])
        return answers[0]

    @property
    def finished(self) -> list[FinishedGame]:
        """Ada's finished games, the first one first."""
        return [*reversed(self.look(ListGames(ADA)))]

    @property
    def saves(self) -> list[str]:
        """The names of Ada's saves, the latest first."""
        return [label.name for label in self.look(ListSaves(ADA))]

    def put_save(self, name: str, kept: RunningGame) -> None:
        """Save a game for Ada behind the session's back."""
        self.look(PutSave(ADA, name, kept, at_s=0))

    def save(self, name: str) -> RunningGame:
        """Return what Ada saved under a name."""
        kept = self.look(FindSave(ADA, name))
        assert isinstance(kept, RunningGame)
        return kept


def waiting(
    diagram: str,
    rules: Rules | str = "classic",
    cursor: Cell | None = None,
    *,
    variant: Variant | None = None,
) -> RunningGame:
    """Write down a game on a board of `*` and `.` on which nothing was done yet."""
    field = parse_board(diagram)
    setup = Setup.of(field.size, rules=rules, layout=field.mines)
    if variant is not None:
        setup = replace(setup, variant=variant)
    return RunningGame("given", setup, cursor=cursor or Cell(0, 0))


def seated(
    diagram: str, rules: Rules | str = "classic", hello: Hello = KNOWN
) -> tuple[Player, Backstage]:
    """Connect a known player to a game on that board."""
    backstage = Backstage()
    kept = waiting(diagram, rules)
    played = {"last_board": format_variant(kept.setup.variant)}
    backstage.look(PutPlayer(ADA, "Ada", played, 0))
    backstage.put(kept)
    player = backstage.player()
    player.send(hello)
    player.take_effects()
    backstage.take_operations()
    return player, backstage


def flagged(diagram: str, times: int) -> RunningGame:
    """Write down a game in which the second cell was flagged and unflagged so many times."""
    kept = waiting(diagram)
    game = Game(kept.setup)
    for number in range(times):
        game.flag(Cell(1, 0), number)
    return replace(kept, entries=pack_entries(game.log.entries))
