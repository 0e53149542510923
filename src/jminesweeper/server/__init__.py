"""The asyncio shell around sessions: sockets, limits, timeouts, signals and logs.

It never knows a rule of the game and never draws; what a reply is and means is the session's.

A server in the same process, on a free port of the loopback interface or on no port at all:

    backend = Backend(new_session=lambda: Session(SessionConfig(), getrandbits))
    async with GameServer(ServerConfig(host="127.0.0.1", port=0), backend) as server:
        connect(server.port)

    async with GameServer(ServerConfig(port=None), backend) as server:
        player = await server.connect_embedded()  # a connected socket

A server as a process, which ends on a signal: `run_server(config, open_backend)`.
"""

from jminesweeper.server.backend import (
    Backend,
    Committer,
    DismissalError,
    GameSession,
    Handler,
    keep_nothing,
)
from jminesweeper.server.config import ALL_INTERFACES, DEFAULT_PORT, ServerConfig
from jminesweeper.server.errands import find_hint, lay_board, look_back
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.listening import ListenError
from jminesweeper.server.logs import LogFormat, logging_to_stderr
from jminesweeper.server.process import OpenBackend, run_server
from jminesweeper.server.vault import Vault
from jminesweeper.server.workers import Workers

__all__ = [
    "ALL_INTERFACES",
    "DEFAULT_PORT",
    "Backend",
    "Committer",
    "DismissalError",
    "GameServer",
    "GameSession",
    "Handler",
    "ListenError",
    "LogFormat",
    "OpenBackend",
    "ServerConfig",
    "Vault",
    "Workers",
    "find_hint",
    "keep_nothing",
    "lay_board",
    "logging_to_stderr",
    "look_back",
    "run_server",
]
