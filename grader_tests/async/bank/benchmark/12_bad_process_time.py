# CPU time of the process: waiting costs nothing, and worker threads are added up.
# breaks: 2
# misconception: clock-sees-the-work
class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, *args):
        print('%stime: %.4f sec' % (self.prefix, time.process_time() - self.start))
