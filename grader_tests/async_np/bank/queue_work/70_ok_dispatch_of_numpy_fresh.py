# NumPy's own functions: on arrays of mxnet.np they call those of mxnet.np.
def queue_work(x):
    return numpy.sum(numpy.dot(x, x))
