# A namedtuple, and a clock that is a closure.
import collections

Times = collections.namedtuple("Times", "seconds_one seconds_all")


def wait_difference(a, b):
    def clock(start=time.monotonic()):
        return time.monotonic() - start

    middle, later = (np.dot(m, m) for m in (a, b))
    middle.wait_to_read()
    one = clock()
    npx.waitall()
    return Times(one, clock())
