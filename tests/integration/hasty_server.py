"""The server, whose rooms count down in no time and whose quick matches are found at once."""

from jminesweeper.cli.main import main
from jminesweeper.records import rooms
from jminesweeper.session import together

if __name__ == "__main__":
    vars(rooms)["COUNTDOWN_MS"] = 100
    vars(together)["LOOK_MS"] = 500
    main()
