# One helper that finds the first line that fails, with or without a wait after each line.
def _drain():
    try:
        gpu.synchronize()
    except Exception:
        pass


def _first_failing(lines, after=lambda: None):
    _drain()
    for number, line in enumerate(lines):
        try:
            line()
            after()
        except Exception as error:
            print("line", number, type(error).__name__)
            return number
    return None


def late_errors(make_lines):
    raises = _first_failing(make_lines())
    at_fault = _first_failing(make_lines(), gpu.synchronize)
    return raises, at_fault
