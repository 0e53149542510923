"""The yellow belt kata: a 3x3 sandbox with its own coordinates, pictures, messages and bot report.

It leaves the rules to the engine, and never prints, draws randomness it was not
handed, or sees more than a player while a bot plays.
"""
