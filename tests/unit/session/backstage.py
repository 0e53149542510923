"""Who answers a session's wishes in tests: a store that can fail, a solver that says its lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from jminesweeper.core import PRESETS, Cell, Game, Rules, Setup, parse_board
from jminesweeper.protocol import Hello, ScreenFormat
from jminesweeper.session import (
    Consult,
    Enter,
    Entrance,
    FindHint,
    Laid,
    LayBoard,
    Rebuild,
    Review,
    SessionConfig,
    Tip,
)
from jminesweeper.session.keeper import rebuild, running_game
from jminesweeper.session.play import Play
from jminesweeper.session.titles import Title
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.ports import (
    Claim,
    Greet,
    Holding,
    PutRunning,
    RunningGame,
    StoreError,
    player_id,
)
from tests.unit.session.player import Player, same_seed

KEY = bytes(range(16))
ADA = player_id(KEY)
ANSI = Hello(80, 24, key=KEY, name="Ada")
PLAIN = Hello(80, 24, format=ScreenFormat.PLAIN, key=KEY, name="Ada")
ANONYMOUS = Hello(80, 24, format=ScreenFormat.PLAIN)
CONFIG = SessionConfig(has_store=True, has_solver=True, epoch_ms=1_000_000_000_000)


class Backstage:
    """A memory store and a solver's lines; `fault` is what the store answers while it is set."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.fault: StoreError | None = None
        self._tokens = Random(1)
        self.operations: list[Any] = []
        self.requests: list[object] = []
        self.tips: deque[Tip | None] = deque()
        self.boards: deque[Laid | None] = deque()
        self.reviews: deque[tuple[str, ...] | None] = deque()

    def submit(self, operation: Any) -> Any:
        self.operations.append(operation)
        if self.fault is not None:
            return self.fault
        answers: list[object] = []
        self.store.submit(operation, answers.append)
        return answers[0]

    def enter(self, request: Enter) -> Entrance | StoreError:
        player = self.submit(Greet(request.player, request.name, 0))
        if isinstance(player, StoreError):
            return player
        holding = self.submit(Claim(request.player, request.owner))
        return holding if isinstance(holding, StoreError) else Entrance(player, holding)

    @property
    def answers(self) -> Mapping[type, Callable[[Any], object]]:
        return {
            Enter: self._noted(self.enter),
            Consult: self._noted(lambda request: self.submit(request.operation)),
            FindHint: self._noted(lambda _request: self.tips.popleft()),
            Rebuild: self._noted(rebuild),
            LayBoard: self._noted(lambda _request: self.boards.popleft()),
            Review: self._noted(lambda _request: self.reviews.popleft() if self.reviews else None),
        }

    def _noted(self, answer: Callable[[Any], object]) -> Callable[[Any], object]:
        def noted(request: object) -> object:
            self.requests.append(request)
            return answer(request)

        return noted

    def player(
        self,
        config: SessionConfig = CONFIG,
        *,
        entropy: Callable[[int], int] = same_seed,
    ) -> Player:
        """Connect somebody, whose boards are foreseen and whose games have names of their own."""
        config = replace(config, tokens=self._tokens.getrandbits)
        return Player(config, entropy=entropy, submit=self.submit, answers=self.answers)

    def take_operations(self, *kinds: type) -> list[Any]:
        """Return what was stored since the last time, of these kinds or of any."""
        taken, self.operations = self.operations, []
        return [one for one in taken if not kinds or isinstance(one, kinds)]

    def put(self, kept: RunningGame, key: bytes = KEY) -> None:
        """Let this game wait for a player."""
        player = player_id(key)
        self.submit(Greet(player, "", 0))
        self.submit(Claim(player, "before"))
        self.submit(PutRunning(player, "before", kept))

    def claim(self, key: bytes = KEY) -> Holding:
        """Take the player's game over, as another server would; it is what is stored."""
        entrance = self.enter(Enter(player_id(key), "", f"probe {len(self.operations)}"))
        assert isinstance(entrance, Entrance)
        return entrance.holding


def a_play(diagram: str, rules: Rules | str = "classic", title: Title | None = None) -> Play:
    """Sit down at a board of `*` and `.`."""
    field = parse_board(diagram)
    played = PRESETS[rules] if isinstance(rules, str) else rules
    setup = Setup.of_layout(field.size, field.mines, played)
    return Play(Game(setup), title or Title("custom"), "given")


def waiting(
    diagram: str, rules: Rules | str = "classic", cursor: Cell | None = None
) -> RunningGame:
    """Write down a game on that board on which nothing was done yet."""
    play = a_play(diagram, rules)
    play.cursor = cursor or play.cursor
    return running_game(play, 0)


def seated(
    diagram: str, rules: Rules | str = "classic", hello: Hello = PLAIN
) -> tuple[Player, Backstage]:
    """Connect a known player to a game on that board."""
    backstage = Backstage()
    backstage.put(waiting(diagram, rules))
    player = backstage.player()
    player.send(hello)
    player.take_effects()
    backstage.take_operations()
    return player, backstage
