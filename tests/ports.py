"""Ports that are free, and stay free for whoever is told their number."""

from __future__ import annotations

import socket
from collections import deque
from typing import Final

HOST: Final = "127.0.0.1"
MOST_HELD: Final = 100

_held: deque[socket.socket] = deque()


def free_port() -> int:
    """A port on which nobody listens, and which the kernel gives to nobody by chance.

    A socket is bound to it that never listens. Beside that a server may listen that asks for its
    port by number, as often as it is started, for all of ours allow the reuse of addresses.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((HOST, 0))
    _held.append(holder)
    if len(_held) > MOST_HELD:
        _held.popleft().close()
    port: int = holder.getsockname()[1]
    return port
