# One product, ten times in the list.
# breaks: ten products are computed
# misconception: work-not-done
def run(x):
    return [nd.dot(x, x)] * 10
