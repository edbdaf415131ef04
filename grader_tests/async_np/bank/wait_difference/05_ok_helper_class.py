# A small stopwatch; the wait for middle reads one of its numbers.
class _Stopwatch:
    def __init__(self):
        self.start, self.laps = time.monotonic(), []

    def lap(self):
        self.laps.append(time.monotonic() - self.start)


def wait_difference(a, b):
    watch = _Stopwatch()
    middle = np.matmul(a, a)
    rest = [np.matmul(b, b)]
    print(middle[0, 0].shape)
    middle.tolist()
    watch.lap()
    npx.waitall()
    watch.lap()
    return tuple(watch.laps)
