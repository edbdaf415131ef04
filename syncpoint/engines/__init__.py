"""Engines: the libraries that students' code uses. Each has a folder; :mod:`.base` describes its content."""
