# Guesses that the line before the one that raises is at fault, if it is not the first.
# breaks: 2
# kills: test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    lines = make_lines()
    for number, line in enumerate(lines):
        try:
            line()
        except Exception:
            return number, max(number - 2, 0)
    return None, None
