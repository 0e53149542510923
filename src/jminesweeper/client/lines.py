"""Lines of standard input, whatever it is: a terminal, a pipe or a file."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from jminesweeper.client.background import in_background

_READ_AT_ONCE: Final = 65536


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Read lines as they come, never more ahead than the system hands over at once."""
    held = b""
    while data := await in_background(partial(os.read, descriptor, _READ_AT_ONCE)):
        *lines, held = (held + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
    if held:
        yield held.decode(errors="replace")
