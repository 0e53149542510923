"""Games that were played: as text, in the format of other programs, action by action, in figures.

Pure, and above the core: a recording is made of a game, and no game knows of one.
"""
