"""The bus of a process: of one server, or of several in a test."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from jminesweeper.bus import Listener, Unsubscribe

logger = logging.getLogger("jminesweeper.bus")


class Listeners:
    """The listeners of each topic."""

    def __init__(self) -> None:
        self._by_topic: dict[str, tuple[Listener, ...]] = {}

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self._by_topic)

    def has(self, topic: str) -> bool:
        return topic in self._by_topic

    def add(self, topic: str, listener: Listener) -> bool:
        """Add a listener; return whether it is the first of its topic."""
        listeners = self._by_topic[topic] = (*self._by_topic.get(topic, ()), listener)
        return len(listeners) == 1

    def remove(self, topic: str, listener: Listener) -> bool:
        """Remove a listener, if present; return whether it was the last of its topic."""
        listeners = self._by_topic.get(topic, ())
        if listener not in listeners:
            return False
        place = listeners.index(listener)
        left = listeners[:place] + listeners[place + 1 :]
        if left:
            self._by_topic[topic] = left
        else:
            del self._by_topic[topic]
        return not left

    def deliver(self, topic: str, message: bytes) -> None:
        for listener in self._by_topic.get(topic, ()):
            try:
                listener(message)
            # A listener's bug is its own: the others hear the message, and the bus continues.
            except Exception:
                logger.exception("a listener of %s failed", topic)


class LocalBus:
    """Delivers by `call_soon`, so no listener runs before the sender has returned."""

    def __init__(
        self, call_soon: Callable[[Callable[[], None]], object], *, is_shared: bool = True
    ) -> None:
        self.is_shared = is_shared
        self._call_soon = call_soon
        self._listeners = Listeners()
        # Bound once: there are two subscriptions for each player.
        self._deliver, self._remove = self._listeners.deliver, self._listeners.remove

    def publish(self, topic: str, message: bytes) -> None:
        self._call_soon(partial(self._deliver, topic, message))

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        self._listeners.add(topic, listener)
        return partial(self._remove, topic, listener)
