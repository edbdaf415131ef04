# Waits for the first copy only.
# breaks: 7
# misconception: call-means-done
def run_and_copy(x):
    copies = copy_to_cpu(run(x))
    copies[0].wait_to_read()
    return copies
