"""A game that was played, shown again in the terminal: forwards, backwards, fast and slow.

It asks the engine for positions, and never decides what an action does.
"""
