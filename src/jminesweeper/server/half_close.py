"""Ending a connection so that the last screen arrives."""

from __future__ import annotations

import asyncio


def close_our_half(transport: asyncio.Transport) -> bool:
    """Say that no more will come; False where only a whole connection can be closed.

    Closing both halves while the peer has sent something that was not read resets the connection,
    and the reset can overtake what was written last.
    """
    if not transport.can_write_eof():
        return False
    try:
        transport.write_eof()
    except OSError:  # The peer has reset the connection already.
        transport.abort()
    return True
