"""Engines: what the students' code computes with.  One folder each; :mod:`.base` says what is in it."""
