"""Write the reference of the library, one page of HTML, from its docstrings.

The page is put into the folder that is named, or into build/reference.
"""

import html
import inspect
import re
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import FunctionType

import jminesweeper

OPENING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>JMinesweeper: the library</title>
<style>body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif }
code { background: #eee } dt { margin-top: 1em } section { border-top: 1px solid #ccc }</style>
<h1>jminesweeper</h1>
"""


def page() -> str:
    """Return the whole page."""
    names = sorted(jminesweeper.__all__, key=str.lower)
    contents = " ".join(f'<a href="#{name}"><code>{name}</code></a>' for name in names)
    return "".join([OPENING, f"<p>{contents}</p>\n", *map(section, names)])


def section(name: str) -> str:
    """Describe a name, and if it is a class its members."""
    value = getattr(jminesweeper, name)
    described = isinstance(value, type | FunctionType)
    is_called = described and not (isinstance(value, type) and issubclass(value, Enum))
    text = inspect.getdoc(value) if described else f"{value!r}"
    members = "".join(members_of(value)) if isinstance(value, type) else ""
    title = f"{name}{signature(value) if is_called else ''}"
    return (
        f'<section id="{name}"><h2><code>{html.escape(title)}</code></h2>\n'
        f"{paragraphs(text or '')}<dl>\n{members}</dl></section>\n"
    )


def members_of(value: type) -> Iterator[str]:
    """Describe what a class has: values of an enumeration, attributes and methods."""
    if issubclass(value, Enum):
        for each in value:
            yield f"<dt><code>{each.name}</code></dt>\n"
        return
    for base in reversed(value.__mro__[:-1]):
        for name, member in vars(base).items():
            called = getattr(member, "__func__", member)
            if name.startswith("_") or vars(value).get(name, member) is not member:
                continue
            if isinstance(member, property):
                text = paragraphs(inspect.getdoc(member) or "")
                yield f"<dt><code>{name}</code></dt><dd>{text}</dd>\n"
            elif isinstance(called, FunctionType):
                title = html.escape(f"{name}{signature(called)}")
                text = paragraphs(inspect.getdoc(called) or "")
                yield f"<dt><code>{title}</code></dt><dd>{text}</dd>\n"


def signature(value: object) -> str:
    """Return the parameters of a function or a class, without defaults that say nothing."""
    try:
        written = str(inspect.signature(value)) if callable(value) else ""
    except ValueError:
        return ""
    written = re.sub(r"<function (\w+) at \w+>", r"\1", written)
    return re.sub(r"'([^']+)'", r"\1", written).replace("(self, ", "(").replace("(self)", "()")


def paragraphs(text: str) -> str:
    blocks = html.escape(inspect.cleandoc(text)).split("\n\n")
    marked = [re.sub(r"`([^`]+)`", r"<code>\1</code>", block) for block in blocks]
    return "".join(f"<p>{block}</p>\n" for block in marked if block)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/reference")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page(), encoding="utf-8")
    print(folder / "index.html")


if __name__ == "__main__":
    main()
