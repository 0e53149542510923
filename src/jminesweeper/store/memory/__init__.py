"""The store that ends with its process: for tests, and for servers without storage.

It is the shortest description of what every store does.
"""

from jminesweeper.store.memory.backend import MemoryStore

__all__ = ["MemoryStore"]
