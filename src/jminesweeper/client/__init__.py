"""The player's side of the wire: terminal, keys and socket.

It never knows a rule of the game, and never writes to the terminal what a server sent unfiltered.
"""
