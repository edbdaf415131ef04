# Takes line 0 for none.
# breaks: 2
# kills: test_line_at_fault
# misconception: error-where-raised
def late_errors(make_lines):
    raised = fault = 0
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
            line()
            gpu.synchronize()
        except RuntimeError:
            fault = number
            break
    return raised or None, fault or None
