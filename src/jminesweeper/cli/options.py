"""Options that can also be given as environment variables, and what may be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

ENVIRONMENT: Final = "JMINESWEEPER"

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


class Number(click.IntRange):
    """A whole number, refused in words that need no knowledge of programs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value} is not a number from {self.min} to {self.max}.", param, ctx)


def option(*names: str, **settings: Any) -> Callable[[_Decorated], _Decorated]:
    """Declare an option that is also an environment variable, named after its long form."""
    long_name = next(name for name in names if name.startswith("--")).partition("/")[0]
    variable = f"{ENVIRONMENT}{long_name[1:].replace('-', '_').upper()}"
    return click.option(*names, envvar=variable, show_envvar=True, **settings)
