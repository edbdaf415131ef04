"""The device: a separate process that has the memory, runs the commands and writes the log.

No student code runs here.
"""
