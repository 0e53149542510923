"""The protocol as checks that any server and any client can be put to, from outside.

It knows bytes, and what a person can see on the screen: nothing of how the other side is made.
"""
