"""Documents, logs, sorted sets and counters, stored beyond the end of a process.

`port` says what every store does; `memory`, `sqlite` and `redis` do it. A store knows nothing of
games and never looks into what it keeps.
"""
