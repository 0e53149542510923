"""Document F's use cases, on the wire."""

from __future__ import annotations

import pytest

from jminesweeper.core.rules import PRESETS
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Start, Undo
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.reading import read_statistics
from jminesweeper.records.statistics import Sums
from tests.scenarios.table import Table
from tests.world.games import ADA

FORMAL = PRESETS["formal"]
BOARD = "*..\n...\n..*"


def counts(table: Table) -> Sums:
    return table.world.run(read_statistics(ADA)).counts


def ended(table: Table) -> list[Status]:
    return [game.status for game in table.world.finished]


@pytest.mark.requirement("F:start_game", "F:V.Game.only_one_uncompleted_game")
def test_a_game_starts_when_none_is_uncompleted() -> None:
    table = Table(BOARD, FORMAL)
    table.press(1, 0)
    table.send(Start(9, 9, 1))
    assert ended(table) == [Status.TERMINATED]
    assert table.size == (9, 9)


@pytest.mark.requirement("F:terminate_game")
def test_an_ended_game_is_not_terminated() -> None:
    table = Table(BOARD, FORMAL)
    table.press(0, 0)
    table.send(Start(9, 9, 1))
    assert ended(table) == [Status.LOST]


@pytest.mark.requirement("F:reveal")
def test_a_hidden_tile_becomes_revealed_and_no_other() -> None:
    table = Table(BOARD, FORMAL)
    table.press(1, 0)
    assert table.field == ["?1?", "???", "???"]
    table.press(2, 1)
    assert table.field == ["?1?", "??1", "???"]


@pytest.mark.requirement("F:reveal")
def test_a_flagged_tile_is_not_revealed_before_its_flag_is_removed() -> None:
    table = Table(BOARD, FORMAL)
    table.flag(1, 1)
    table.press(1, 1)
    assert table.field == ["???", "?F?", "???"]
    table.flag(1, 1)
    table.press(1, 1)
    assert table.field == ["???", "?2?", "???"]


@pytest.mark.requirement("F:reveal")
def test_a_revealed_tile_is_not_revealed_again() -> None:
    table = Table(BOARD, FORMAL)
    table.press(1, 0)
    table.press(1, 0)
    table.send(Undo(1))
    assert table.field == ["???", "???", "???"]


@pytest.mark.requirement("F:flag", "F:flags")
def test_a_hidden_tile_becomes_flagged_and_no_other() -> None:
    table = Table(BOARD, FORMAL)
    table.flag(1, 0)
    assert table.field == ["?F?", "???", "???"]


@pytest.mark.requirement("F:flags")
def test_the_flags_of_a_game_are_counted() -> None:
    table = Table(BOARD, FORMAL)
    flags = [2 - table.mines_left]
    for cell in ((1, 0), (2, 0), (1, 1), (2, 0), (1, 0)):
        table.flag(*cell)
        flags.append(2 - table.mines_left)
        assert "".join(table.field).count("F") == flags[-1]
    assert flags == [0, 1, 2, 3, 2, 1]


@pytest.mark.requirement("F:flags")
def test_revealing_a_tile_and_losing_the_game_change_no_flags() -> None:
    table = Table(BOARD, FORMAL)
    table.flag(1, 1)
    table.press(1, 0)
    assert table.mines_left == 1
    table.press(0, 0)
    assert table.mines_left == 1


@pytest.mark.requirement("F:remove_flag")
def test_a_flagged_tile_becomes_hidden() -> None:
    table = Table(BOARD, FORMAL)
    table.flag(1, 0)
    table.flag(1, 0)
    assert table.field[0] == "???"


@pytest.mark.requirement("F:reveal", "F:flag", "F:remove_flag")
@pytest.mark.parametrize("packet", [Command.REVEAL, Command.TOGGLE_BOMB_MARK])
def test_nothing_is_done_to_the_tiles_of_an_ended_game(packet: Command) -> None:
    table = Table(BOARD, FORMAL)
    table.press(0, 0)
    before = table.field
    table.send(Command.MOVE_RIGHT, packet)
    assert table.field == before


@pytest.mark.requirement("F:V.Game.victory_condition")
def test_victory_comes_by_flags_and_by_reveals() -> None:
    flagged = Table(BOARD, FORMAL)
    assert "You won" not in flagged.flag(0, 0)
    assert "You won" in flagged.flag(2, 2)
    revealed = Table("*..\n...\n...", FORMAL)
    assert "You won" in revealed.press(2, 2)


@pytest.mark.requirement("F:V.Game.loss_condition", "F:V.Game.at_most_one_uncovered_mine")
def test_a_loss_is_one_revealed_mine() -> None:
    table = Table(BOARD, FORMAL)
    assert "You lost" in table.press(0, 0)
    marks = [table.marks(column, row) for column in range(3) for row in range(3)]
    assert marks.count("B*") == 1
    assert marks.count("B") == 1


@pytest.mark.requirement("F:games_played", "F:games_won")
def test_every_game_counts_as_played_and_victories_as_won() -> None:
    table = Table(BOARD, FORMAL)
    table.flag(0, 0)
    table.flag(2, 2)
    assert (counts(table).played, counts(table).won) == (1, 1)
    table.send(Start(1, 1, 1), Command.REVEAL)
    table.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Start(9, 9, 1), Start(9, 9, 1))
    assert (counts(table).played, counts(table).won) == (3, 1)
