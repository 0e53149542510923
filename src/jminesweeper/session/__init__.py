"""A player as a pure state machine: packets, answers and events go in, replies come out.

It never reads a socket, a clock or a file, and has no randomness that it was not given.
"""
