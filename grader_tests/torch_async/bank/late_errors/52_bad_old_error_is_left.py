# Where no line waits, the error of the first run is left over for the second run.
# breaks: 2
# kills: test_nobody_waits
# misconception: error-where-raised
def late_errors(make_lines):
    def run(wait):
        for number, line in enumerate(make_lines()):
            try:
                line()
                wait()
            except Exception:
                return number

    return run(lambda: None), run(gpu.synchronize)
