"""The protocol as checks of any server and any client, from outside.

It knows bytes and what a person sees on the screen, and nothing of the other side's inside.
"""
