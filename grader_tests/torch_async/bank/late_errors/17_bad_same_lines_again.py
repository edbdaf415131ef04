# Runs the lines of the first run once more, and does not make them again.
# breaks: 4, 5
# kills: test_ends_at_the_line_that_raises, test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    lines, raised = make_lines(), None
    for number, line in enumerate(lines):
        try:
            line()
        except RuntimeError:
            raised = number
            break
    for number, line in enumerate(lines[: (raised or 0) + 1]):
        line()
    return raised, raised
