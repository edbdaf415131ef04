# Runs longer and longer beginnings of the program, each with one wait.
def late_errors(make_lines):
    raised = None
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
    count = len(make_lines())
    for end in range(1, count + 1):
        try:
            for line in make_lines()[:0] or list(make_lines())[:end]:
                line()
            gpu.synchronize()
        except RuntimeError:
            return raised, end - 1
    return raised, None
