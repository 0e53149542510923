"""Black-box tests over TCP of any server of the protocol; docs/check.md says how to run them.

They know bytes, and what a person can see on the screen: nothing of how a server is made.
"""
