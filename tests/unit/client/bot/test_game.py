"""The loop that plays a game out, over tables that behave and tables that do not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from jminesweeper.client.bot.game import play_out
from jminesweeper.client.bot.outcome import BotError
from jminesweeper.core import (
    PRESETS,
    Action,
    Game,
    PlayerView,
    Rules,
    Setup,
    Size,
    Status,
    Victory,
    parse_position,
)
from jminesweeper.solver import Move


class GameTable:
    """A game at hand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: list[Move] = []

    def look(self) -> PlayerView:
        return self.game.view()

    def act(self, move: Move) -> None:
        self.moves.append(move)
        self.game.apply(Action(move.kind, move.cell), 0)


class FixedTable:
    """Positions one after the other, whatever is done."""

    def __init__(self, *positions: str) -> None:
        self._views = [parse_position(position, 1) for position in positions]

    def look(self) -> PlayerView:
        return self._views.pop(0)

    def act(self, move: Move) -> None:
        """Nothing comes of it."""


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS.keys())
@pytest.mark.parametrize("seed", range(5))
def test_a_game_by_any_rules_is_played_out(rules: Rules, seed: int) -> None:
    table = GameTable(Game(Setup(Size(9, 9), 10, rules, seed=seed)))
    outcome = play_out(table, rules.victory)
    assert outcome.status is table.game.status is not Status.ONGOING
    assert outcome.moves == len(table.moves)


def test_the_way_from_move_to_move_is_short() -> None:
    rules = PRESETS["jminesweeper"]
    table = GameTable(Game(Setup(Size(60, 40), 120, rules, seed=4)))
    play_out(table, rules.victory)
    assert table.game.status is Status.WON
    cells = [move.cell for move in table.moves]
    steps = [abs(a.column - b.column) + abs(a.row - b.row) for a, b in pairwise(cells)]
    # In reading order a move is some twenty steps from the one before.
    assert sum(steps) / len(steps) < 6


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        (("? ? ?", "? ? ?"), "nothing new after reveal"),
        (("? ? ? 1 .", "? ? ? ? ?"), "nothing new"),
        (("? ? ?", "? ? ? ?"), "another board"),
        (("1 ?",), "nothing left to do"),
        (("1 . ?",), "cannot be of a board with 1 mines"),
    ],
)
def test_a_table_where_nothing_moves_on_is_left(positions: tuple[str, ...], message: str) -> None:
    with pytest.raises(BotError, match=message):
        play_out(FixedTable(*positions), Victory.SAFE_VISIBLE)
