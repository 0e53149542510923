"""Minesweeper for the terminal, played over the network."""

__version__ = "0.1.0"
