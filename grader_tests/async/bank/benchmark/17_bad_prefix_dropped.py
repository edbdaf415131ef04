# The prefix is stored and never printed.
# breaks: 5
# misconception: reads-the-task
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        print('time: %.4f sec' % (time.time() - self.start))
