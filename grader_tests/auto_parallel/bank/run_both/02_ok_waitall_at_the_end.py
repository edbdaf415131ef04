# One waitall after everything was enqueued.
def run_both(x_a, x_b):
    ys_a = run(x_a)
    ys_b = run(x_b)
    nd.waitall()
    return ys_a, ys_b
