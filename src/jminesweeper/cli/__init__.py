"""The commands of `jminesweeper`, and the only place where the parts are wired together.

It never plays, draws or decides anything itself: a command reads its options and starts a shell.
"""
