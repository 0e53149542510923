"""The store on Redis or Valkey, shared by servers on any number of hosts.

It asks only through functions that run inside the server, and never keeps anything itself.
"""
