# Without a prefix the line begins with "None".
# breaks: 5
# misconception: reads-the-task
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        print('%s time: %.4f sec' % (self.prefix, time.time() - self.start))
