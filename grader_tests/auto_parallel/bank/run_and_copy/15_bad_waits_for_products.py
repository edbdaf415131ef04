# Waits for the products at the end, not for their copies.
# breaks: 7
# misconception: call-means-done
def run_and_copy(x):
    ys = run(x)
    copies = copy_to_cpu(ys)
    for y in ys:
        y.wait_to_read()
    return copies
