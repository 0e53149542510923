"""What Minesweeper is: boards, rules, games, and what a player may know of them.

Pure and deterministic: it never reads a clock, never draws randomness it was not handed, and
knows nothing of screens, wires or files.
"""

from jminesweeper.core.actions import (
    MAX_AT_MS,
    ON_A_CELL,
    Action,
    ActionKind,
    Log,
    LoggedAction,
    entry_author,
    pack_entry,
    unpack_entry,
)
from jminesweeper.core.errors import (
    ActionError,
    CellError,
    CoreError,
    HiddenError,
    JMinesweeperError,
    NotationError,
    SetupError,
    SizeError,
)
from jminesweeper.core.figures import (
    BoardFigures,
    Figures,
    count_known,
    count_solved,
    measure_board,
)
from jminesweeper.core.game import Change, Game
from jminesweeper.core.generator import RandomBits, place_mines, protect, seeded_bits
from jminesweeper.core.grid import MAX_SIDE, Cell, Grid, Size, bits, indices, is_adjacent, lowest
from jminesweeper.core.minefield import Minefield, Planes, count_neighbours, read_clue
from jminesweeper.core.notation import format_board, format_position, parse_board, parse_position
from jminesweeper.core.record import (
    format_action,
    format_game,
    format_rules,
    format_setup,
    format_variant,
    parse_action,
    parse_day,
    parse_game,
    parse_rules,
    parse_setup,
    parse_size,
    parse_variant,
)
from jminesweeper.core.recording import Recording, ReplayedAction
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules, Spread, Victory
from jminesweeper.core.seedcode import daily_setup, format_seed_code, parse_seed_code
from jminesweeper.core.series import Series, wilson_interval
from jminesweeper.core.setup import SEED_BITS, Setup, check_seed
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant, board_name, level_variant
from jminesweeper.core.view import ONGOING, PlayerView, Status
from jminesweeper.core.zini import zini, zini_results

__all__ = [
    "CLASSIC_BOARDS",
    "CUSTOM",
    "MAX_AT_MS",
    "MAX_SIDE",
    "ONGOING",
    "ON_A_CELL",
    "PRESETS",
    "SEED_BITS",
    "Action",
    "ActionError",
    "ActionKind",
    "BoardFigures",
    "Cell",
    "CellError",
    "Change",
    "CoreError",
    "Figures",
    "FirstReveal",
    "Game",
    "Grid",
    "HiddenError",
    "JMinesweeperError",
    "Level",
    "Log",
    "LoggedAction",
    "Minefield",
    "NotationError",
    "Planes",
    "PlayerView",
    "RandomBits",
    "Recording",
    "ReplayedAction",
    "Rules",
    "Series",
    "Setup",
    "SetupError",
    "Size",
    "SizeError",
    "Spread",
    "Status",
    "Variant",
    "Victory",
    "bits",
    "board_name",
    "check_seed",
    "count_known",
    "count_neighbours",
    "count_solved",
    "daily_setup",
    "entry_author",
    "format_action",
    "format_board",
    "format_game",
    "format_position",
    "format_rules",
    "format_seed_code",
    "format_setup",
    "format_variant",
    "indices",
    "is_adjacent",
    "level_variant",
    "lowest",
    "measure_board",
    "pack_entry",
    "parse_action",
    "parse_board",
    "parse_day",
    "parse_game",
    "parse_position",
    "parse_rules",
    "parse_seed_code",
    "parse_setup",
    "parse_size",
    "parse_variant",
    "place_mines",
    "protect",
    "read_clue",
    "seeded_bits",
    "unpack_entry",
    "wilson_interval",
    "zini",
    "zini_results",
]
