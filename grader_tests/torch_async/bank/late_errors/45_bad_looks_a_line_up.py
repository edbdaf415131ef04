# Looks for a line's number by its function, which may be in the list more than once.
# breaks: 1, 2
# kills: test_line_at_fault, test_line_that_raised
# misconception: error-where-raised
def _first_error(lines, wait_each):
    """The number of the line that raises; with a wait after each line, it is the line at fault."""
    for line in lines:
        try:
            line()
            if wait_each:
                gpu.synchronize()
        except RuntimeError:
            return lines.index(line)
    return None


def _drain():
    try:
        gpu.synchronize()
    except RuntimeError:
        pass


def late_errors(make_lines):
    _drain()
    raised = _first_error(make_lines(), False)
    _drain()
    fault = _first_error(make_lines(), True)
    _drain()
    return raised, fault
