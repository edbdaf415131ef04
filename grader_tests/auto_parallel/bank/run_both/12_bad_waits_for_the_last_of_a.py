# Waits for the last product of x_a before it starts the second device.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = run(x_a)
    ys_a[-1].wait_to_read()
    ys_b = run(x_b)
    return ys_a, ys_b
