# Runs longer and longer beginnings of the program, and waits after each.
def late_errors(make_lines):
    def run(lines):
        where = None
        for number, line in enumerate(lines):
            try:
                line()
            except Exception:
                where = number
                break
        failed = where is not None
        try:
            gpu.synchronize()
        except Exception:
            failed = True
        return where, failed

    try:
        gpu.synchronize()
    except Exception:
        pass
    raises, failed = run(make_lines())
    if not failed:
        return None, None
    length = 1
    while not run(make_lines()[:length])[1]:
        length += 1
    return raises, length - 1
