# All ten in the current stream: one after another.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def run_both(x, y):
    return [x @ x for _ in range(5)], [y @ y for _ in range(5)]
