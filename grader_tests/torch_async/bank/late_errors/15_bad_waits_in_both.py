# Also waits in the first run: then nothing is late.
# breaks: 1
# kills: test_line_that_raised, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    raised = at_fault = None
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
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
            at_fault = number
            break
    return raised, at_fault
