# torch.accelerator; RuntimeError printed.
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
            torch.accelerator.synchronize()
        except RuntimeError as error:
            print(error)
            at_fault = number
            break
    return raised, at_fault
