# One batch_dot for each device, cut into ten arrays.
# breaks: 2
# misconception: work-not-done
def run_both(x_a, x_b):
    def ten(x):
        stack = nd.stack(*[x] * 10)
        return [y.squeeze(axis=0) for y in nd.batch_dot(stack, stack).split(10, axis=0)]

    return ten(x_a), ten(x_b)
