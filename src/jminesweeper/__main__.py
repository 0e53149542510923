"""`python -m jminesweeper` is the command `jminesweeper`."""

from jminesweeper.cli.main import main

main(prog_name="jminesweeper")
