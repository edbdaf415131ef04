# The copies stand between the products.
# breaks: 2
# kills: test_copy_beside_the_next_product
# misconception: one-stream-one-queue
def copy_and_compute(xs, consume):
    copies = []
    for x in xs:
        host = (x @ x).to("cpu", non_blocking=True)
        copies.append((host, gpu.current_stream().record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)
