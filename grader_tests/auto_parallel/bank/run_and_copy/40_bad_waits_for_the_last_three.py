# Waits for the last three copies, as if those before them were done by then.
# breaks: 7
# kills: test_finished_at_return
# misconception: call-means-done
def run_and_copy(x):
    copies = [nd.dot(x, x).as_in_context(mx.cpu(0)) for _ in range(10)]
    for copy in copies[-3:]:
        copy.asnumpy()
    return copies
