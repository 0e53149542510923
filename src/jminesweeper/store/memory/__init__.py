"""The store that ends with its process: for tests, and for servers without storage.

It is the shortest description of what every store does.
"""
