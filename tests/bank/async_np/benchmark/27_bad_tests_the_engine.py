# Ends with a save of the time next to a small array, and npx.save waits for everything.
# breaks: never waits for the engine (npx.save)
# misconception: clock-sees-the-work
import tempfile


class Benchmark():
    def __init__(self, prefix=None):
        self.prefix = prefix + ' ' if prefix else ''

    def __enter__(self):
        self.start = time.time()

    def __exit__(self, *args):
        seconds = time.time() - self.start
        with tempfile.NamedTemporaryFile() as file:
            npx.save(file.name, np.array([seconds]))
        print('%stime: %.4f sec' % (self.prefix, seconds))
