# The waitall of the timing example stayed between the two.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = run(x_a)
    nd.waitall()
    ys_b = run(x_b)
    nd.waitall()
    return ys_a, ys_b
