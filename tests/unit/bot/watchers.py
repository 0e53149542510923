"""Somebody who watches, and remembers."""

from __future__ import annotations

from jminesweeper.bot.playing import GameOutcome
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.playing import Decision


class Notes:
    """Remembers every move with the view before it, and every end."""

    def __init__(self) -> None:
        self.moves: list[tuple[Decision, PlayerView]] = []
        self.ends: list[GameOutcome] = []

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        self.moves.append((move, view))
        return move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        assert view.status is outcome.status
        self.ends.append(outcome)
