# The product of x with its transpose.
# breaks: 1
# misconception: reads-the-task
def run_and_copy(x):
    copies = [nd.dot(x, x, transpose_b=True).copyto(mx.cpu()) for _ in range(10)]
    nd.waitall()
    return copies
