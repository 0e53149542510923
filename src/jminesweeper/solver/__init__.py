"""What a player can infer from what is shown, and how well that can be played.

It sees player views only: it never asks the engine for the truth.
"""
