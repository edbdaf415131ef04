# A matrix product for middle, but the later work is a power of each element.
# breaks: 1
# kills: test_products
# misconception: reads-the-task
def wait_difference(a, b):
    t = [time.perf_counter()]
    middle = np.dot(a, a)
    later = b ** 2
    for wait in (middle.wait_to_read, npx.waitall):
        wait()
        t.append(time.perf_counter())
    return t[1] - t[0], t[2] - t[0]
