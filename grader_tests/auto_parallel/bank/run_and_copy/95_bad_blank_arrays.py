# The copies go into arrays of their own, and blank ones are returned.
# breaks: 1
# misconception: reads-the-task
def run_and_copy(x):
    copies = [nd.zeros(x.shape, ctx=mx.cpu(0)) for _ in range(10)]
    copied = copy_to_cpu(run(x))
    nd.waitall()
    return copies[: len(copied)]
