# While loops; the synchronous one waits for the previous step just before the next one.
def synchronous_loop(array, n):
    result = None
    while n > 0:
        if result is not None:
            result.wait_to_read()
        result = nd.add(array, 1)
        n -= 1
    if result is not None:
        result.wait_to_read()
    return result


def asynchronous_loop(array, n):
    result = None
    while n > 0:
        result = nd.add(array, 1)
        n -= 1
    if result is not None:
        result.wait_to_read()
    return result
