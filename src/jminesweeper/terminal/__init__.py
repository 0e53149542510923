"""Screens of a terminal: lines of styled text, made from what the server said.

It opens no terminal and no connection, reads no clock and no file.
"""
