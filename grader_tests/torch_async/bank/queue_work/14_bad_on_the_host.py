# Computes on the CPU and brings the result back.
# breaks: 2
# kills: test_does_not_wait, test_value, test_work_is_in_the_queue
# misconception: asks-for-a-number
def queue_work(x):
    host = x.cpu()
    return (host @ host).sum().to(x.device)
