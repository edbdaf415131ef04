# Two decimals show 0.00 for queued work.
# breaks: 4
# misconception: reads-the-task
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        print('%stime: %.2f sec' % (self.prefix, time.time() - self.start))
