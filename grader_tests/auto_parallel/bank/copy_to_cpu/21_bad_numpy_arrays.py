# Returns numpy arrays: on the host, but not NDArrays, and waited for.
# breaks: 3, 4
# misconception: hidden-waits
def copy_to_cpu(ys):
    return [y.asnumpy() for y in ys]
