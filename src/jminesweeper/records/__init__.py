"""Players, games, results and rooms as documents, and everything that happens to them.

Pure, above the store's verbs. What needs the store is a *flow*: a generator that yields a `Read` or
a `Commit` and gets its answer. It reads documents, decides, and commits what follows with their
versions as checks; if anything has changed meanwhile, it decides again. It never knows a backend, a
clock or a socket.
"""
