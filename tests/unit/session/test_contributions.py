"""The contributions of each author to a shared board."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.session.tables import Contributions

KINDS = (ActionKind.REVEAL, ActionKind.FLAG, ActionKind.FLAG, ActionKind.UNDO)


def test_of_one_action_after_the_other_play_no_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, followed = Game(Setup(Variant.parse("beginner"), seed=1)), Contributions()
    monkeypatch.setattr("jminesweeper.session.tables.Game", None)
    for number in range(5):
        game.play(ActionKind.FLAG, number, number, author=1)
        followed.follow(game)
    assert followed.flags == dict.fromkeys(range(5), 1)


@pytest.mark.parametrize("seed", range(20))
def test_are_the_same_whether_entries_come_one_by_one_or_at_once(seed: int) -> None:
    draw, board = Random(seed), Variant.parse("beginner")
    variant = replace(board, rules=replace(board.rules, mine=MineEffect.LIFE))
    game, followed = Game(Setup(variant, seed=seed)), Contributions()
    for number in range(80):
        kind, cell = draw.choice(KINDS), draw.choice([*variant.grid.cells(variant.grid.mask)])
        game.play(kind, variant.grid.index(cell), number, author=draw.randrange(1, 4))
        if draw.random() < 0.7:
            followed.follow(game)
    if draw.random() < 0.5:
        # Others were faster: what came after some entries is another's.
        game = Game.replay(game.setup, game.log.entries[: len(game.log) // 2])
        game.play(ActionKind.FLAG, 0, 90, author=3)
        game.play(ActionKind.FLAG, 1, 91, author=2)
    followed.follow(game)
    read_at_once = Contributions()
    read_at_once.follow(game)
    for name in ("opened", "hits", "flags", "owners", "length"):
        assert getattr(followed, name) == getattr(read_at_once, name), name
