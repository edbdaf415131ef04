# The first run goes on after the line that raises.
# breaks: 5
# kills: test_ends_at_the_line_that_raises
# misconception: error-where-raised
def late_errors(make_lines):
    raises = fault = None
    for number, line in enumerate(make_lines()):
        try:
            line()
        except Exception:
            raises = number if raises is None else raises
    try:
        gpu.synchronize()
    except Exception:
        pass
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
        except Exception:
            fault = number
            break
    return raises, fault
