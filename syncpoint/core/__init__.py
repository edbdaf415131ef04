"""Plain data that every other package may use: results and their messages, limits, settings, errors.

Imports the standard library and pydantic only, and no other package of this project.
"""
