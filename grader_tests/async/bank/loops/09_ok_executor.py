# A step is a small program: an executor of MXNet runs it.
import mxnet as mx


def step_of(x):
    number = mx.sym.var("number")
    return (number + 1).bind(x.context, {"number": x})


def synchronous_loop(x, steps):
    program, y = step_of(x), None
    for _ in range(steps):
        (y,) = program.forward()
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    program, y = step_of(x), None
    for _ in range(steps):
        (y,) = program.forward()
    nd.waitall()
    return y
