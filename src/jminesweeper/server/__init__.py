"""The asyncio shell around sessions: connections, limits, turns, timeouts, workers and logs.

It never knows a rule of the game and never draws; the session decides what a reply says.

A server in the same process, on a free port of the loopback interface or on no port at all:

    async with GameServer(ServerConfig(host="127.0.0.1", port=0), backend) as server:
        connect(server.port)

    async with GameServer(ServerConfig(port=None), backend) as server:
        player = await server.connect_embedded()  # a connected socket

A server as a process, which ends on a signal: `run_server(config, open_backend)`.
"""
