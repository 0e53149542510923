"""A player's view as something to look at: ANSI frames, patches and plain text.

It never sees more than a view, decides nothing about the game, and writes nowhere.
"""
