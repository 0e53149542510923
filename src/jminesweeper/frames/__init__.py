"""Screens of version 1: each is whole, in as few bytes as possible.

It knows a player's view and nothing of packets, sessions or the rest of version 2.
"""
