# Names a line that is not there.
# breaks: 1, 2
# kills: test_line_at_fault, test_line_that_raised, test_nobody_waits, test_nothing_fails
# misconception: error-where-raised
def late_errors(make_lines):
    return len(make_lines()), len(make_lines())
