"""Engines: the libraries with which students' code computes.  One folder each; :mod:`.base` describes its content."""
