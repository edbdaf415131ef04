# The wait at the end is missing.
# breaks: 7
# misconception: call-means-done
def run_and_copy(x):
    return copy_to_cpu(run(x))
