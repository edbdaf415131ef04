# The product is computed once, and copied ten times plus zero.
# breaks: 2
# misconception: work-not-done
def run_and_copy(x):
    y = nd.dot(x, x)
    copies = copy_to_cpu([y + 0 for _ in range(10)])
    nd.waitall()
    return copies
