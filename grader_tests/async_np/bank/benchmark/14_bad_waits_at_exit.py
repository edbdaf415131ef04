# "To be fair" the timer waits for the engine, and so no longer shows when work is only queued.
# breaks: 8
# misconception: clock-sees-the-work
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        npx.waitall()
        print('%stime: %.4f sec' % (self.prefix, time.time() - self.start))
