"""Values: frozen dataclasses with slots that cost next to nothing when a program starts.

`@dataclass(frozen=True, slots=True)` writes and compiles half a dozen functions for each class and
makes the class twice. That takes 0.8 ms, and a server has a hundred classes of values, most of
which it does not need before it listens. With `@frozen` all classes share how their values are
compared, hashed and shown. Only `__init__` has to be quick: it is written for each class, when the
first value is made. Type checkers take such a class for a dataclass, and so do
`dataclasses.replace`, `fields` and `asdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, field, make_dataclass, replace
from inspect import Parameter, Signature
from operator import attrgetter
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, dataclass_transform, overload

T = TypeVar("T")
Fields: TypeAlias = dict[str, "Field[Any]"]
_NOT_GIVEN: Final = object()
_OF_A_DICT: Final = ("__dict__", "__weakref__")
"""What a class without slots has."""


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, eq: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, eq: bool = True, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make the annotated names of a class the fields of its values, as `dataclass` does.

    Without `eq` a value equals nothing but itself.
    """

    def decorate(cls: type[T]) -> type[T]:
        return _with_fields(cls, has_eq=eq, is_kw_only=kw_only)

    return decorate if cls is None else decorate(cls)


def _with_fields(cls: type[T], *, has_eq: bool, is_kw_only: bool) -> type[T]:
    own = dict(_own_fields(cls))
    fields: Fields = {**getattr(cls, "__frozen_fields__", {}), **own}
    body = {name: value for name, value in vars(cls).items() if name not in {*own, *_OF_A_DICT}}
    metaclass: Any = type(cls)
    frozen_class: type[T] = metaclass(
        cls.__name__,
        cls.__bases__,
        {
            **_METHODS,
            **(_comparison(_names(fields, "compare")) if has_eq else {}),
            **body,  # What the class itself says counts.
            "__qualname__": cls.__qualname__,
            "__slots__": tuple(own),
            "__match_args__": () if is_kw_only else _names(fields, "init"),
            "__frozen_fields__": fields,
            "__dataclass_fields__": _LateFields(is_kw_only=is_kw_only),
            "__signature__": _LateSignature(is_kw_only=is_kw_only),
        },
    )

    def write_init(self: T, *given: Any, **named: Any) -> None:
        init = _written_init(frozen_class, fields, is_kw_only=is_kw_only)
        type.__setattr__(frozen_class, "__init__", init)
        init(self, *given, **named)

    type.__setattr__(frozen_class, "__init__", write_init)
    return frozen_class


def _own_fields(cls: type[Any]) -> Iterator[tuple[str, Field[Any]]]:
    for name, annotation in cls.__annotations__.items():
        if not str(annotation).startswith("ClassVar"):
            default = vars(cls).get(name, MISSING)
            each: Field[Any] = default if isinstance(default, Field) else field(default=default)
            each.type = annotation
            yield name, each


def _names(fields: Fields, purpose: str) -> tuple[str, ...]:
    return tuple(name for name, each in fields.items() if getattr(each, purpose))


def _comparison(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    # Values of a class without fields are equal.
    compared = attrgetter(*names or ("__class__",))

    def equals(self: object, other: object) -> Any:
        if other.__class__ is self.__class__:
            return compared(self) == compared(other)
        return NotImplemented

    def hashed(self: object) -> int:
        return hash(compared(self))

    return {"__eq__": equals, "__hash__": hashed}


def _written_init(cls: type[Any], fields: Fields, *, is_kw_only: bool) -> Callable[..., None]:
    """Write `__init__` with a line for each field; a slot's own setter is the quickest way in."""
    known: dict[str, Any] = {"_NOT_GIVEN": _NOT_GIVEN}
    parameters = ["self", *("*" * is_kw_only)]
    lines = []
    for name in _names(fields, "init"):
        known[f"_set_{name}"] = getattr(cls, name).__set__
        value, default = name, fields[name].default
        if fields[name].default_factory is not MISSING:
            known[f"_make_{name}"], default = fields[name].default_factory, _NOT_GIVEN
            value = f"_make_{name}() if {name} is _NOT_GIVEN else {name}"
        known[f"_default_{name}"] = default
        parameters.append(name if default is MISSING else f"{name}=_default_{name}")
        lines.append(f"_set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec("\n ".join([f"def __init__({', '.join(parameters)}):", *lines, "return"]), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


class _LateFields:
    """What the functions of `dataclasses` go by, made when they first look at it."""

    def __init__(self, *, is_kw_only: bool) -> None:
        self._is_kw_only = is_kw_only

    def __get__(self, _value: object, cls: type[Any]) -> Fields:
        described = [(name, each.type, each) for name, each in cls.__frozen_fields__.items()]
        bare = make_dataclass(
            cls.__name__,
            described,
            namespace={"__doc__": cls.__doc__},
            init=False,
            repr=False,
            eq=False,
            kw_only=self._is_kw_only,
        )
        fields: Fields = vars(bare)["__dataclass_fields__"]
        type.__setattr__(cls, "__dataclass_fields__", fields)
        return fields


class _LateSignature:
    """What `help` shows, which `__init__` itself cannot say before it is written."""

    def __init__(self, *, is_kw_only: bool) -> None:
        self._kind = Parameter.KEYWORD_ONLY if is_kw_only else Parameter.POSITIONAL_OR_KEYWORD

    def __get__(self, _value: object, cls: type[Any]) -> Signature:
        return Signature(
            [
                Parameter(name, self._kind, default=_shown_default(each), annotation=each.type)
                for name, each in cls.__frozen_fields__.items()
                if each.init
            ]
        )


def _shown_default(each: Field[Any]) -> Any:
    if each.default_factory is not MISSING:
        return each.default_factory
    return Parameter.empty if each.default is MISSING else each.default


def _show(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name in _names(self.__frozen_fields__, "repr"))
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, _value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of a {type(self).__name__}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__frozen_fields__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__frozen_fields__, state, strict=True):
        object.__setattr__(self, name, value)


_METHODS: Final = {
    "__repr__": _show,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _set_state,
    "__replace__": replace,  # copy.replace of Python 3.13
}
