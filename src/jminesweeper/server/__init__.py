"""The asyncio shell around sessions: connections, limits, turns, timeouts, workers and logs.

It never knows a rule of the game and never draws; the session decides what a reply says.

A server in the same process, on a free port of the loopback interface or on no port at all:

    async with GameServer(ServerConfig(host="127.0.0.1", port=0), backend) as server:
        connect(server.port)

    async with GameServer(ServerConfig(port=None), backend) as server:
        player = await server.connect_embedded()  # a connected socket

A server as a process, which ends on a signal: `run_server(config, open_backend)`. Several of them:
`run_processes(config, count)`, which starts each by the command line of this one.
"""

from jminesweeper.server.config import (
    ALL_INTERFACES,
    DEFAULT_PORT,
    AdminConfig,
    Backend,
    GameSession,
    Network,
    ServerConfig,
    WebSocket,
)
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.listening import ListenError
from jminesweeper.server.logs import LogFormat, logging_to_stderr
from jminesweeper.server.process import OpenBackend, is_supervised, run_processes, run_server
from jminesweeper.server.tls import CertificateError
from jminesweeper.server.workers import MEMORY_MIB, Workers

__all__ = [
    "ALL_INTERFACES",
    "DEFAULT_PORT",
    "MEMORY_MIB",
    "AdminConfig",
    "Backend",
    "CertificateError",
    "GameServer",
    "GameSession",
    "ListenError",
    "LogFormat",
    "Network",
    "OpenBackend",
    "ServerConfig",
    "WebSocket",
    "Workers",
    "is_supervised",
    "logging_to_stderr",
    "run_processes",
    "run_server",
]
