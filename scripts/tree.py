"""Count what a reader of the source has to get through.

Prints, for the package in `src`: lines and what they are, the longest import chain inside each
package, functions that only pass their arguments on, class names that stand for two things,
import cycles, and how many distinct functions a packet passes on its way through the server.

The way of a packet begins with its bytes and ends with those of the reply: through the
conversation, the reader, the session, the game and the painter, and for what is stored through
the store in memory. Each function counts once, with the comprehensions and generator expressions
in it. A property that only names a value and a method like `__len__` do not count, nor do those
that `@frozen` gives to values: nobody follows them. MOVE and REVEAL are keys of version 1, as
documented, and then of version 2, which paints by changes and here stores as well. The first REVEAL
lays the mines and fills the painter's tables. The menu is opened, four rows are passed, and one is
chosen.

    .venv/bin/python scripts/tree.py
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Act, Hello, NewGame, Packet, Save, Start
from jminesweeper.protocol.vocabulary import Button, Command, GameKind
from jminesweeper.server.conversation import ServerConversation
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.session import Session
from jminesweeper.store import Job
from jminesweeper.store.memory.backend import MemoryStore

SRC = Path(__file__).resolve().parent.parent / "src"
PACKAGE = SRC / "jminesweeper"
FROZEN = PACKAGE / "core" / "frozen.py"


def modules() -> dict[str, ast.Module]:
    """Read every module, by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


# Lines


def count_lines() -> Counter[str]:
    """Count lines of code, of imports, of docstrings and comments, and blank ones."""
    counts: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        kinds = ["code" if line.strip() else "blank" for line in text.splitlines()]
        mark(kinds, docstrings(tree), "prose")
        mark(kinds, comments(text), "prose")
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
        mark(kinds, ((n.lineno, n.end_lineno or n.lineno) for n in imports), "import")
        counts.update(kinds)
    return counts


def mark(kinds: list[str], spans: Iterator[tuple[int, int]], kind: str) -> None:
    for first, last in spans:
        for line in range(first - 1, last):
            if kinds[line] != "blank":
                kinds[line] = kind


def docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node.value.value, str):
            yield node.lineno, node.end_lineno or node.lineno


