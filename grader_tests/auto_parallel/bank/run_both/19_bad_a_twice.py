# Copy and paste: x_a runs twice.
# breaks: 1
# misconception: reads-the-task
def run_both(x_a, x_b):
    ys_a = run(x_a)
    ys_b = run(x_a)
    return ys_a, ys_b
