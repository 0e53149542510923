"""What the bot can do, and that its errors are those of clients."""

from __future__ import annotations

from jminesweeper.client.bot.outcome import DOES, BotError
from jminesweeper.client.errors import ClientError
from jminesweeper.core import ActionKind
from jminesweeper.protocol import Command


def test_whatever_a_player_decides_on_has_a_packet_of_version_1() -> None:
    assert set(DOES) == {ActionKind.REVEAL, ActionKind.FLAG}
    assert all(command.packet_type <= Command.TOGGLE_BOMB_MARK.value for command in DOES.values())


def test_its_errors_are_told_like_those_of_any_client() -> None:
    assert issubclass(BotError, ClientError)
