# Waits for x before it starts.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    x.wait_to_read()
    copies = copy_to_cpu(run(x))
    nd.waitall()
    return copies