def comments(text: str) -> Iterator[tuple[int, int]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            yield token.start[0], token.start[0]


# Imports


def import_graph(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Which module of the package imports which, also where only the type checker looks."""
    graph: dict[str, set[str]] = {name: set() for name in trees}
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    graph[name].add(whole if whole in trees else node.module)
            elif isinstance(node, ast.Import):
                graph[name].update(alias.name for alias in node.names)
        graph[name] &= trees.keys() - {name}
    return graph


def folders(graph: dict[str, set[str]]) -> set[str]:
    return {name.rpartition(".")[0] for name in graph}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Find groups of modules that import each other, packages' own `__init__` left out."""

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in graph[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reached = {name: reach(name) for name in graph}
    groups = {
        tuple(sorted(other for other in graph if other in reached[name] and name in reached[other]))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def longest_chain(graph: dict[str, set[str]], package: str) -> list[str]:
    """Find the longest way through one folder from a module to what it imports."""
    inside = {name for name in graph if name.rpartition(".")[0] == package} - folders(graph)
    known: dict[str, list[str]] = {}

    def chain(name: str) -> list[str]:
        if name not in known:
            known[name] = [name]  # What a cycle comes back to ends the chain.
            known[name] += max(
                (chain(other) for other in graph[name] & inside), key=len, default=[]
            )
        return known[name]

    return max(map(chain, sorted(inside)), key=len, default=[])


# Names


def repeated_classes(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    places = defaultdict(list)
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    return {name: found for name, found in places.items() if len(found) > 1}


def forwarding(trees: dict[str, ast.Module]) -> list[str]:
    """Find functions whose whole body hands exactly their own arguments to another function."""
    return [
        f"{name}:{node.lineno} {node.name}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and only_forwards(node)
    ]


def only_forwards(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = [node for node in function.body if not is_docstring(node)]
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr):
        return False
    call = body[0].value.value if isinstance(body[0].value, ast.Await) else body[0].value
    if not isinstance(call, ast.Call) or call.keywords or isinstance(call.func, ast.Call):
        return False
    own = [arg.arg for arg in function.args.args if arg.arg not in {"self", "cls"}]
    given = [arg.id for arg in call.args if isinstance(arg, ast.Name)]
    return bool(own) and len(given) == len(call.args) and given == own


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# The way of a packet

NOW_MS = 1_000
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
SAME_BOARD = (Command.MENU, *[Command.MOVE_DOWN] * 4, Command.REVEAL)


class Place(NamedTuple):
    """Where a function stands."""

    path: Path
    line: int


class Way(NamedTuple):
    """What is done before, and the packets whose way is followed."""

    name: str
    before: Sequence[Packet]
    packets: Sequence[Packet]


A_NUMBER = (*[Command.MOVE_RIGHT] * 6, *[Command.MOVE_DOWN] * 3)
EXPERT = (NewGame(GameKind.EXPERT), Act(15, 8, Button.REVEAL))
STORED = (Hello(80, 24, key=bytes(16)), *EXPERT)
WAYS = (
    Way("MOVE, version 1", (Start(20, 10, 1), Command.MOVE_DOWN), (Command.MOVE_RIGHT,)),
    Way("REVEAL, version 1", (Start(20, 10, 1), Command.MOVE_DOWN), (Command.REVEAL,)),
    Way("REVEAL, mines laid", (Start(20, 10, 1), Command.REVEAL, *A_NUMBER), (Command.REVEAL,)),
    Way("MOVE, version 2", (*STORED, Command.MOVE_DOWN), (Command.MOVE_RIGHT,)),
    Way("REVEAL, version 2", STORED, (Act(0, 0, Button.REVEAL),)),
    Way("save", STORED, (Save("mine"),)),
    Way("menu row to new game", (Hello(80, 24), *EXPERT), SAME_BOARD),
)


class Server:
    """A conversation with its session and a store in memory."""

    def __init__(self) -> None:
        self._store = MemoryStore()
        self._conversation = ServerConversation(
            lambda: Session(SessionConfig(has_store=True), Random(1).getrandbits),
            NOW_MS,
            defaultdict(int),
        )

    def reply(self, data: bytes) -> bytes:
        """Answer the bytes of one packet."""
        conversation = self._conversation
        screen = conversation.answer(data, NOW_MS)
        while conversation.can_answer:
            conversation.answer_next(NOW_MS)
        while self._has_asked():
            for operation in conversation.replies.take_operations():
                conversation.stored(self._ask(operation), NOW_MS)
            if conversation.question is not None:
                (number, question), conversation.question = conversation.question, None
                conversation.answered(number, self._ask(question), NOW_MS)
        return screen or b"".join(conversation.replies.take_outgoing())

    def _has_asked(self) -> bool:
        return bool(self._conversation.replies.operations or self._conversation.question)

    def _ask(self, operation: Any) -> Any:
        answers: list[Any] = []
        self._store.submit([Job(operation, answers.append)])
        return answers[0]


def passed(way: Way) -> set[Place]:
    """Find the functions that run on a way."""
    server = Server()
    for packet in way.before:
        server.reply(encode(packet))
    packets = [encode(packet) for packet in way.packets]
    seen = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name not in COMPREHENSIONS:
            seen.add(Place(Path(code.co_filename), code.co_firstlineno))

    sys.setprofile(note)
    try:
        replies = [server.reply(packet) for packet in packets]
    finally:
        sys.setprofile(None)
    if not all(replies):
        raise ValueError(f"{way.name} got no reply")
    return {place for place in seen if PACKAGE in place.path.parents and place.path != FROZEN}


def names_of_values() -> set[Place]:
    """Find the properties and special methods whose whole body is one expression."""
    return {
        Place(path, min([node.lineno, *(mark.lineno for mark in node.decorator_list)]))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and only_names(node)
    }


def only_names(function: ast.FunctionDef) -> bool:
    body = [node for node in function.body if not is_docstring(node)]
    decorators = {mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)}
    is_special = function.name.startswith("__") and function.name != "__init__"
    return (
        len(body) == 1
        and isinstance(body[0], ast.Return)
        and (is_special or not decorators.isdisjoint({"property", "cached_property"}))
    )


def main() -> None:
    trees, counts = modules(), count_lines()
    graph = import_graph(trees)
    code = counts["code"] + counts["import"]
    print(f"lines of src                {sum(counts.values()):6}")
    print(f"imports, of the code        {counts['import'] / code:6.1%}")
    print(f"docstrings and comments     {counts['prose'] / sum(counts.values()):6.1%}")
    print(f"modules                     {len(trees):6}")
    print("\nlongest import chain inside a package")
    for package in sorted(folders(graph)):
        chain = longest_chain(graph, package)
        if len(chain) > 1:
            names = " ".join(name.rpartition(".")[2] for name in chain)
            print(f"  {package.partition('.')[2]:12} {len(chain):3}  {names}")
    show("functions that only pass their arguments on", forwarding(trees))
    repeated = repeated_classes(trees).items()
    show(
        "class names that occur twice", [f"{name}: {', '.join(found)}" for name, found in repeated]
    )
    show("import cycles", [" ".join(group) for group in cycles(graph)])
    print("\ndistinct functions on the way of a packet, from its bytes to those of the reply")
    named = names_of_values()
    for way in WAYS:
        places = passed(way) - named
        counts = Counter(place.path.relative_to(PACKAGE).parts[0] for place in places)
        packages = ", ".join(f"{package} {number}" for package, number in sorted(counts.items()))
        print(f"  {way.name:22} {counts.total():3}  {packages}")


def show(title: str, rows: list[str]) -> None:
    print(f"\n{title}: {len(rows)}")
    for row in rows:
        print(f"  {row}")


if __name__ == "__main__":
    main()
