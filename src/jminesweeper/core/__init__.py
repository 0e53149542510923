"""What Minesweeper is: boards, rules, games, and what a player may know of them.

Pure and deterministic: it never reads a clock, never draws randomness it was not handed, and
knows nothing of screens, wires or files.
"""
