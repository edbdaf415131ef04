# The copy of y[i-1] after product i, and the last product is never copied.
# breaks: 1
# misconception: reads-the-task
def run_and_copy(x):
    copies, before = [], None
    for i in range(10):
        y = nd.dot(x, x)
        if before is not None:
            copies.append(before.copyto(mx.cpu()))
        before = y
    nd.waitall()
    return copies
