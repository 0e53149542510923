"""The least that a server of the protocol can do: one prebuilt frame per packet, no game at all.

    python -m benchmarks.server.bare protocol|tuned|visits FRAME_SIZE asyncio|uvloop

`protocol` is the reference: asyncio.Protocol as everybody writes it, one write per reply. `tuned`
spares asyncio the 256 KiB it allocates for each of that one's reads, as the real server does, and
joins the replies to packets that came together, so that figures above the reference explain
themselves. `visits` is the reference that hangs up on QUIT.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Callable, Mapping
from typing import cast

from jminesweeper.protocol.vocabulary import PacketType

HEADER_SIZE = 5


def frame_of(size: int) -> bytes:
    payload = size - HEADER_SIZE
    return bytes((PacketType.SCREEN_CONTENT,)) + payload.to_bytes(4, "big") + b"x" * payload


class Bare(asyncio.Protocol):
    def __init__(self, frame: bytes) -> None:
        self.frame = frame

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        for _ in range(1 if data[0] == PacketType.START else len(data)):
            self.transport.write(self.frame)


class BareTuned(asyncio.BufferedProtocol):
    buffer = memoryview(bytearray(512))

    def __init__(self, frame: bytes) -> None:
        self.frame = frame

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        count = 1 if self.buffer[0] == PacketType.START else nbytes
        self.transport.write(self.frame * count)


class BareVisits(Bare):
    def data_received(self, data: bytes) -> None:
        if data[0] == PacketType.QUIT:
            self.transport.close()
        else:
            self.transport.write(self.frame)


KINDS: Mapping[str, Callable[[bytes], Bare | BareTuned]] = {
    "protocol": Bare,
    "visits": BareVisits,
    "tuned": BareTuned,
}


async def serve(kind: str, frame: bytes) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: KINDS[kind](frame), "127.0.0.1", 0, backlog=4096)
    print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", file=sys.stderr)
    await server.serve_forever()


def main() -> None:
    kind, size, loop_kind = sys.argv[1:]
    if loop_kind == "uvloop":
        asyncio.set_event_loop_policy(importlib.import_module("uvloop").EventLoopPolicy())
    asyncio.run(serve(kind, frame_of(int(size))))


if __name__ == "__main__":
    main()
