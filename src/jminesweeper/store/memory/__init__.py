"""The store that ends with its process: for tests, and for servers that keep nothing.

It is the shortest way to say what every store does.
"""

from jminesweeper.store.memory.backend import MemoryStore

__all__ = ["MemoryStore"]
