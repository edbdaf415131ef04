# Prints something of middle when its time is taken, and of the rest at the end.
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    later = np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    seconds_all = time.perf_counter() - start
    print('middle:', float(middle.mean()), 'later:', later.max().item())
    return seconds_one, seconds_all
