# Waits for all products before it copies.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    ys = run(x)
    nd.waitall()
    copies = copy_to_cpu(ys)
    nd.waitall()
    return copies
