# CPU time: to wait costs next to nothing there.
# breaks: 6
# misconception: clock-sees-the-work
def wait_difference(a, b):
    start = time.process_time()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    seconds_one = time.process_time() - start
    npx.waitall()
    return seconds_one, time.process_time() - start
