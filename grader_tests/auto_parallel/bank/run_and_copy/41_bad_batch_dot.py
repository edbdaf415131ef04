# One batch_dot for all ten products, copied row by row; waits at the end.
# breaks: 4
# misconception: work-not-done
def run_and_copy(x):
    ten = nd.stack(*[x] * 10)
    copies = copy_to_cpu([y.squeeze(axis=0) for y in nd.batch_dot(ten, ten).split(10, axis=0)])
    nd.waitall()
    return copies
