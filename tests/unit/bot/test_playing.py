"""The loop that plays a game out, on games that behave and on games that do not."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from jminesweeper.bot.link import BotError
from jminesweeper.bot.playing import GameOutcome, LocalGame, PlayableGame, Watcher, play_out
from jminesweeper.core.actions import Action
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status, parse_position
from tests.unit.bot.watchers import Notes


class FixedPositions:
    """Positions one after the other, whatever is done."""

    def __init__(self, *positions: str) -> None:
        self._views = [parse_position(position, 1) for position in positions]

    @property
    def view(self) -> PlayerView:
        return self._views[0]

    async def apply(self, action: Action) -> bool:
        """Nothing comes of it."""
        self._views.pop(0)
        return True


def play(game: PlayableGame, rules: Rules, watcher: Watcher | None = None) -> GameOutcome:
    return asyncio.run(play_out(game, rules, watcher))


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS.keys())
@pytest.mark.parametrize("seed", range(5))
def test_a_game_by_any_rules_is_played_out(rules: Rules, seed: int) -> None:
    game = Game(Setup.of(Size(9, 9), 10, rules, seed=seed))
    notes = Notes()
    outcome = play(LocalGame(game), rules, notes)
    assert outcome.status is game.status is not Status.ONGOING
    assert outcome.moves == len(notes.moves) == len(game.log)


def test_the_way_from_move_to_move_is_short() -> None:
    rules = PRESETS["jminesweeper"]
    game = Game(Setup.of(Size(60, 40), 120, rules, seed=4))
    notes = Notes()
    play(LocalGame(game), rules, notes)
    cells = [move.cell for move, _ in notes.moves]
    assert game.status is Status.WON
    steps = [abs(a.column - b.column) + abs(a.row - b.row) for a, b in pairwise(cells)]
    # In reading order a move is some twenty steps from the one before.
    assert sum(steps) / len(steps) < 6


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        (("? ? ?", "? ? ?"), "nothing new after reveal"),
        (("? ? ? 1 .", "? ? ? ? ?"), "nothing new"),
        (("? ? ?", "? ? ? ?"), "board changed"),
        (("1 ?",), "No moves are left"),
        (("1 . ?",), "impossible on a board with 1 mines"),
    ],
)
def test_a_game_that_makes_no_progress_is_left(positions: tuple[str, ...], message: str) -> None:
    with pytest.raises(BotError, match=message):
        play(FixedPositions(*positions), PRESETS["classic"])
