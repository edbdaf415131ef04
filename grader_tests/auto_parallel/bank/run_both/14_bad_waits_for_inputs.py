# Makes sure that both inputs are there before it starts.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    x_a.wait_to_read()
    x_b.wait_to_read()
    return run(x_a), run(x_b)
