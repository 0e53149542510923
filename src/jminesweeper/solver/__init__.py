"""What a player can infer from what is shown, and how well that can be played.

It sees player views only and never asks the engine for the truth; the generator of boards that
need no guess deals its own. Time and randomness are arguments.
"""
