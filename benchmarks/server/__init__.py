"""What the layers above the sockets cost: the real server beside the least a server can do.

`python -m benchmarks.server [--quick]`, or `make bench` for all benchmarks.
"""
