# Measures: the line is timed on a product that is still being computed, and the rest of the wait after it.
import contextlib
import io


def _share(name):
    z = np.ones((600, 600))
    npx.waitall()
    x = np.dot(np.dot(np.dot(z, z), z), z)
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        run_snippet(name, x)
    line = time.perf_counter() - start
    npx.waitall()
    return line / (time.perf_counter() - start)


def is_blocker(name):
    # One undisturbed try is enough: a line that blocks takes nearly all the time in every try.
    return all(_share(name) > 0.1 for _ in range(3))
