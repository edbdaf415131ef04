# All results are brought to the host at the end.
# breaks: 3
# misconception: as-in-context
def run_both(x_a, x_b):
    ys_a, ys_b = run(x_a), run(x_b)
    return [y.as_in_context(mx.cpu()) for y in ys_a], [y.as_in_context(mx.cpu()) for y in ys_b]
