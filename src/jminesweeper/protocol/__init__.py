"""Bytes to packets and packets to bytes, both directions, version 1 and version 2 of the wire.

It never reads a socket or a clock, and never judges a value that fits its field.
"""
