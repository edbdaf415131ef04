# One helper for both runs.
def _first(lines, wait):
    for number, line in enumerate(lines):
        try:
            line()
            if wait:
                gpu.current_stream().synchronize()
        except Exception as error:
            return number
    return None


def late_errors(make_lines):
    raised = _first(make_lines(), False)
    try:
        gpu.synchronize()
    except RuntimeError:
        pass
    return raised, _first(make_lines(), True)
