"""The port on a SQLite file."""
