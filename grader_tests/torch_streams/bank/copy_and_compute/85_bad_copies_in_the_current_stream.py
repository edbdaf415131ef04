# All in one stream: the copy stands before the next product.
# breaks: 2
# kills: test_copy_beside_the_next_product
# misconception: one-stream-one-queue
def copy_and_compute(xs, consume):
    jobs = []
    for x in xs:
        host = (x @ x).to("cpu", non_blocking=True)
        jobs.append((gpu.current_stream().record_event(), host))
    for event, host in jobs:
        event.synchronize()
        consume(host)
