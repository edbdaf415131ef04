# Large copies are on their way at the return.
# breaks: 7
# kills: test_finished_at_return
# misconception: call-means-done
def run_and_copy(x):
    copies = [y.copyto(mx.cpu(0)) for y in [nd.dot(x, x) for _ in range(10)]]
    if x.size < 1000:
        nd.waitall()
    return copies
