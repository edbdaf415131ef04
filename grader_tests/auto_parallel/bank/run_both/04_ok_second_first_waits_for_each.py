# The second device first; at the end a wait for every result, first those of x_a.
def run_both(x_a, x_b):
    ys_b = run(x_b)
    ys_a = run(x_a)
    for y in ys_a + ys_b:
        y.wait_to_read()
    return ys_a, ys_b
