"""A journal that another device plays on in, seen by what it asks of the store."""

from __future__ import annotations

from random import Random

from jminesweeper.core.actions import ActionKind, pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.records.documents import GameDocument
from jminesweeper.records.games import ReplacedGame
from jminesweeper.records.journal import Journal
from jminesweeper.records.players import Opened, PlayerCopy
from jminesweeper.store.port import Commit

DRAW = Random(1).getrandbits


def test_a_replaced_game_that_another_device_loses_is_stored_before_its_result() -> None:
    game = Game(Setup.of(Size(3, 3), layout=1))
    game.flag(game.grid.cell(0))
    document = GameDocument(game.setup, ("ada",))
    opened = Opened("code", 7, document, pack_entries(game.log.entries), None)
    journal = Journal.of(opened, game, PlayerCopy("ada", DRAW), DRAW)
    journal.put_aside(ReplacedGame("code"))
    journal.act(ActionKind.FLAG, 0, 1, 0, 1)
    journal.act(ActionKind.REVEAL, 0, 2, 0, 2)
    assert game.status.is_over
    asked = [each for _ in range(3) if (each := journal.next_operation(3)) is not None]
    assert isinstance(asked[0], Commit)
    assert asked[0].appends[0].entries == pack_entries(game.log.entries[1:])
