# The start is kept on the class: an inner block overwrites the start of the outer one.
# breaks: 6
# misconception: every-call-starts-anew
class Benchmark():
    start = 0

    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        Benchmark.start = time.time()

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.time() - Benchmark.start))
