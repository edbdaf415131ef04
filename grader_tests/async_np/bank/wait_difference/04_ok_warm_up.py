# One round to warm up, which is waited for, and then the measured one; NumPy numbers.
import timeit


def wait_difference(a, b):
    np.dot(a, a).wait_to_read()
    np.dot(b, b).wait_to_read()
    began = timeit.default_timer()
    middle = np.dot(a, a)
    np.dot(b, b)
    middle.wait_to_read()
    one = timeit.default_timer()
    npx.waitall()
    everything = timeit.default_timer()
    return numpy.array([one, everything]) - began
