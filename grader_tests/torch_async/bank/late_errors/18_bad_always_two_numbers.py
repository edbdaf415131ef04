# Where nothing fails, it names the first line.
# breaks: 3
# kills: test_nothing_fails
# misconception: reads-the-task
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
    if at_fault is None:
        return 0, 0
    return raised, at_fault
