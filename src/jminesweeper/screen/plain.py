"""Screens as plain text, for programs, pipes and screen readers."""

from __future__ import annotations

from jminesweeper.core import format_position
from jminesweeper.screen.models import GameScreen, MenuScreen, ScreenModel


def format_plain(model: ScreenModel) -> str:
    """Write a screen in lines, without any control sequence."""
    match model:
        case GameScreen():
            lines = [f"JMinesweeper {model.label}", format_position(model.view)]
        case MenuScreen():
            lines = [f"JMinesweeper {model.title}", *(item.label for item in model.items)]
        case _:
            lines = [f"JMinesweeper {model.title}", *model.lines]
    return "\n".join([*lines, model.message.text, ""])
