# First with waits, then without.
def late_errors(program):
    fault = None
    for number, line in enumerate(program()):
        try:
            line()
            gpu.synchronize()
        except Exception:
            fault = number
            break
    raised = None
    for number, line in enumerate(program()):
        try:
            line()
        except Exception:
            raised = number
            break
    return [raised, fault]
