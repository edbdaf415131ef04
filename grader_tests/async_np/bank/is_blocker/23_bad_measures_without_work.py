# Measures on an array that is computed already: nothing has to wait, and only the slow lines look like blockers.
# breaks: 1
# misconception: hidden-waits
import contextlib
import io


def is_blocker(name):
    x = np.ones((4, 4))
    x.wait_to_read()
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        run_snippet(name, x)
    return time.perf_counter() - start > 5
