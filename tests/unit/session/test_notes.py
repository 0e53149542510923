"""Cursor, clock and pause: noted at most once a second, and never waited for."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import MoveTo, Packet, Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session.lease import NOTE_EVERY_MS
from jminesweeper.store import Fault, FencedError, Note, RunningGame, StoreUnavailableError
from tests.unit.session.backstage import KNOWN, Backstage, seated
from tests.unit.session.player import BACK, Player

BOARD = "*..\n...\n..."
FLAG = Command.TOGGLE_BOMB_MARK


def begun() -> tuple[Player, Backstage]:
    """Somebody in a game that was begun a while ago, with everything noted."""
    player, backstage = seated(BOARD)
    player.send(FLAG)
    player.send_after(NOTE_EVERY_MS, Command.REFRESH)
    player.take_effects()
    return player, backstage


def notes(player: Player) -> list[Note]:
    return [note for note in player.notes if isinstance(note, Note)]


def stored(backstage: Backstage) -> RunningGame:
    kept = backstage.claim().game
    assert kept is not None
    return kept


@pytest.mark.parametrize("packet", [MoveTo(2, 2), Command.MOVE_DOWN])
def test_a_cursor_that_moved_is_noted_with_the_clock(packet: Packet) -> None:
    player, _ = begun()
    player.send_after(NOTE_EVERY_MS, packet)
    (note,) = notes(player)
    assert note.clock_ms == 2 * NOTE_EVERY_MS
    assert note.cursor != Cell(0, 0)
    assert player.writes == []


def test_a_wandering_cursor_is_noted_at_most_once_a_second() -> None:
    player, _ = begun()
    for _ in range(30):
        player.send_after(100, Command.MOVE_RIGHT, Command.MOVE_LEFT)
    assert len(notes(player)) == 3


def test_an_action_carries_the_cursor_and_puts_the_next_note_off() -> None:
    player, backstage = begun()
    player.send_after(NOTE_EVERY_MS, MoveTo(1, 1))
    player.take_effects()
    player.send(MoveTo(2, 1), FLAG)
    player.send_after(NOTE_EVERY_MS - 1, MoveTo(0, 1))
    assert notes(player) == []
    assert stored(backstage).cursor == Cell(2, 1)


def test_nothing_is_noted_twice() -> None:
    player, _ = begun()
    player.send(Command.PAUSE)
    player.send_after(NOTE_EVERY_MS, Command.REFRESH)
    player.take_effects()
    for _ in range(3):
        player.send_after(NOTE_EVERY_MS, Command.REFRESH)
    assert notes(player) == []


def test_coming_back_to_a_game_notes_nothing() -> None:
    backstage = Backstage()
    first = backstage.player()
    first.send(KNOWN, Start(9, 9, 1), MoveTo(3, 4), FLAG)
    second = backstage.player()
    second.now_ms = first.now_ms
    second.send(KNOWN)
    assert second.notes == []


def test_a_pause_is_noted() -> None:
    player, backstage = begun()
    player.send_after(NOTE_EVERY_MS, Command.PAUSE)
    assert stored(backstage).is_paused


def test_a_menu_is_no_pause() -> None:
    player, backstage = begun()
    player.send_after(NOTE_EVERY_MS, BACK)
    player.send_after(NOTE_EVERY_MS, Command.MOVE_DOWN)
    kept = stored(backstage)
    assert (kept.is_paused, kept.clock_ms) == (False, 2 * NOTE_EVERY_MS)


@pytest.mark.parametrize("leaving", [Command.QUIT, None])
def test_who_leaves_has_everything_noted_at_once(leaving: Command | None) -> None:
    player, backstage = begun()
    player.send_after(10, MoveTo(2, 2))
    assert notes(player) == []
    if leaving is not None:
        player.send(leaving)
    player.hang_up()
    (note,) = notes(player)
    assert (note.clock_ms, note.cursor) == (NOTE_EVERY_MS + 10, Cell(2, 2))
    assert stored(backstage).cursor == Cell(2, 2)


def test_a_game_that_was_never_begun_is_not_noted() -> None:
    backstage = Backstage()
    player = backstage.player()
    player.send(KNOWN, Start(9, 9, 1))
    player.send_after(NOTE_EVERY_MS, MoveTo(3, 3))
    player.hang_up()
    assert player.notes == []


def test_a_game_that_is_over_is_not_noted() -> None:
    player, _ = begun()
    player.send(FLAG, Command.REVEAL)
    player.take_effects()
    player.send_after(NOTE_EVERY_MS, Command.MOVE_RIGHT)
    player.hang_up()
    assert player.notes == []


def test_a_note_that_failed_is_made_again() -> None:
    player, backstage = begun()
    backstage.fault = StoreUnavailableError(Fault.FULL)
    player.send_after(NOTE_EVERY_MS, Command.PAUSE)
    assert player.entry("state") == "paused"
    backstage.fault = None
    player.send_after(NOTE_EVERY_MS, Command.REFRESH)
    assert stored(backstage).is_paused


def test_a_refused_note_shows_that_the_game_was_taken_over() -> None:
    player, backstage = begun()
    backstage.claim()
    player.send_after(NOTE_EVERY_MS, Command.MOVE_RIGHT)
    assert "continues on another of your devices" in player.send(Command.REFRESH)


def test_an_answer_to_a_game_that_was_left_does_not_end_the_next_one() -> None:
    player, backstage = begun()
    player.send_after(NOTE_EVERY_MS, Command.MOVE_RIGHT)
    (note,) = notes(player)
    backstage.claim()
    player.send(FLAG, Start(4, 4, 2), FLAG)
    player.session.settle(note, FencedError())
    player.send(Command.REFRESH)
    assert (player.entry("size"), player.entry("state")) == ("4x4", "playing")
