# It waits between the devices if the matrix is large.
# breaks: 4, 5
# kills: test_both_have_work_before_a_wait
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = [nd.dot(x_a, x_a) for _ in range(10)]
    if x_a.size >= 1000:
        nd.waitall()
    ys_b = [nd.dot(x_b, x_b) for _ in range(10)]
    return ys_a, ys_b
