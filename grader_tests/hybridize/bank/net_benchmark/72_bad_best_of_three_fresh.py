# The best of three runs of a thousand passes, as one does with timeit.
# breaks: 1, 5
# kills: test_passes, test_seconds
# misconception: work-not-done
import timeit


def benchmark(net, x):
    def run():
        for _ in range(1000):
            net(x)
        nd.waitall()

    return min(timeit.repeat(run, number=1, repeat=3))
