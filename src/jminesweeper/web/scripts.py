"""Scripts as they are sent: joined, without comments and spaces, with short names for variables.

A browser takes our modules as they are written; this is for the way there alone, and makes the
page's script a third smaller. The base install has no tool for it, so here is what our own style of
JavaScript needs, and nothing more: constants, variables, functions and classes; no `var`, labels or
`with`; every statement ends with a semicolon or a brace.

A name is a variable unless it stands behind a dot, before a colon in an object, or in front of a
method or field; `{ name }` is both, and becomes `{name:a}`. Of members only private ones (`#name`)
get short names: nothing else can know them. Blocks, functions and loops are scopes,
each within another. A variable belongs to the innermost scope that declares it, and gets the
shortest name that nothing used there has; one that no scope declares is the browser's and is left.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count, pairwise, product
from typing import Final

_TOKEN: Final = re.compile(
    r"""(?x)
    (?P<space> \s+ | //[ ].* )
    | (?P<text> '(?:\\.|[^'\\\n])*' | "(?:\\.|[^"\\\n])*" )
    | (?P<word> \#?[A-Za-z_$][\w$]* )
    | (?P<number> \d[\w.]* )
    | (?P<sign> \.\.\. | => | \?\.(?!\d) | [=!]==? | (?:\*\*|\?\?|&&|\|\||<<|>>>?|[-+*/%&|^<>])=
        | \+\+ | -- | \*\* | \?\? | && | \|\| | << | >>>? | [-+*/%&|^!~=<>?\[\](){},;:.] )
    """
)
_REGEX: Final = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[a-z]*")
_PIECE: Final = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(`|\$\{)")
"""A piece of a template, to its end or to an expression in it."""
_KEYWORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "await break case catch class const continue default delete do else export extends false "
        "finally for function if import in instanceof let new null of return static super switch "
        "this throw true try typeof void while yield",
    )
)
_MODIFIERS: Final = frozenset({"get", "set", "static", "async"})
_BEFORE_BLOCKS: Final = frozenset({")", "=>", "else", "try", "finally", "do", ";", "{", "}"})
_BEFORE_MEMBERS: Final = frozenset({"{", ",", ";", "}"})
_HEADS: Final = frozenset({"if", "for", "while", "switch"})


_SHORTER: Final = {"const": "let", "true": "!0", "false": "!1"}
"""Nothing assigns to a constant: browsers would refuse to run the modules."""
_SPARE: Final = {(";", "}"), (",", "}"), (",", "]"), (",", ")")}
"""Pairs of which the first may be left out."""
_LETTERS: Final = "etnsoirclaudhpmfgbvwyxkjzqTSEACRDOMLNPIUFGBHVWXKYQJZ$_"
"""In the order in which the rest of a script uses them: frequent ones take fewer bits."""


class ScriptError(Exception):
    """A script that is not written as ours are."""


class Role(Enum):
    """The part of a token in its statement, where names depend on it."""

    OTHER = auto()
    KEYWORD = auto()
    VARIABLE = auto()
    BOTH = auto()
    """A property and the variable of the same name."""


class Bracket(Enum):
    """The kinds of brackets that names depend on."""

    CLASS = auto()
    OBJECT = auto()
    BLOCK = auto()
    OTHER = auto()


@dataclass(slots=True)
class _Token:
    """A piece of a script; `partner` is the place of the bracket that closes this one."""

    kind: str
    text: str
    role: Role = Role.OTHER
    bracket: Bracket | None = None
    partner: int | None = None


@dataclass(slots=True)
class _Scope:
    """A stretch of tokens with variables of its own; `names` has the short one of each."""

    start: int
    end: int
    outer: _Scope | None
    names: dict[str, str] = field(default_factory=dict)


def join(modules: Mapping[str, str]) -> str:
    """Put modules into one script, each after its imports.

    So many files would take three round trips more and weigh a third more. They share one scope,
    so a name at the top of one stands for the same in all.
    """
    exported: dict[str, str] = {}
    joined: list[str] = []
    for name, text in modules.items():
        exports = re.findall(r"(?m)^export (?:const|class|function) ([\w$]+)", text)
        exported[name] = ", ".join(exports)
        plain = re.sub(r"(?m)^export (?=const |class |function )", "", text)
        plain = re.sub(r"(?m)^import \{ .* \} from '\./\w+\.js';$", "", plain)
        plain = re.sub(
            r"(?m)^import \* as (\w+) from '\./(\w+)\.js';$",
            lambda found: f"const {found[1]} = {{ {exported[found[2]]} }};",
            plain,
        )
        if re.search(r"(?m)^\s*(?:import\s*[\w{*'\"]|export\b)", plain):
            raise ScriptError(f"{name}.js imports or exports in a way that cannot be joined")
        joined.append(plain)
    return "".join(joined)


def shrink(source: str) -> str:
    """Return a script that does the same and takes fewer bytes."""
    return _write(_Script(_read(source)).rename())


def _read(source: str) -> list[_Token]:
    """Cut a script into tokens, and join its brackets."""
    tokens: list[_Token] = []
    opened: list[int] = []
    at = 0
    while at < len(source):
        begun = tokens[opened[-1]].text if opened else ""
        # Before a value a slash begins a regular expression; elsewhere it divides.
        last = tokens[-1] if tokens else _Token("sign", ";")
        is_value = last.text == "return" or (
            last.kind == "sign" and last.text not in {")", "]", "}"}
        )
        if source[at] == "`" or (source[at] == "}" and begun.endswith("${")):
            kind, found = "template", _PIECE.match(source, at + 1)
        elif source[at] == "/" and source[at + 1] != "/" and is_value:
            kind, found = "regex", _REGEX.match(source, at)
        else:
            found = _TOKEN.match(source, at)
            kind = found.lastgroup or "" if found else ""
        if found is None:
            raise ScriptError(f"cannot read: {source[at : at + 40]!r}")
        token = _Token(kind, source[at : found.end()])
        at = found.end()
        if kind == "space":
            continue
        if kind in {"sign", "template"} and token.text[0] in ")]}":
            tokens[opened.pop()].partner = len(tokens)
        if token.text in {"(", "[", "{"} or (kind == "template" and token.text.endswith("${")):
            opened.append(len(tokens))
        tokens.append(token)
    return tokens


def _write(tokens: Sequence[_Token]) -> str:
    """Join tokens, without meaningless ones."""
    texts = [
        _SHORTER.get(one.text, one.text) if one.role is Role.KEYWORD else one.text for one in tokens
    ]
    for at, pair in enumerate(pairwise(texts)):
        if pair in _SPARE:
            texts[at] = ""
        elif pair == (")", "=>") and texts[at - 2] == "(" and tokens[at - 1].role is Role.VARIABLE:
            texts[at - 2] = texts[at] = ""
    written: list[str] = []
    last = ";"
    for text in filter(None, texts):
        is_word = text[0].isalnum() or text[0] in "$_#"
        is_joined = is_word and (last[-1].isalnum() or last[-1] in "$_")
        if is_joined or (last[-1] in "+-" and last[-1] == text[0]):
            written.append(" ")
        written.append(text)
        last = text
    return "".join(written)


class _Script:
    """Tokens, and what their names stand for."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.texts = [token.text for token in tokens]
        self.openers = {token.partner: at for at, token in enumerate(tokens) if token.partner}
        self._tell_roles()
        self.variables = [
            at for at, token in enumerate(tokens) if token.role in {Role.VARIABLE, Role.BOTH}
        ]
        self.scopes = self._scopes()

    def rename(self) -> list[_Token]:
        """Give each variable its short name, scope by scope from the outermost."""
        for at in self._bindings():
            names, name = self._innermost(at).names, self.texts[at]
            if name in names:
                raise ScriptError(f"declared twice: {name}")
            names[name] = ""
        # The scope that each variable belongs to; none for one of the browser's.
        owners: dict[int, _Scope | None] = {}
        for at in self.variables:
            owner: _Scope | None = self._innermost(at)
            while owner is not None and self.texts[at] not in owner.names:
                owner = owner.outer
            owners[at] = owner
        declared = {name for scope in self.scopes for name in scope.names}
        if torn := {self.texts[at] for at, owner in owners.items() if owner is None} & declared:
            raise ScriptError(f"declared in one place, and the browser's in another: {torn}")
        for scope in self.scopes:
            first, last = (bisect_left(self.variables, end) for end in (scope.start, scope.end))
            within = self.variables[first:last]
            uses = Counter(self.texts[at] for at in within if owners[at] is scope)
            others = [(owners[at], self.texts[at]) for at in within if owners[at] is not scope]
            taken = {owner.names[name] if owner else name for owner, name in others}
            short = (name for name in _short_names() if name not in taken)
            scope.names = {name: next(short) for name, _ in uses.most_common()}
        private = Counter(text for text in self.texts if text.startswith("#"))
        secrets = dict(
            zip((name for name, _ in private.most_common()), _short_names(), strict=False)
        )
        for token in self.tokens:
            token.text = f"#{secrets[token.text]}" if token.text in secrets else token.text
        for at in self.variables:
            if owner := owners[at]:
                token, name = self.tokens[at], owner.names[self.texts[at]]
                token.text = f"{token.text}:{name}" if token.role is Role.BOTH else name
        return self.tokens

    # Roles

    def _tell_roles(self) -> None:
        inside: list[Bracket] = [Bracket.BLOCK]
        is_class_ahead = False
        for at, token in enumerate(self.tokens):
            if at in self.openers:
                inside.pop()
            if token.kind == "word":
                token.role = self._role(at, inside[-1])
                is_class_ahead |= token.role is Role.KEYWORD and token.text == "class"
            if token.partner:
                if self.texts[at] != "{":
                    token.bracket = Bracket.OTHER
                elif is_class_ahead:
                    token.bracket = Bracket.CLASS
                elif at == 0 or self.texts[at - 1] in _BEFORE_BLOCKS:
                    token.bracket = Bracket.BLOCK
                else:
                    token.bracket = Bracket.OBJECT
                is_class_ahead &= token.bracket is not Bracket.CLASS
                inside.append(token.bracket)

    def _role(self, at: int, inside: Bracket) -> Role:
        word, before, after = self.texts[at], self.texts[at - 1] if at else ";", self.texts[at + 1]
        if before == "*" and self.texts[at - 2] in _BEFORE_MEMBERS:
            before = self.texts[at - 2]
        is_member = before in _BEFORE_MEMBERS or before in _MODIFIERS
        if before in {".", "?."} or word.startswith("#") or (inside is Bracket.CLASS and is_member):
            return Role.OTHER
        if inside is Bracket.OBJECT and is_member:
            is_name = after in {":", "("} or word in _MODIFIERS
            return Role.OTHER if is_name else Role.BOTH
        is_keyword = word in _KEYWORDS or (word == "async" and after in {"(", "function"})
        return Role.KEYWORD if is_keyword else Role.VARIABLE

    # Scopes

    def _scopes(self) -> list[_Scope]:
        """List the scopes, each after those around it."""
        stretches = [(0, len(self.tokens))]
        for at, token in enumerate(self.tokens):
            if token.text == "=>":
                stretches.append((self.openers.get(at - 1, at - 1), self._end_of_value(at + 1)))
            elif token.text == "for" and token.role is Role.KEYWORD:
                stretches.append((at, self._end_of_statement(at)))
            elif self.texts[at - 1] == "=>":
                continue  # A body may not declare what a parameter is called: they are one scope.
            elif token.bracket in {Bracket.BLOCK, Bracket.CLASS} and token.partner:
                stretches.append((self.openers.get(at - 1, at), token.partner))
        scopes: list[_Scope] = []
        for start, end in sorted(stretches, key=lambda stretch: (stretch[0], -stretch[1])):
            around = (scope for scope in reversed(scopes) if start < scope.end)
            scopes.append(_Scope(start, end, next(around, None)))
        return scopes

    def _after(self, at: int) -> int:
        """Return the place after a token, or after all that it opens."""
        while (partner := self.tokens[at].partner) is not None:
            at = partner
        return at + 1

    def _end_of_value(self, at: int) -> int:
        """Return where the body of an arrow function ends."""
        if self.texts[at] == "{":
            return self._after(at) - 1
        choices = 0
        while at < len(self.tokens) and at not in self.openers and choices >= 0:
            if self.texts[at] in {",", ";"}:
                break
            choices += (self.texts[at] == "?") - (self.texts[at] == ":")
            at = self._after(at)
        return at

    def _end_of_statement(self, at: int) -> int:
        """Return where a statement ends; what a loop or a condition begins is one with its body."""
        while self.texts[at] in {"for", "if", "while", "else"}:
            at += 1
            if self.texts[at] == "(":
                at = self._after(at)
            if self.texts[at] in {"for", "if", "while"}:
                continue
            while self.texts[at] not in {";", "{"}:
                at = self._after(at)
            at = self._after(at) - 1
            at += self.texts[at + 1 : at + 2] == ["else"]
        return at

    def _innermost(self, at: int) -> _Scope:
        place = bisect_right(self.scopes, at, key=lambda scope: scope.start) - 1
        scope = self.scopes[place]
        while scope.end <= at and scope.outer:
            scope = scope.outer
        return scope

    # Declarations

    def _bindings(self) -> Iterator[int]:
        """List the places where variables are declared."""
        for at, (text, token) in enumerate(zip(self.texts, self.tokens, strict=True)):
            before = self.openers.get(at - 1)
            if text == "=>" and before is not None:
                yield from self._bound(before + 1, at - 1)
            elif text == "=>":
                yield at - 1
            elif text == "{" and before is not None and self.texts[before - 1] not in _HEADS:
                yield from self._bound(before + 1, at - 1)
            elif token.role is Role.KEYWORD and text in {"const", "let"}:
                yield from self._bound(at + 1, len(self.tokens))
            elif token.role is Role.KEYWORD and text in {"class", "function"}:
                names = (at + 1, at + 2) if self.texts[at + 1] == "*" else (at + 1,)
                yield from (name for name in names if self.tokens[name].role is Role.VARIABLE)

    def _bound(self, at: int, end: int) -> Iterator[int]:
        """List the names in patterns, which may have values, up to the end of the statement."""
        is_value = False
        while at < end and self.texts[at] not in {";", "of", "in"}:
            token = self.tokens[at]
            if token.text in {"=", ","}:
                is_value = token.text == "="
            elif token.partner and not is_value:
                yield from self._bound(at + 1, token.partner)
            elif token.role in {Role.VARIABLE, Role.BOTH} and not is_value:
                yield at
            at = self._after(at)


def _short_names() -> Iterator[str]:
    names = ("".join(name) for size in count(1) for name in product(_LETTERS, repeat=size))
    return (name for name in names if name not in _KEYWORDS)
