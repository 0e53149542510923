"""The states of a client's conversation with a server, and what leads from one to the next.

A conversation lasts as long as its player plays, over as many connections as that takes.

**Two versions.** START is the first packet of every connection, because every server understands
it. The first screen shows what the server speaks. If it announces version 2, and the player has
not ruled that out, HELLO follows, and after it the game that START cannot express. Otherwise that
screen is already the game's.

**What is owed.** Each packet but QUIT is answered by exactly one screen, in order, so it takes no
more than counting to know which screen answers what. A frame flagged UNASKED answers nothing and
is not counted. Any other screen that comes while nothing is owed is the last one of a server that
is being stopped.

**Reconnecting.** A game of version 2 that is cut off waits on the server under the player's key.
So the conversation asks for another connection, less and less often, and its HELLO says RESUME. A
game of version 1 is lost with its connection.

What has no entry changes nothing: it comes late from a connection that was given up. A server
that stays silent is hung up on and counts as lost. From every state QUIT leads to OVER, and so do
a last screen and bytes that are not packets.

**What is typed** is kept while DIALLING and GREETING, because the first screen settles which
packets the keys stand for. While PLAYING it goes out, except what has to wait until a screen
shows what it means (see `typeahead`). On the way back it is dropped: it was meant for a screen
that is gone, but RETURN tries at once. Only QUIT counts everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class ClientState(Enum):
    """Where a conversation is; the table above says what comes next."""

    DIALLING = auto()
    GREETING = auto()
    PLAYING_1 = auto()
    PLAYING_2 = auto()
    WAITING = auto()
    REDIALLING = auto()
    REGREETING = auto()
    OVER = auto()


class ClientTrigger(Enum):
    """What changes the state of a conversation."""

    CONNECTED = auto()
    SPOKE_1 = auto()
    SPOKE_2 = auto()
    LOST = auto()
    DUE = auto()


TRANSITIONS: Final[Mapping[tuple[ClientState, ClientTrigger], ClientState]] = {
    (ClientState.DIALLING, ClientTrigger.CONNECTED): ClientState.GREETING,
    (ClientState.DIALLING, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.GREETING, ClientTrigger.SPOKE_1): ClientState.PLAYING_1,
    (ClientState.GREETING, ClientTrigger.SPOKE_2): ClientState.PLAYING_2,
    (ClientState.GREETING, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.PLAYING_1, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.PLAYING_2, ClientTrigger.LOST): ClientState.WAITING,
    (ClientState.WAITING, ClientTrigger.DUE): ClientState.REDIALLING,
    (ClientState.REDIALLING, ClientTrigger.CONNECTED): ClientState.REGREETING,
    (ClientState.REDIALLING, ClientTrigger.LOST): ClientState.WAITING,
    (ClientState.REGREETING, ClientTrigger.SPOKE_1): ClientState.WAITING,
    (ClientState.REGREETING, ClientTrigger.SPOKE_2): ClientState.PLAYING_2,
    (ClientState.REGREETING, ClientTrigger.LOST): ClientState.WAITING,
}
GREETING: Final = frozenset({ClientState.GREETING, ClientState.REGREETING})
PLAYING: Final = frozenset({ClientState.PLAYING_1, ClientState.PLAYING_2})
COMING_BACK: Final = frozenset(
    {ClientState.WAITING, ClientState.REDIALLING, ClientState.REGREETING}
)
