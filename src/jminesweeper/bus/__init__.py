"""Telling other processes that something they show may have changed, but never the change itself.

The store is the truth. A message names a topic and says "look again": that a game has so many
entries, that a player has begun another one. It may be lost, come twice, late, or out of order, and
none of these is an error: the listener looks into the store and believes only that. This package is
the port; `local` and `redis` are backends behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

MISSED: Final = b""
"""Stands for messages that did not come."""
Listener: TypeAlias = Callable[[bytes], None]
"""Gets a message, or `MISSED`, in the event loop."""
Unsubscribe: TypeAlias = Callable[[], object]


class Bus(Protocol):
    """Carries messages between all who share a store, the sender included."""

    is_shared: bool
    """False if no other server can be there."""

    def publish(self, topic: str, message: bytes) -> None:
        """Send a message, which is not empty, to all listeners; never wait."""

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        """Listen to a topic from now on; the returned function ends that."""


# Topics, by the name of their subject

game_topic: Final = "game:{}".format
"""A game, by its code: servers that show it tell the length of its log."""
player_topic: Final = "player:{}".format
"""A player: the code of each game that becomes the current one."""
presence_topic: Final = "here:{}".format
"""A player online, by their handle: they play another game now."""
room_topic: Final = "room:{}".format
"""A room, by its code: its changes, and the phrases said in it, which are never stored."""
WAITING_TOPIC: Final = "waiting"
"""The players waiting for an opponent: arrivals and meetings."""
