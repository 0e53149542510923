"""The store on Redis or Valkey, shared by servers on any number of hosts.

It asks only through functions that run inside the server, and never keeps anything itself.
"""

from jminesweeper.store.redis.address import open_client
from jminesweeper.store.redis.backend import RedisArchive, RedisStore

__all__ = ["RedisArchive", "RedisStore", "open_client"]
