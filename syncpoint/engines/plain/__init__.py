"""NumPy and ordinary Python: values, prints and errors, for assignments that need no engine.  It has no gates."""
