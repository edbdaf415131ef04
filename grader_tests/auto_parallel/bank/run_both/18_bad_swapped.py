# The two lists are in the wrong order.
# breaks: 1
# misconception: reads-the-task
def run_both(x_a, x_b):
    ys_b = run(x_b)
    ys_a = run(x_a)
    return ys_b, ys_a
