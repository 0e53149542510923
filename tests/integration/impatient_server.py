"""A server for tests in whose rooms minutes are seconds: silence, kept seats, deserted rounds."""

from jminesweeper.cli.main import main
from jminesweeper.records import results, rooms, rounds, table
from jminesweeper.server import keeper
from tests.integration.hasty_server import draw_the_same, hurry

if __name__ == "__main__":
    hurry(keeper, "draw_board", draw_the_same)
    for module in (rooms, table):
        hurry(module, "COUNTDOWN_MS", 1_000)
    hurry(table, "STILL_HERE_MS", 500)
    hurry(table, "SILENT_MS", 3_000)
    hurry(table, "SEAT_KEPT_MS", 3_000)
    hurry(table, "LOOK_MS", 1_000)
    hurry(keeper, "_EVERY", {**keeper._EVERY, "deserted": (1_000, 1)})
    hurry(rounds, "DESERTED_MS", 4_000)
    hurry(results, "LEAST_3BV", 1_000)
    main()
