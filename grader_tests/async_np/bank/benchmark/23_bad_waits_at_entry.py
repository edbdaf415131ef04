# Empties the queue first, "so that the measurement starts clean".
# breaks: 8
# misconception: clock-sees-the-work
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        npx.waitall()
        self.start = time.time()

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.time() - self.start))
