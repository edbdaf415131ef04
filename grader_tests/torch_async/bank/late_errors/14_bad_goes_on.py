# The last line that raised and not the first, and keeps the error for the second run.
# breaks: 2
# kills: test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    raised = at_fault = None
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError:
            raised = number
            break
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
        except RuntimeError:
            at_fault = number - 1
            break
    return raised, at_fault
