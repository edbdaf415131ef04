# The error that no line waited for is left in the queue, and told in the second run.
# breaks: 2
# kills: test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    raises = fault = None
    for number, line in enumerate(make_lines()):
        try:
            line()
        except Exception:
            raises = number
            break
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
        except Exception:
            fault = number
            break
    return raises, fault
