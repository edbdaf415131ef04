# Empties the queue before the clock starts, so that old work is not measured; the @ operator; a list.
def wait_difference(a, b):
    npx.waitall()
    times = []
    start = time.perf_counter()
    middle = a @ a
    b @ b
    for wait in (middle.wait_to_read, npx.waitall):
        wait()
        times.append(time.perf_counter() - start)
    return times
