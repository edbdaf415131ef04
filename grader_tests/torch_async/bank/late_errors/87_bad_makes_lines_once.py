# Runs the same functions twice: what they have changed stays changed.
# breaks: 4
# kills: test_ends_at_the_line_that_raises, test_line_at_fault, test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    lines = make_lines()
    raises = fault = None
    for number, line in enumerate(lines):
        try:
            line()
        except Exception:
            raises = number
            break
    try:
        gpu.synchronize()
    except Exception:
        pass
    for number, line in enumerate(lines):
        try:
            line()
            gpu.synchronize()
        except Exception:
            fault = number
            break
    return raises, fault
