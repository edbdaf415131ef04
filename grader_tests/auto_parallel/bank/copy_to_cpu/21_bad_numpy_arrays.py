# Returns numpy arrays: on the host, but not NDArrays, and waited for.
# breaks: the copies are NDArrays; nothing is waited for
# misconception: hidden-waits
def copy_to_cpu(ys):
    return [y.asnumpy() for y in ys]
