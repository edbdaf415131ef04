# The clock is read in __init__, so the time before the block also counts.
# breaks: 1
# misconception: clock-sees-the-work
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''
        self.start = time.time()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.time() - self.start))
