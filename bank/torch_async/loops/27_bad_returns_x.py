# Hands x back: nothing is computed.
# breaks: all of it
# misconception: work-not-done
def synchronous_loop(x, steps):
    return x


def asynchronous_loop(x, steps):
    return x
