# First one, then the other; the caller waits.
def run_both(x_a, x_b):
    return run(x_a), run(x_b)
