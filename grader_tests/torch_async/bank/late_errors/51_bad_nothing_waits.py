# Where no line raises it says that none is at fault.
# breaks: 2
# kills: test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    raises = None
    for number, line in enumerate(make_lines()):
        try:
            line()
        except Exception:
            raises = number
            break
    try:
        gpu.synchronize()
    except Exception:
        pass
    if raises is None:
        return None, None
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
        except Exception:
            return raises, number
    return raises, None
