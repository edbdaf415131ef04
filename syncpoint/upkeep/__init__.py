"""Maintenance: prunes the store, forgets a student, moves the gradebook."""
