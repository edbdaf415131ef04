# As the notebook says: once as it is, once with a wait after each line.
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
            line()
            gpu.synchronize()
        except RuntimeError:
            at_fault = number
            break
    return raised, at_fault
