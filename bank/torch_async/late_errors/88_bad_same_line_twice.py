# Says that the line that raises is at fault.
# breaks: names the line at fault
# misconception: error-where-raised
def late_errors(make_lines):
    for number, line in enumerate(make_lines()):
        try:
            line()
        except Exception:
            return number, number
    return None, None
