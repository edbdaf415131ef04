# One list of twenty results.
# breaks: 1
# misconception: reads-the-task
def run_both(x_a, x_b):
    return run(x_a) + run(x_b)
