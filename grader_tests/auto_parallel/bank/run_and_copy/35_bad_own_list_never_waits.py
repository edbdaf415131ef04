# The copies in a list with a name; the wait is missing.
# breaks: 7
# kills: test_finished_at_return
# misconception: call-means-done
class Copies(list):
    """The copies of the products."""


def run_and_copy(x):
    return Copies(copy_to_cpu(run(x)))
