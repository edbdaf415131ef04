# The line before.
# breaks: names the line at fault
# misconception: error-where-raised
def late_errors(make_lines):
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError:
            return number, number - 1
    return None, None
