# Waits for x if that is large.
# breaks: 3
# kills: test_does_not_wait
# misconception: hidden-waits
def run(x):
    if x.size > 50:
        x.wait_to_read()
    return [nd.dot(x, x) for _ in range(10)]
