"""Programs that play: a library for games on a server, and the solver as a player.

They know no more of a game than its player sees.
"""

from jminesweeper.bot.on_server import Report, ServerGames, play_on_server
from jminesweeper.bot.playing import BotError, GameOutcome, LocalGame, Watch, play_out
from jminesweeper.bot.remote import RemoteGame, ServerHint, ViewWatch, connect

__all__ = [
    "BotError",
    "GameOutcome",
    "LocalGame",
    "RemoteGame",
    "Report",
    "ServerGames",
    "ServerHint",
    "ViewWatch",
    "Watch",
    "connect",
    "play_on_server",
    "play_out",
]
