"""Games in RAWVF, the text format in which Minesweeper programs exchange videos of games.

::

    RawVF_Version: Rev7
    Width: 3
    ...
    Board:
    *00
    00*
    Events:
    0.000 start
    0.000 lc 2 1 (24 8)
    0.000 lr 2 1 (24 8)

It holds a board, mouse events and nothing else: undone actions and hints are left out.
"""
