# Brings x_b to the device of x_a, so that everything is in one place.
# breaks: 3
# misconception: as-in-context
def run_both(x_a, x_b):
    x_b = x_b.as_in_context(x_a.context)
    return run(x_a), run(x_b)
