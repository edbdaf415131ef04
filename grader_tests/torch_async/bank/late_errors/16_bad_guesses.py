# The line before.
# breaks: 2
# kills: test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError:
            return number, number - 1
    return None, None
