"""Programs that play: a library for games on a server, and the solver as a player.

They know no more of a game than its player sees.
"""
