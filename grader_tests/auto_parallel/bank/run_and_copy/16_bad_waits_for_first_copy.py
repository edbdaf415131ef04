# Waits for the first copy only.
# breaks: the copies are computed at return
# misconception: call-means-done
def run_and_copy(x):
    copies = copy_to_cpu(run(x))
    copies[0].wait_to_read()
    return copies
