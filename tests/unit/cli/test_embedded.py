import asyncio
from contextlib import AsyncExitStack

from jminesweeper.cli.embedded import EmbeddedServer
from jminesweeper.protocol import Direction, PacketReader, ScreenContent, Start, encode


def test_a_player_and_the_next_connection_meet_the_same_server() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            server = EmbeddedServer(stack)
            for _ in range(2):
                player = await server.connect()
                player.setblocking(False)
                await loop.sock_sendall(player, encode(Start(5, 4, 1)))
                reader = PacketReader(Direction.FROM_SERVER)
                packets = reader.feed(await loop.sock_recv(player, 65536))
                assert isinstance(packets[0], ScreenContent)
                assert b"5x4" in packets[0].text
                player.close()

    asyncio.run(run())
