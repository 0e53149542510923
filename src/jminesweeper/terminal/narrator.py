"""The view as sentences for a person: for screen readers, and where there are pipes.

Everything but the cells is a set of facts: a topic and the sentence about it. A sentence that
differs from the last one told about its topic is told; a topic that is gone is not mentioned. Cells
are compared with those told of before: the few that changed are named, of many their number and
place. A cell, a row or the whole board is read out on demand, and at no other time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final, TypeAlias

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import (
    CLUE,
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    QUESTIONED,
    SYMBOLS_AFTER,
    digit_of,
)
from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.terminal.game import figure_lines
from jminesweeper.terminal.lines import WIDEST, page_lines
from jminesweeper.terminal.room import notes_on, rules_of
from jminesweeper.terminal.view import PAUSED, GameView, MenuView, RoomView, RowView, SeatView
from jminesweeper.terminal.words import REMARKS

Facts: TypeAlias = Mapping[str, str]

_MOST_NAMED: Final = 6
"""Cells that are named one by one; of more their number and place are told."""
_OPENED: Final = "Opened"
_CHANGED: Final = "Changed"
_PLACE: Final = "place"
_WITH_PLACE: Final = frozenset({"progress", "standings"})
"""Topics that change all the time: told with a new place or state alone."""


class Narrator:
    """Tells the changes since it last told anything."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        self._faces = b""

    def forget(self) -> None:
        """Tell everything the next time."""
        self._told, self._faces = {}, b""

    def expect_message(self) -> None:
        """Tell the next message even if it is the last one again."""
        self._told.pop("message", None)
        self._told.pop("news", None)

    def tell(self, facts: Facts, view: GameView, cursor: Cell) -> str:
        """Return what changed, a sentence a line; the message if nothing did."""
        new = {topic: text for topic, text in facts.items() if self._told.get(topic) != text}
        if _PLACE in new:
            new = dict(facts)
        else:
            due = _WITH_PLACE if "state" in new else frozenset[str]()
            new = {
                topic: text
                for topic, text in facts.items()
                if topic in due or (topic in new and topic not in _WITH_PLACE)
            }
        if _PLACE not in new and (selected := new.get("selected")):
            new = {
                topic: text
                for topic, text in new.items()
                if topic == "selected" or text not in selected
            }
        lines = [text for text in new.values() if text]
        lines += self._changed_cells(view, cursor)
        self._told.update(facts)
        return "\n".join(lines) or facts["message"] or "Nothing changed."

    def _changed_cells(self, view: GameView, cursor: Cell) -> list[str]:
        """Tell of the cells that changed, but for that of the cursor, which is a fact."""
        if view.is_covered or view.state in {"", PAUSED}:
            return []
        before, self._faces = self._faces, bytes(view.faces)
        blank = bytes((COVERED,)) * view.size.cells
        if len(before) != len(blank) or before == self._faces:
            return []
        if self._faces == blank:
            return ["Every cell is covered."]
        changed: dict[str, list[Cell]] = {}
        for index, (old, new) in enumerate(zip(before, self._faces, strict=True)):
            cell = Cell(index % view.size.columns, index // view.size.columns)
            if old != new and cell != cursor:
                changed.setdefault(_change(old, new), []).append(cell)
        return [_changes(change, cells, view) for change, cells in changed.items()]


def _change(old: int, new: int) -> str:
    """Name what happened to a cell."""
    for bit, gained, lost in (
        (EXPLODED, "Exploded", "Mended"),
        (FLAGGED, "Flagged", "Flag removed"),
        (COVERED, "Covered again", _OPENED),
        (MINED, "Mine", "Mine hidden"),
    ):
        if (old ^ new) & bit:
            return gained if new & bit else lost
    return _CHANGED


def _changes(change: str, cells: list[Cell], view: GameView) -> str:
    if len(cells) <= _MOST_NAMED:
        says = change in {_OPENED, _CHANGED}
        named = (_place(cell) + (f" is {name_cell(cell, view)}" * says) for cell in cells)
        return f"{change}: {', '.join(named)}."
    rows, columns = [cell.row for cell in cells], [cell.column for cell in cells]
    where = f"columns {min(columns)} to {max(columns)}, rows {min(rows)} to {max(rows)}"
    return f"{change}: {len(cells)} cells in {where}."


# A cell, a row, the board


def name_cell(cell: Cell, view: GameView) -> str:
    """Say in a word or two what a cell shows."""
    face = view.face(cell)
    return _NAMES[face] if view.is_live else _NAMES_AFTER[face]


def describe_cell(cell: Cell, view: GameView) -> str:
    """Say what a cell shows, and what touches it."""
    told = [f"{_place(cell)}: {name_cell(cell, view)}."]
    owner = view.seat(view.owners.get(cell, 0))
    if owner is not None and owner != view.own_seat:
        told.append(f"Flagged by {owner.name}.")
    if view.odds is not None and cell in view.odds:
        told.append(f"Chance of a mine: {view.odds[cell]} %.")
    around = [view.face(each) for each in view.around(cell) if each != cell]
    flags = sum(bool(face & FLAGGED) for face in around)
    covered = sum(bool(face & COVERED) for face in around) - flags
    if view.is_live:
        told.append(f"Around it: {covered} covered, {_counted(flags, 'flag')}.")
    return " ".join(told)


def describe_row(row: int, view: GameView) -> str:
    """Say what the cells of a row show, equal neighbours together."""
    cells = (Cell(column, row) for column in range(view.size.columns))
    told: list[str] = []
    for name, same in groupby(name_cell(cell, view) for cell in cells):
        count = len([*same])
        told += [f"{count} {name}"] if name in _COUNTED and count > 1 else [name] * count
    return f"Row {row}: {', '.join(told)}."


def draw_board(view: GameView) -> str:
    """Write a character for each cell, as the notation of `core.view` has them."""
    columns, symbols = view.size.columns, _BEFORE if view.is_live else SYMBOLS_AFTER
    rows = (view.faces[start : start + columns] for start in range(0, len(view.faces), columns))
    return "\n".join("".join(symbols[face] for face in row) for row in rows)


def _name_before(face: int) -> str:
    if not face & COVERED:
        return "a mine that was hit" if face & MINED else digit_of(face).replace(".", "empty")
    mine = " on a mine" if face & MINED else ""
    if face & FLAGGED:
        return f"flag{mine}"
    if face & CLUE == QUESTIONED:
        return f"question mark{mine}"
    return "covered mine" if mine else "covered"


def _name_after(face: int) -> str:
    if face & EXPLODED:
        return "the mine that ended the game"
    if face & FLAGGED:
        return "flagged mine" if face & MINED else "wrong flag"
    if face & MINED:
        return "mine"
    return "never opened" if face & COVERED else digit_of(face).replace(".", "empty")


def _symbol_before(face: int) -> str:
    """Write a cell of a running game; lower-case letters are what only debug mode shows."""
    if not face & COVERED:
        return "*" if face & MINED else digit_of(face)
    hidden, mined = ("F", "f") if face & FLAGGED else ("?", "b")
    return mined if face & MINED else hidden


_NAMES: Final = [*map(_name_before, range(256))]
_NAMES_AFTER: Final = [*map(_name_after, range(256))]
_BEFORE: Final = [*map(_symbol_before, range(256))]
_COUNTED: Final = frozenset({"covered", "empty", "never opened"})


# Facts


def game_facts(view: GameView, cursor: Cell, clock_ms: int, aim: str, message: str) -> Facts:
    """Tell of a game, and of the others in it."""
    size = view.size
    facts = {
        _PLACE: _sentence(
            f"{_capitalised(view.label) or 'A game'}: {size.columns} columns, {size.rows} rows,"
            f" {_counted(view.mines, 'mine')}"
        ),
        "message": message,
        "state": _sentence(view.told_state.capitalize()),
        "progress": f"Clock {clock_ms // 1000} s, {int(100 * view.solved_share)} % open.",
        "remark": _sentence(_capitalised(", ".join(REMARKS.get(each, "") for each in view.remark))),
        "aim": aim,
        "left": _sentence(f"{_counted(view.left, 'mine')} left"),
        "first": _sentence(_cells("The first press opens ", view.first)),
        "hint": _hint(view.hint),
        "around": _sentence(_cells("Covered around it: ", view.flash)),
        "odds": _odds(view),
        **_company(view),
        "figures": "\n".join(figure_lines(view)),
    }
    if view.replay is not None:
        facts["replay"] = f"Action {view.position} of {len(view.replay)}."
    if view.state != PAUSED:
        facts["cursor"] = f"At {_place(cursor)}: {name_cell(cursor, view)}."
    return facts


def room_facts(room: RoomView, view: GameView, message: str) -> Facts:
    """Tell who is in a room before there is a board."""
    return {_PLACE: _sentence(f"Room: {room.label}"), "message": message, **_company(view)}


def menu_facts(menu: MenuView, message: str) -> Facts:
    """Tell the rows of a menu; rows that can be chosen have a number."""
    facts, number = {_PLACE: _sentence(f"Menu: {menu.title}"), "message": message}, 0
    for place, row in enumerate(menu.rows):
        if row.is_heading:
            facts[f"row {place}"] = f"{row.label}:"
            continue
        number += 1
        facts[f"row {place}"] = f"{number}. {_row(row)}"
        if row.id == menu.selected:
            facts["selected"] = f"Selected: {number}. {_row(row)} {row.help}".rstrip()
    if "selected" in facts:
        facts["selected"] = facts.pop("selected")  # after all rows
    return facts


def page_facts(title: str, lines: Iterable[str | Listing], message: str) -> Facts:
    """Tell a page, whole however long it is."""
    text = "\n".join(line.rstrip() for line in page_lines(lines, WIDEST))
    return {_PLACE: _sentence(f"Page: {title}"), "message": message, "text": text}


def _row(row: RowView) -> str:
    value = ", ".join(filter(None, (row.value, *row.figures)))
    told = f"{row.label}: {value}" if value else row.label
    told += f" (or {row.other})" if row.other else ""
    if row.disabled:
        return f"{told}, not now: {row.disabled}"
    if row.kind is RowKind.TEXT:
        told = f"{told}, a text"
    return _sentence(f"{told}, left and right change it" if row.is_turned else told)


def _company(view: GameView) -> Facts:
    """Tell who watches whom, the room, and who is in it."""
    room = view.room
    facts = {
        "looking": _sentence(f"Waiting for an opponent: {view.looking}" if view.looking else "")
    }
    if view.watching is not None:
        gone = ", who is gone" if view.watching.gone else ""
        facts["watching"] = f"Watching {view.watching.name}{gone}."
    if view.watchers:
        facts["watchers"] = f"Watched by {view.watchers}."
    if room is None:
        return facts
    facts["headline"] = room.headline
    facts["share"] = room.share
    facts["series"] = _sentence(_capitalised(room.series))
    facts["score"] = _sentence(_capitalised(room.score))
    facts["room"] = _sentence(", ".join(filter(None, (f"Room {room.code}", room.kind, room.state))))
    facts["rules"] = rules_of(room)
    if view.lives is not None:
        facts["lives"] = _sentence(f"{view.lives} lives left" if view.lives != 1 else "1 life left")
    facts |= {f"seat {seat.number}": _seat(seat, room) for seat in view.seats}
    if not room.is_waiting:
        facts["standings"] = _sentence(
            ", ".join(f"{seat.name} {seat.opened / 10:.1f} %" for seat in view.seats)
        )
    return facts


def _seat(seat: SeatView, room: RoomView) -> str:
    told = [f"Seat {seat.number}: {seat.name}", notes_on(seat, room)]
    told.append("gave up" if seat.gave_up else "")
    change = "" if seat.change is None else f" ({seat.change:+})"
    told.append(f"rating {seat.rating}{change}" if seat.rating else "")
    if not room.is_waiting:
        told.append(_counted(seat.hits, "mine") + " hit" if seat.hits else "")
        told.append(f"place {seat.place}" if seat.place is not None else "")
        told.append(f"{seat.time / 1000:.1f} s" if seat.time is not None else "")
    if not room.is_playing:
        told.append("ready" if seat.ready else "not ready")
    return _sentence(", ".join(filter(None, told)))


def _hint(cells: tuple[Cell, ...]) -> str:
    if not cells:
        return ""
    return _sentence(f"Hint: {_place(cells[0])}{_cells('; look at ', cells[1:])}")


def _odds(view: GameView) -> str:
    """Tell the least chance and where; a cell on demand says its own."""
    if not view.odds:
        return ""
    least = min(view.odds.values())
    cells = [cell for cell, chance in view.odds.items() if chance == least][:_MOST_NAMED]
    return f"Least chance of a mine: {least} %{_cells(' at ', cells)}."


def _cells(before: str, cells: Iterable[Cell]) -> str:
    ordered = sorted(cells, key=lambda cell: (cell.row, cell.column))
    return before + ", ".join(map(_place, ordered)) if ordered else ""


def _place(cell: Cell) -> str:
    return f"{cell.column} {cell.row}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _sentence(text: str) -> str:
    return f"{text}." if text and not text.endswith((".", "!", "?")) else text


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
