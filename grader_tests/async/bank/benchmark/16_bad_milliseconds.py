# Milliseconds under the name of seconds.
# breaks: 2
# misconception: clock-sees-the-work
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, (time.time() - self.start) * 1000))
