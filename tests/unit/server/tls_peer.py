"""The client's end of a TLS handshake, on memory."""

from __future__ import annotations

import ssl
from pathlib import Path


class TlsPeer:
    """Speaks TLS with whatever gets its bytes."""

    def __init__(self, authority: Path, name: str = "localhost") -> None:
        context = ssl.create_default_context(cafile=authority)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name)
        self.is_ready = False

    def take(self) -> bytes:
        """Return what is to be sent."""
        return self._outgoing.read()

    def shake_hands(self, data: bytes = b"") -> bytes:
        """Take in the server's part of the handshake; return the own one."""
        self._incoming.write(data)
        try:
            self._tls.do_handshake()
            self.is_ready = True
        except ssl.SSLWantReadError:
            pass
        return self.take()
