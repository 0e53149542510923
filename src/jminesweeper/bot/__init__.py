"""A player that is no person: it reads a server's screens, and plays what the solver advises.

It never knows more of a game than a screen shows.
"""

from jminesweeper.bot.blocking import BlockingClient, Server
from jminesweeper.bot.on_server import Report, ServerGames, play_on_server
from jminesweeper.bot.playing import BotError, GameOutcome, LocalGame, Watch, play_out

__all__ = [
    "BlockingClient",
    "BotError",
    "GameOutcome",
    "LocalGame",
    "Report",
    "Server",
    "ServerGames",
    "Watch",
    "play_on_server",
    "play_out",
]
