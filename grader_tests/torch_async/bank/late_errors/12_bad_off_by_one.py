# Waits before each line: the error is reported one line late.
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
    try:
        gpu.synchronize()
    except RuntimeError:
        pass
    for number, line in enumerate(make_lines()):
        try:
            gpu.synchronize()
            line()
        except RuntimeError:
            at_fault = number
            break
    return raised, at_fault
