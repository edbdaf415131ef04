"""The device: a process of its own that holds the memory, runs the commands and writes the log.

No student code runs here.
"""
