# Computes on the CPU and brings the result back.
# breaks: waits for nothing
# misconception: asks-for-a-number
def queue_work(x):
    host = x.cpu()
    return (host @ host).sum().to(x.device)
