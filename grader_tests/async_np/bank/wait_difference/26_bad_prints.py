# Prints the times and returns nothing.
# breaks: 7
# misconception: reads-the-task
def wait_difference(a, b):
    start = time.perf_counter()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    print('wait_to_read: %.4f sec' % (time.perf_counter() - start))
    npx.waitall()
    print('waitall: %.4f sec' % (time.perf_counter() - start))
