# All steps in one bulk of the engine, the waits inside.
import mxnet as mx


def synchronous_loop(x, steps):
    y = None
    with mx.engine.bulk(1):
        for _ in range(steps):
            y = x + 1
            y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    with mx.engine.bulk(16):
        for _ in range(steps):
            y = x + 1
        if y is not None:
            y.wait_to_read()
    return y
