# Warms up each device by a product that it waits for.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    for x in (x_a, x_b):  # warm up
        nd.dot(x, x).wait_to_read()
    ys_a = [nd.dot(x_a, x_a) for _ in range(10)]
    ys_b = [nd.dot(x_b, x_b) for _ in range(10)]
    nd.waitall()
    return ys_a, ys_b
