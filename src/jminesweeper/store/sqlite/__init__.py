"""The store in one SQLite file, written by one thread that commits in groups.

It never blocks its caller, and never acknowledges what is not on the disk.
"""
