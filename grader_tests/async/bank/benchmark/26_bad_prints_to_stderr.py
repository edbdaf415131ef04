# The line goes to stderr, so it is not among what the cell prints.
# breaks: 3
# misconception: reads-the-task
import sys


class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.time() - self.start), file=sys.stderr)
