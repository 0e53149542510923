"""Servers as options and arguments name them."""

from __future__ import annotations

import click

from jminesweeper.client.address import Address
from jminesweeper.client.errors import AddressError


class ServerAddress(click.ParamType[Address]):
    """HOST, HOST:PORT, or either after tls://."""

    name = "HOST[:PORT]"

    def convert(
        self, value: str | Address, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        try:
            return value if isinstance(value, Address) else Address.parse(value)
        except AddressError as error:
            self.fail(f"{error}.", param, ctx)
