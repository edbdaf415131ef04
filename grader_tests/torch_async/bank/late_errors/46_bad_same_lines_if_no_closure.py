# Runs the same functions twice if none of them is a closure.
# breaks: 4
# kills: test_ends_at_the_line_that_raises, test_line_at_fault
# misconception: error-where-raised
def _first_error(lines, wait_each):
    """The number of the line that raises; with a wait after each line, it is the line at fault."""
    for number, line in enumerate(lines):
        try:
            line()
            if wait_each:
                gpu.synchronize()
        except RuntimeError:
            return number
    return None


def _drain():
    try:
        gpu.synchronize()
    except RuntimeError:
        pass


def late_errors(make_lines):
    _drain()
    lines = make_lines()
    raised = _first_error(lines, False)
    _drain()
    fault = _first_error(lines if not any(line.__closure__ for line in lines if hasattr(line, '__closure__')) else make_lines(), True)
    _drain()
    return raised, fault
