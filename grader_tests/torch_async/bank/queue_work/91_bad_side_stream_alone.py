# On a stream of its own, which waits for nothing, and for which nobody waits.
# breaks: 3
# kills: test_work_is_in_the_queue
# misconception: asks-for-a-number
def queue_work(x):
    with gpu.stream(gpu.Stream()):
        return (x @ x).sum()
