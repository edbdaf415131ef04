# The wait at the end is missing.
# breaks: the copies are computed at return
# misconception: call-means-done
def run_and_copy(x):
    return copy_to_cpu(run(x))
