# Ties the two together by hand: a number from x_a is needed by every product of x_b.
# breaks: 5
# misconception: devices-in-turn
def run_both(x_a, x_b):
    start = (x_a[0, 0] * 0).copyto(x_b.context)
    x_b = x_b + start
    return run(x_a), run(x_b)
