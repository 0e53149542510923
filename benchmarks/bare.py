"""The least that a server of version 1 can do: one prebuilt frame per packet, no game at all.

    python -m benchmarks.bare FRAME_BYTES asyncio|uvloop

`asyncio.Protocol` as everybody writes it, one write per reply; it hangs up on QUIT.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import cast

HEADER_BYTES, START, QUIT, SCREEN_CONTENT = 5, 7, 8, 9


class Bare(asyncio.Protocol):
    def __init__(self, frame: bytes) -> None:
        self.frame = frame

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if data[0] == QUIT:
            self.transport.close()
            return
        for _ in range(1 if data[0] == START else len(data)):
            self.transport.write(self.frame)


async def serve(frame_bytes: int) -> None:
    payload = frame_bytes - HEADER_BYTES
    frame = bytes((SCREEN_CONTENT,)) + payload.to_bytes(4, "big") + b"x" * payload
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Bare(frame), "127.0.0.1", 0, backlog=4096)
    print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", file=sys.stderr)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[2] == "uvloop":
        asyncio.set_event_loop_policy(importlib.import_module("uvloop").EventLoopPolicy())
    asyncio.run(serve(int(sys.argv[1])))
