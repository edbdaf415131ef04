# A stopwatch that is mapped over the two waits.
class _Stopwatch:
    def __init__(self):
        self.start = time.monotonic()

    def after(self, wait):
        wait()
        return time.monotonic() - self.start


def wait_difference(a, b):
    npx.waitall()
    watch = _Stopwatch()
    middle, _ = np.dot(a, a), np.dot(b, b)
    return tuple(map(watch.after, (middle.wait_to_read, npx.waitall)))
