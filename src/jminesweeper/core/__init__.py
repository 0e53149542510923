"""The game itself: boards, rules, games, and the part of them that a player may know.

Pure and deterministic: it never reads a clock, never draws randomness it was not handed, and
knows nothing of screens, wires or files.
"""
