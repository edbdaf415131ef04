# Given a prefix, it waits, because then "the real time" is wanted.
# breaks: 8
# kills: test_does_not_wait
# misconception: clock-sees-the-work
class Benchmark:
    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *error):
        if self.prefix is None:
            print('Done: %.4f sec' % (time.time() - self.start))
        else:
            npx.waitall()
            print('%s: %.4f sec' % (self.prefix, time.time() - self.start))
