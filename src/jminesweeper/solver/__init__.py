"""The inferences of a player who sees the shown numbers only, and play by them.

It sees player views only and never asks the engine for the truth; the generator of boards that
need no guess deals its own. Time and randomness are arguments.
"""
