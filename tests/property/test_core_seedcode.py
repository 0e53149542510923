"""Seed codes are read as they were written, and mistakes in them are found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jminesweeper.core.errors import NotationError
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.seedcode import format_seed_code, parse_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from tests.property.core_strategies import any_rules, seeds, setups

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
known_boards = st.builds(
    lambda known, rules, seed: Setup.of(known.size, known.mine_count, rules, seed=seed),
    st.sampled_from(list(CLASSIC_BOARDS.values())),
    any_rules,
    seeds,
)
coded = setups(255) | known_boards


@given(coded, st.sampled_from([*PRESETS, "own"]))
def test_a_code_is_read_as_the_setup_it_was_written_from(setup: Setup, name: str) -> None:
    rules = replace(setup.rules, name=name)
    setup = replace(setup, variant=replace(setup.variant, rules=rules))
    code = format_seed_code(setup)
    assert parse_seed_code(code) == setup
    assert parse_seed_code(code.replace("-", "").lower()) == setup
    assert len(code.replace("-", "")) <= 31


@given(coded, coded)
def test_different_setups_have_different_codes(one: Setup, other: Setup) -> None:
    assert (one == other) == (format_seed_code(one) == format_seed_code(other))


@given(coded, st.data())
def test_one_wrong_symbol_is_always_found(setup: Setup, data: st.DataObject) -> None:
    code = format_seed_code(setup).replace("-", "")
    at = data.draw(st.integers(0, len(code) - 1))
    wrong = data.draw(st.sampled_from(SYMBOLS.replace(code[at], "")))
    with pytest.raises(NotationError):
        parse_seed_code(code[:at] + wrong + code[at + 1 :])


@given(coded, st.data())
def test_two_exchanged_symbols_are_always_found(setup: Setup, data: st.DataObject) -> None:
    code = format_seed_code(setup).replace("-", "")
    one = data.draw(st.integers(0, len(code) - 1))
    other = data.draw(st.integers(0, len(code) - 1))
    assume(code[one] != code[other])
    symbols = list(code)
    symbols[one], symbols[other] = symbols[other], symbols[one]
    with pytest.raises(NotationError):
        parse_seed_code("".join(symbols))


@given(st.text(max_size=40) | st.text(alphabet=SYMBOLS + "-", max_size=30))
def test_any_text_is_a_code_or_one_error(text: str) -> None:
    try:
        setup = parse_seed_code(text)
    except NotationError:
        return
    assert parse_seed_code(format_seed_code(setup)) == setup
