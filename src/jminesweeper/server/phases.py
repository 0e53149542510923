"""The phases of a conversation, and what leads from one to the next.

The server's side of a connection is a conversation with a client. At each moment it is in one
phase, and `TRANSITIONS` says where each trigger leads from there; what the table does not hold
cannot happen, and a KeyError says so.

    DOOR ------------> PLAYING <-----------> ASKING
      |   FIRST_PACKET    |     QUESTION /      |
      |                   |     ANSWER          |
      '-------------------+---------------------'
                          |  PARTING
                          v
                       LEAVING ------------> LINGERING           (any) ------> GONE
                                 ALL_SENT                              LOSS

DOOR        No packet has come. The first bytes say who it is (`door`): who is not a client is
            told what this is, and leaves. Who stays silent is let go after a short time.
PLAYING     Packets are answered: one reply for each, in their order.
ASKING      The session needs an answer before it can reply: from the store, from a worker, or
            from a log that is replayed. Packets wait.
LEAVING     No packet is taken any more: the player has quit, the server has said goodbye, bytes
            came that are not packets, or the peer's stream has ended. What is owed is still sent,
            and waits for the store as ever.
LINGERING   Everything has been sent. What comes in is discarded until the peer hangs up:
            closing a connection with unread bytes would reset it, and the reset can overtake the
            last screen.
GONE        The connection is lost. What the session leaves behind still has to be stored.

What may happen in each phase:

                                DOOR    PLAYING   ASKING    LEAVING   LINGERING   GONE
    bytes arrive                who?    answered  wait      dropped   dropped     -
    the peer's stream ends      leaves  leaves    leaves    -         hangs up    -
    the peer stops reading      -       wait      wait      -         -           -
    the store answers a write   -       replies that needed it leave     -        noted
    a question is answered      -       -         resolved  dropped   dropped     dropped
    an event comes              noted   shown     noted     dropped   dropped     dropped
    the server disconnects      leaves  leaves    leaves    -         -           -
    time passes without bytes   leaves  leaves    leaves    -         -           -
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

IDLE: Final = "You were away for a long time. Connect again to play on."


class Phase(Enum):
    """Where a conversation is."""

    DOOR = auto()
    PLAYING = auto()
    ASKING = auto()
    LEAVING = auto()
    LINGERING = auto()
    GONE = auto()

    # Members are singletons: identity hashes in C, Enum's own hash is a Python function.
    __hash__ = object.__hash__


class Trigger(Enum):
    """What changes the phase of a conversation."""

    FIRST_PACKET = auto()
    QUESTION = auto()
    ANSWER = auto()
    PARTING = auto()
    ALL_SENT = auto()
    LOSS = auto()

    __hash__ = object.__hash__


TRANSITIONS: Final[Mapping[tuple[Phase, Trigger], Phase]] = {
    (Phase.DOOR, Trigger.FIRST_PACKET): Phase.PLAYING,
    (Phase.DOOR, Trigger.PARTING): Phase.LEAVING,
    (Phase.PLAYING, Trigger.QUESTION): Phase.ASKING,
    (Phase.PLAYING, Trigger.PARTING): Phase.LEAVING,
    (Phase.ASKING, Trigger.ANSWER): Phase.PLAYING,
    (Phase.ASKING, Trigger.PARTING): Phase.LEAVING,
    (Phase.LEAVING, Trigger.ALL_SENT): Phase.LINGERING,
    **{(phase, Trigger.LOSS): Phase.GONE for phase in Phase if phase is not Phase.GONE},
}

OPEN: Final = (Phase.PLAYING, Phase.ASKING, Phase.DOOR)
"""The phases in which packets are taken."""


class Ending(Enum):
    """How to hang up, once everything has been sent."""

    AFTER_THE_PEER = auto()
    """Close our half of the connection, and let the peer close the other."""
    NOW = auto()
    """Close the connection: the peer expects nothing more."""
    AT_ONCE = auto()
    """Drop the connection, with everything not yet sent."""
