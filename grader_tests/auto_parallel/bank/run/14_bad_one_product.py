# One product, ten times in the list.
# breaks: 2
# misconception: work-not-done
def run(x):
    return [nd.dot(x, x)] * 10
