# __exit__ returns True, which hides every error of the block.
# breaks: 7
# misconception: reads-the-task
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()
        return self

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.time() - self.start))
        return True
