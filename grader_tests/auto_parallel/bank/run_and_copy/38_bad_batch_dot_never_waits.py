# One batch_dot for all ten products, copied row by row; the wait is missing.
# breaks: 7
# misconception: call-means-done
def run_and_copy(x):
    ten = nd.stack(*[x] * 10)
    ys = [y.squeeze(axis=0) for y in nd.batch_dot(ten, ten).split(10, axis=0)]
    return copy_to_cpu(ys)
