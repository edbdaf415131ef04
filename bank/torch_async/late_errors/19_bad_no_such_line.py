# Names a line that is not there.
# breaks: all of it
# misconception: error-where-raised
def late_errors(make_lines):
    return len(make_lines()), len(make_lines())
