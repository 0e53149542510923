"""The page: the game in a browser, and what a browser gets for each path.

It knows neither a socket nor a game: bytes go in, bytes come out, and the page's script speaks
the protocol of the game by itself, through a WebSocket.
"""
