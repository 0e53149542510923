"""The port on Redis or Valkey."""
