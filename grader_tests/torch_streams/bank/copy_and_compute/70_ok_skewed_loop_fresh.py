# A skewed loop: product t + 1 is enqueued before the host waits for copy t.
from collections import deque


def copy_and_compute(xs, consume):
    side, flight = gpu.Stream(), deque()

    def finish():
        host, copied, _ = flight.popleft()
        copied.synchronize()
        consume(host)

    for x in xs:
        product = x.mm(x)
        computed = gpu.current_stream().record_event()
        host = torch.empty(product.shape, dtype=product.dtype, pin_memory=True)
        with gpu.stream(side):
            computed.wait()
            host.copy_(product, non_blocking=True)
            flight.append((host, side.record_event(), product))
        if len(flight) > 2:
            finish()
    while flight:
        finish()
