"""Players, games and scores, kept beyond the end of a process.

It takes and gives values (`ports`) through one of its backends (`memory`, `sqlite`); it never
plays a game, looks into one, or knows a player's secret.
"""
