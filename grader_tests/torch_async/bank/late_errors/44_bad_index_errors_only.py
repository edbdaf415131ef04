# Lets errors pass that do not speak of an index.
# breaks: 1, 2
# kills: test_ends_at_the_line_that_raises, test_line_at_fault, test_line_that_raised
# misconception: error-where-raised
def _first_error(lines, wait_each):
    """The number of the line that raises; with a wait after each line, it is the line at fault."""
    for number, line in enumerate(lines):
        try:
            line()
            if wait_each:
                gpu.synchronize()
        except RuntimeError as error:
            if "range" not in str(error) and "index" not in str(error) and "device" not in str(error):
                raise
            return number
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
