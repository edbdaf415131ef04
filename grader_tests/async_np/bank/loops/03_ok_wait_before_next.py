# While loops; the synchronous one waits for the step before just before the next one.
def synchronous_loop(array, n):
    result = None
    while n > 0:
        if result is not None:
            result.wait_to_read()
        result = 1 + array
        n -= 1
    if result is not None:
        result.wait_to_read()
    return result


def asynchronous_loop(array, n):
    result = None
    while n > 0:
        result = 1 + array
        n -= 1
    if result is not None:
        result.asnumpy()
    return result
