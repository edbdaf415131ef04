# Runs the program twice, the second time with a wait after each line.
def _first(lines, wait):
    """The number of the first line that raises, if the program waits after each line or not."""
    for number, line in enumerate(lines):
        try:
            line()
            if wait:
                gpu.synchronize()
        except Exception:
            return number
    return None


def late_errors(make_lines):
    raises = _first(make_lines(), wait=False)
    try:
        gpu.synchronize()  # an error that nobody has waited for
    except Exception:
        pass
    at_fault = _first(make_lines(), wait=True)
    return raises, at_fault
