# Waits for the last copy only.
# breaks: 7
# kills: test_finished_at_return
# misconception: call-means-done
def run_and_copy(x):
    copies = [nd.dot(x, x).copyto(mx.cpu(0)) for _ in range(10)]
    copies[-1].wait_to_read()
    return copies
