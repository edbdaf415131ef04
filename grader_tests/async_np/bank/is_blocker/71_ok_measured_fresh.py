# Measures: the median of three shares of the whole time that the line took, after a long queue.
import functools


@functools.lru_cache(maxsize=None)
def is_blocker(name):
    shares = []
    z = np.random.uniform(size=(300, 300))
    for _ in range(3):
        npx.waitall()
        x = z
        for _ in range(12):
            x = np.dot(z, x) / 1000
        start = time.perf_counter()
        run_snippet(name, x)
        line = time.perf_counter() - start
        npx.waitall()
        shares.append(line / (time.perf_counter() - start))
    return sorted(shares)[1] > 0.5
