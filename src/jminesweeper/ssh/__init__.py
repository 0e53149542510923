"""The door for players who have only `ssh`: the terminal client, run in the server.

It turns an SSH channel into a keyboard and a screen, and everything behind the screen is a player
like any other. It runs no command, reads no file of a player's and forwards nothing.

door       limits on strangers, the library, loaded for the first of them, and the host key
line       one connection that speaks SSH: who has proved a key, turns, bounds on what is held
terminal   the terminal client on one channel, and the words of `ssh -t HOST join CODE` as a wish
"""
