"""A game that was played, shown again in the terminal: forwards, backwards, fast and slow.

It asks the engine for positions and never decides what an action does.
"""

from jminesweeper.client.replay.playback import Playback
from jminesweeper.client.replay.projector import Look, Projector
from jminesweeper.client.replay.reel import Reel, Scene

__all__ = ["Look", "Playback", "Projector", "Reel", "Scene"]
