"""Options that can also be given as environment variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

ENVIRONMENT: Final = "JMINESWEEPER"

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


def option(*names: str, **settings: Any) -> Callable[[_Decorated], _Decorated]:
    """Declare an option that is also an environment variable, named after its long form."""
    long_name = next(name for name in names if name.startswith("--")).partition("/")[0]
    variable = f"{ENVIRONMENT}{long_name[1:].replace('-', '_').upper()}"
    return click.option(*names, envvar=variable, show_envvar=True, **settings)
