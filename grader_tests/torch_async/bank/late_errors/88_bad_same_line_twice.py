# Says that the line that raises is at fault.
# breaks: 2
# kills: test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    for number, line in enumerate(make_lines()):
        try:
            line()
        except Exception:
            return number, number
    return None, None
